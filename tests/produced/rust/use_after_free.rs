// A pointer into a vector outlives the vector.
fn sum(values: *const u32, n: usize) -> u32 {
    let mut total = 0;
    for at in 0..n {
        total += unsafe { *values.add(at) }; // EXPECT: heap-use-after-free
    }
    total
}

fn main() {
    let values = vec![1u32, 2, 3, 4];
    let first = values.as_ptr();
    drop(values);
    println!("{}", sum(first, 4));
}
