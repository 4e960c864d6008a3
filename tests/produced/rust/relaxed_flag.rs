// A flag that is stored relaxed orders nothing.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread;

struct Mail {
    text: UnsafeCell<u32>,
    is_there: AtomicBool,
}
unsafe impl Sync for Mail {}

fn main() {
    let mail = Arc::new(Mail { text: UnsafeCell::new(0), is_there: AtomicBool::new(false) });
    let sent = mail.clone();
    let other = thread::spawn(move || {
        unsafe { *sent.text.get() = 42 }
        sent.is_there.store(true, Ordering::Relaxed);
    });
    while !mail.is_there.load(Ordering::Relaxed) {
        thread::yield_now();
    }
    let text = unsafe { *mail.text.get() }; // EXPECT: data race
    other.join().unwrap();
    println!("{text}");
}
