// Channels with and without a bound.
// STDOUT: 45 30
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

fn main() {
    let (send, receive) = channel();
    let senders: Vec<_> = (0..10u64)
        .map(|number| {
            let send = send.clone();
            thread::spawn(move || send.send(Box::new(number)).unwrap())
        })
        .collect();
    drop(send);
    let sum: u64 = receive.iter().map(|one| *one).sum();
    senders.into_iter().for_each(|one| one.join().unwrap());
    let (put, take) = sync_channel(2);
    let maker = thread::spawn(move || (0..5).for_each(|at| put.send(at * 3).unwrap()));
    let other: i32 = take.iter().sum();
    maker.join().unwrap();
    println!("{sum} {other}");
}
