// The main thread panics: nothing catches it, and the program ends with 101.
fn pick(values: &[u32], at: usize) -> u32 {
    values[at] // EXPECT: panic
}

fn main() {
    let values = vec![1, 2, 3];
    println!("{}", pick(&values, values.len()));
}
