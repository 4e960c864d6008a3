// Panics that are caught, and those of a thread that is joined, are no findings.
// STDOUT: caught no good, joined 7
use std::panic;
use std::thread;

struct Guard<'a>(&'a mut u32);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        *self.0 += 7;
    }
}

fn main() {
    let quiet = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let text = panic::catch_unwind(|| -> u32 { panic!("no good") }).unwrap_err();
    let text = *text.downcast::<&str>().unwrap();
    let joined = thread::spawn(|| {
        let mut count = 0;
        let held = panic::catch_unwind(panic::AssertUnwindSafe(|| {
            let _guard = Guard(&mut count);
            let empty: Vec<u32> = Vec::new();
            empty[3]
        }));
        assert!(held.is_err());
        if count == 7 {
            panic::resume_unwind(Box::new(count));
        }
    })
    .join()
    .unwrap_err();
    panic::set_hook(quiet);
    println!("caught {text}, joined {}", joined.downcast::<u32>().unwrap());
}
