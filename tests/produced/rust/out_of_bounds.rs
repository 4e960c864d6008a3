// An element behind the last one, by a pointer that knows no length.
fn third(values: &[u64]) -> u64 {
    unsafe { *values.as_ptr().add(3) } // EXPECT: heap-buffer-overflow
}

fn main() {
    let values: Vec<u64> = (1..=3).collect();
    println!("{}", third(&values));
}
