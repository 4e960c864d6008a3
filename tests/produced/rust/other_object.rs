// RUN: -O0 --sanitize provenance
// The distance of two blocks is added to a pointer: the right address, another object.
fn main() {
    let one = Box::into_raw(Box::new([1u8; 64]));
    let two = Box::into_raw(Box::new([2u8; 64]));
    let distance = (two as usize).wrapping_sub(one as usize);
    let reached = unsafe { *(one as *mut u8).wrapping_add(distance) }; // EXPECT: access-outside-provenance
    println!("{} {}", reached, unsafe { (*two)[0] });
    unsafe {
        drop(Box::from_raw(one));
        drop(Box::from_raw(two));
    }
}
