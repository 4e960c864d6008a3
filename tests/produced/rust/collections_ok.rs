// RUN: --sanitize all
// Collections, strings and sorting: all of it is std's own code.
// STDOUT: 8 the a 17 [1, 2, 3, 5, 8]
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

fn main() {
    let text = "the quick brown fox jumps over the lazy dog the end";
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    let (most, _) = counts.iter().max_by_key(|one| *one.1).unwrap();
    let letters: BTreeMap<char, usize> =
        text.chars().filter(|one| one.is_alphabetic()).map(|one| (one, 1)).collect();
    let unique: HashSet<usize> = text.split(' ').map(str::len).collect();
    let mut numbers = vec![5, 3, 8, 1, 2];
    numbers.sort_unstable();
    let heap: BinaryHeap<u32> = numbers.iter().copied().collect();
    let first = letters.keys().next().unwrap();
    let sum = unique.len() as u32 + heap.peek().unwrap() + letters.len() as u32 / 4;
    println!("{} {} {} {} {:?}", counts.len() - 1, most, first, sum, numbers);
}
