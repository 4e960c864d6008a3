// A queue behind a mutex and a condition variable.
// STDOUT: 4950
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

fn main() {
    let queue = Arc::new((Mutex::new(VecDeque::new()), Condvar::new()));
    let makers: Vec<_> = (0..4u32)
        .map(|number| {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                for at in 0..25 {
                    queue.0.lock().unwrap().push_back(number * 25 + at);
                    queue.1.notify_one();
                }
            })
        })
        .collect();
    let mut total = 0;
    for _ in 0..100 {
        let mut held = queue.0.lock().unwrap();
        while held.is_empty() {
            held = queue.1.wait(held).unwrap();
        }
        total += held.pop_front().unwrap();
    }
    makers.into_iter().for_each(|one| one.join().unwrap());
    println!("{total}");
}
