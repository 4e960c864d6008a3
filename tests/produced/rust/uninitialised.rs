// RUN: -O0 --sanitize memory
// A value that was never written decides what is printed.
use std::mem::MaybeUninit;

fn main() {
    let place: Box<MaybeUninit<u32>> = Box::new(MaybeUninit::uninit());
    let value = unsafe { *place.as_ptr() };
    if value > 3 { // EXPECT: use-of-uninitialized-value
        println!("big");
    } else {
        println!("small");
    }
}
