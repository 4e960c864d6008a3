// Many readers, one writer.
// STDOUT: 10
use std::collections::HashMap;
use std::sync::RwLock;
use std::thread;

fn main() {
    let table = RwLock::new(HashMap::new());
    thread::scope(|scope| {
        scope.spawn(|| (0..10).for_each(|at| drop(table.write().unwrap().insert(at, at.to_string()))));
        for _ in 0..3 {
            scope.spawn(|| {
                for at in 0..10 {
                    if let Some(text) = table.read().unwrap().get(&at) {
                        assert_eq!(text.parse::<i32>().unwrap(), at);
                    }
                }
            });
        }
    });
    println!("{}", table.read().unwrap().len());
}
