// Values that are made once, by whoever comes first.
// STDOUT: made 6
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Once, OnceLock};
use std::thread;

static MADE: LazyLock<Vec<u32>> = LazyLock::new(|| vec![1, 2, 3]);
static TEXT: OnceLock<String> = OnceLock::new();
static BEGIN: Once = Once::new();
static RUNS: AtomicU32 = AtomicU32::new(0);

fn main() {
    let threads: Vec<_> = (0..4)
        .map(|_| {
            thread::spawn(|| {
                BEGIN.call_once(|| {
                    RUNS.fetch_add(1, Ordering::Relaxed); });
                let text = TEXT.get_or_init(|| String::from("made"));
                assert_eq!(text.len() as u32 + MADE.len() as u32, 7);
            })
        })
        .collect();
    threads.into_iter().for_each(|one| one.join().unwrap());
    assert_eq!(RUNS.load(Ordering::Relaxed), 1);
    println!("{} {}", TEXT.get().unwrap(), MADE.iter().sum::<u32>());
}
