// Threads that meet at a barrier, and read what the others have written before.
// STDOUT: 24
use std::cell::UnsafeCell;
use std::sync::Barrier;
use std::thread;

struct Slots([UnsafeCell<u32>; 4]);
unsafe impl Sync for Slots {}

fn main() {
    let slots = Slots(std::array::from_fn(|_| UnsafeCell::new(0)));
    let barrier = Barrier::new(4);
    let total: u32 = thread::scope(|scope| {
        let (slots, barrier) = (&slots, &barrier);
        let parts: Vec<_> = (0..4usize)
            .map(|at| {
                scope.spawn(move || {
                    unsafe { *slots.0[at].get() = at as u32 }
                    barrier.wait();
                    slots.0.iter().map(|one| unsafe { *one.get() }).sum::<u32>()
                })
            })
            .collect();
        parts.into_iter().map(|one| one.join().unwrap()).sum()
    });
    println!("{total}");
}
