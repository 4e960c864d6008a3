// STDOUT: hello 42
use std::thread;

fn main() {
    let other = thread::spawn(|| 41);
    println!("hello {}", other.join().unwrap() + 1);
}
