//! A small crate of ours, compiled by the tests to see that its IR is read.
use std::collections::BTreeMap;
use std::sync::atomic::{fence, AtomicBool, AtomicI8, AtomicU64, Ordering};
use std::sync::{mpsc, Arc, Mutex};

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Circle(f64),
    Rectangle { width: f32, height: f32 },
    Nothing,
}

pub trait Area {
    fn area(&self) -> f64;
}

impl Area for Shape {
    fn area(&self) -> f64 {
        match self {
            Shape::Circle(radius) => 3.25 * radius * radius,
            Shape::Rectangle { width, height } => f64::from(*width * *height),
            Shape::Nothing => 0.0,
        }
    }
}

pub fn total(shapes: &[Box<dyn Area>]) -> f64 {
    shapes.iter().map(|shape| shape.area()).sum()
}

pub static TURN: AtomicU64 = AtomicU64::new(3);

thread_local! {
    static SEEN: std::cell::Cell<u8> = const { std::cell::Cell::new(7) };
}

pub fn count() -> usize {
    let sum = Arc::new(Mutex::new(0));
    let mut threads = Vec::new();
    for number in 0..4 {
        let sum = Arc::clone(&sum);
        threads.push(std::thread::spawn(move || {
            *sum.lock().unwrap() += number;
            TURN.fetch_add(1, Ordering::AcqRel);
        }));
    }
    for thread in threads {
        thread.join().unwrap();
    }
    fence(Ordering::SeqCst);
    SEEN.with(|seen| seen.set(seen.get() + 1));
    let sum = sum.lock().unwrap();
    *sum
}

pub fn wide() -> i128 {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(5i128 << 90).unwrap());
    receiver.recv().unwrap()
}

pub fn places(text: &str) -> BTreeMap<char, Vec<usize>> {
    let mut places: BTreeMap<char, Vec<usize>> = BTreeMap::new();
    for (place, c) in text.chars().enumerate() {
        places.entry(c).or_default().push(place);
    }
    places
}

pub fn take(lock: &AtomicBool, most: &AtomicI8, last: &AtomicU64) -> u64 {
    while lock.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {}
    most.fetch_max(3, Ordering::Relaxed);
    last.swap(9, Ordering::SeqCst)
}

pub fn sum(bytes: &[u8]) -> u32 {
    bytes.iter().map(|&byte| u32::from(byte)).sum()
}
