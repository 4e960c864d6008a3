// A spinlock of acquire and release, fences, and Arc's own counting.
// STDOUT: 80 true
use std::cell::UnsafeCell;
use std::sync::atomic::{fence, AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::thread;

struct Spin {
    taken: AtomicBool,
    value: UnsafeCell<u32>,
    ended: AtomicUsize,
}
unsafe impl Sync for Spin {}

impl Spin {
    fn add(&self) {
        while self.taken.swap(true, Ordering::Acquire) {
            thread::yield_now();
        }
        unsafe { *self.value.get() += 1 }
        self.taken.store(false, Ordering::Release);
    }
}

fn main() {
    let spin = Arc::new(Spin {
        taken: AtomicBool::new(false),
        value: UnsafeCell::new(0),
        ended: AtomicUsize::new(0),
    });
    let weak: Weak<Spin> = Arc::downgrade(&spin);
    for _ in 0..4 {
        let spin = spin.clone();
        thread::spawn(move || {
            (0..20).for_each(|_| spin.add());
            fence(Ordering::Release);
            spin.ended.fetch_add(1, Ordering::Relaxed);
        });
    }
    while spin.ended.load(Ordering::Relaxed) < 4 {
        thread::yield_now();
    }
    fence(Ordering::Acquire);
    let value = unsafe { *spin.value.get() };
    println!("{} {}", value, weak.upgrade().is_some());
}
