// RUN: -O0
// Two boxes that own one block.
fn main() {
    let block = Box::into_raw(Box::new(5u32));
    let one = unsafe { Box::from_raw(block) };
    let two = unsafe { Box::from_raw(block) };
    drop(one);
    drop(two); // EXPECT: double-free, heap-use-after-free
}
