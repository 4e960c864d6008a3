// Two counted nodes that hold each other are never freed.
use std::cell::RefCell;
use std::rc::Rc;

struct Node {
    other: RefCell<Option<Rc<Node>>>,
}

fn tie() {
    let one = Rc::new(Node { other: RefCell::new(None) }); // EXPECT: direct-leak, indirect-leak
    let two = Rc::new(Node { other: RefCell::new(Some(one.clone())) }); // EXPECT: direct-leak, indirect-leak
    *one.other.borrow_mut() = Some(two);
}

fn main() {
    tie();
    println!("done");
}
