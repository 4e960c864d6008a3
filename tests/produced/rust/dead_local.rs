// A pointer to a local of a function that has returned.
#[inline(never)]
fn local() -> *const u32 {
    let mut value = 11u32;
    let place: *mut u32 = &mut value;
    std::hint::black_box(place);
    place
}

fn main() {
    let place = local();
    println!("{}", unsafe { *place }); // EXPECT: stack-use-after-return, stack-use-after-scope
}
