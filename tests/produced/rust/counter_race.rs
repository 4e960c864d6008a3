// A counter that two threads add to without any order.
use std::thread;

static mut COUNTER: u64 = 0;

fn add() {
    for _ in 0..100 {
        unsafe { COUNTER += 1 } // EXPECT: data race
    }
}

fn main() {
    let other = thread::spawn(add);
    add();
    other.join().unwrap();
    println!("done");
}
