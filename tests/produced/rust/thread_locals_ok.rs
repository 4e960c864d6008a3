// Thread-locals with destructors, which run when their thread ends.
// STDOUT: 3 dropped
use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static DROPPED: AtomicU32 = AtomicU32::new(0);

struct Notes(Vec<u32>);

impl Drop for Notes {
    fn drop(&mut self) {
        assert_eq!(self.0.len(), 5);
        DROPPED.fetch_add(1, Ordering::SeqCst);
    }
}

thread_local! {
    static NOTES: RefCell<Notes> = RefCell::new(Notes(Vec::new()));
}

fn main() {
    let threads: Vec<_> = (0..3)
        .map(|at| {
            thread::spawn(move || {
                (0..5).for_each(|one| NOTES.with_borrow_mut(|notes| notes.0.push(at * one)))
            })
        })
        .collect();
    threads.into_iter().for_each(|one| one.join().unwrap());
    println!("{} dropped", DROPPED.load(Ordering::SeqCst));
}
