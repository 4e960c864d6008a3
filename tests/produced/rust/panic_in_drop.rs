// A panic while another one unwinds ends the program by abort.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        panic!("in drop");
    }
}

fn main() { // EXPECT: ABRT
    let _guard = Guard;
    panic!("first");
}
