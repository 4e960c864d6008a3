// A count that is not atomic, shared by threads: std's own code races.
use std::rc::Rc;
use std::thread;

struct Shared(Rc<u32>);
unsafe impl Send for Shared {}

impl Shared {
    fn look(&self) -> u32 {
        let mut total = 0;
        for _ in 0..20 {
            total += *self.0.clone(); // EXPECT: data race
        }
        total
    }
}

fn main() {
    let one = Shared(Rc::new(3));
    let two = Shared(one.0.clone());
    let other = thread::spawn(move || {
        let two = two;
        two.look()
    });
    println!("{}", one.look() + other.join().unwrap());
}
