// Threads that are parked, sleep, and are woken.
// STDOUT: 3
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

fn main() {
    let count = Arc::new(AtomicU32::new(0));
    let started = Instant::now();
    let threads: Vec<_> = (0..3)
        .map(|at| {
            let count = count.clone();
            thread::Builder::new()
                .name(format!("sleeper {at}"))
                .spawn(move || {
                    thread::park();
                    thread::sleep(Duration::from_secs(at));
                    count.fetch_add(1, Ordering::SeqCst);
                })
                .unwrap()
        })
        .collect();
    for one in &threads {
        one.thread().unpark();
    }
    threads.into_iter().for_each(|one| one.join().unwrap());
    assert!(started.elapsed() >= Duration::from_secs(2));
    println!("{}", count.load(Ordering::SeqCst));
}
