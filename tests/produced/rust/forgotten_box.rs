// RUN: -O0
// Memory that nothing points to any more.
fn lose() {
    let lost = Box::new([7u8; 100]); // EXPECT: direct-leak
    std::mem::forget(lost);
}

fn main() {
    lose();
    println!("done");
}
