//! Lends threads to one piece of work after another, so that a search which needs
//! them every few microseconds does not start them each time.
//!
//! A [`Crew`] has no threads until they are wanted first. Between two pieces of
//! work they look out for the next one for a short while, then sleep. Whoever is
//! still asleep when the caller has finished its own share is not waited for: work
//! must be such that those who take part do all of it, for instance because each
//! takes the next item from a shared counter until none is left.
//!
//! The gate is one number: who is inside in its low bits, whether it is open, and
//! how often it was opened. A thread enters by counting itself in, which fails
//! unless the gate is open at that moment. The caller closes it, waits until
//! nobody is inside, and only then comes back. So nobody ever runs work that its
//! owner thinks is over, which is what the unsafe code here relies on.
#![allow(unsafe_code)] // Threads that live longer than the work they are lent to.

use std::any::Any;
use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, Thread};

/// Looks at the gate before a thread goes to sleep: about half a millisecond. The
/// levels of a search follow each other faster than that, and to wake a thread can cost
/// far more than the call: it may be put on the core of the one that wakes it.
const LOOKS_BEFORE_SLEEP: u32 = 20_000;

/// Threads inside the gate.
const INSIDE: u64 = (1 << 16) - 1;

/// The gate is open.
const OPEN: u64 = 1 << 16;

/// The lowest bit of the number of times that the gate was opened.
const TURN: u64 = 1 << 17;

/// The calling thread and up to `n_threads - 1` others.
pub struct Crew {
    n_threads: usize,
    shared: Arc<CrewState>,
    others: Vec<JoinHandle<()>>,
}

/// Work without its lifetime: valid while a thread is inside the gate.
type CrewWork = *const (dyn Fn(usize) + Sync);

/// Alone on its cache lines: threads that look out for work read it all the time.
#[repr(align(128))]
struct CrewState {
    gate: AtomicU64,
    is_dismissed: AtomicBool,
    /// Written by the caller while nobody is inside, read by those inside.
    work: UnsafeCell<Option<CrewWork>>,
    /// Who waits for the last one to leave.
    caller: Mutex<Option<Thread>>,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: `work` is written only while nobody is inside the gate and read only
// inside; what it points to is `Sync`. Everything else is made for sharing.
unsafe impl Sync for CrewState {}
// SAFETY: as above; the work it points to may be run by any thread.
unsafe impl Send for CrewState {}

impl Crew {
    /// A crew of `n_threads`, the caller among them; none is started yet.
    pub fn new(n_threads: usize) -> Crew {
        let shared = CrewState {
            gate: AtomicU64::new(0),
            is_dismissed: AtomicBool::new(false),
            work: UnsafeCell::new(None),
            caller: Mutex::new(None),
            panic: Mutex::new(None),
        };
        let n_threads = n_threads.clamp(1, INSIDE as usize);
        Crew { n_threads, shared: Arc::new(shared), others: Vec::new() }
    }

    /// Number of threads that may take part, the caller among them.
    pub fn n_threads(&self) -> usize {
        self.n_threads
    }

    /// Calls `work(0)` here, and at the same time `work(1)`, `work(2)` and so on,
    /// each at most once, on those others that are awake in time. All calls have
    /// ended when this one does.
    ///
    /// # Panics
    /// If one of the calls does.
    pub fn together(&mut self, work: &(dyn Fn(usize) + Sync)) {
        self.hire();
        let open = self.shared.open(work);
        self.others.iter().for_each(|other| other.thread().unpark());
        work(0);
        drop(open);
        if let Some(panic) = locked(&self.shared.panic).take() {
            resume_unwind(panic);
        }
    }

    /// Starts the threads, at the first call. Where the system gives fewer than
    /// wanted, these have to do.
    fn hire(&mut self) {
        while self.others.len() + 1 < self.n_threads {
            let (shared, number) = (Arc::clone(&self.shared), self.others.len() + 1);
            let named = thread::Builder::new().name(format!("crew {number}"));
            match named.spawn(move || shared.serve(number)) {
                Ok(other) => self.others.push(other),
                Err(_) => self.n_threads = self.others.len() + 1,
            }
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.shared.is_dismissed.store(true, Ordering::Release);
        for other in self.others.drain(..) {
            other.thread().unpark();
            // It catches the panics of its work, which were passed on already.
            let _ = other.join();
        }
    }
}

/// The gate while it is open; dropping closes it, also when the caller panics.
struct Open<'s>(&'s CrewState);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let gate = &self.0.gate;
        let mut inside = gate.fetch_and(!OPEN, Ordering::Acquire) & INSIDE;
        let mut n_looks = 0;
        while inside != 0 {
            wait(&mut n_looks);
            inside = gate.load(Ordering::Acquire) & INSIDE;
        }
        // SAFETY: the gate is closed and nobody is inside.
        unsafe { *self.0.work.get() = None };
    }
}

impl CrewState {
    /// Opens the gate to `work`. The caller holds the only crew of this gate, so
    /// that it is closed.
    fn open(&self, work: &(dyn Fn(usize) + Sync)) -> Open<'_> {
        // SAFETY: changes nothing but a lifetime. The pointer is used only by
        // threads inside the gate, and `Open` waits for these while `work` lives.
        let work =
            unsafe { std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), CrewWork>(work) };
        // SAFETY: the gate is closed and nobody is inside.
        unsafe { *self.work.get() = Some(work) };
        *locked(&self.caller) = Some(thread::current());
        let turn = self.gate.load(Ordering::Relaxed) & !(INSIDE | OPEN);
        self.gate.store(turn.wrapping_add(TURN) | OPEN, Ordering::Release);
        Open(self)
    }

    /// The life of thread `number`.
    fn serve(&self, number: usize) {
        let mut turn = 0;
        while let Some(entered) = self.enter(turn) {
            turn = entered;
            // SAFETY: inside the gate nobody writes the work.
            let work = unsafe { *self.work.get() }.expect("an open gate has work behind it");
            // SAFETY: the caller waits for this thread to leave, and has borrowed
            // the work for that long.
            let run = AssertUnwindSafe(|| unsafe { (*work)(number) });
            if let Err(panic) = catch_unwind(run) {
                locked(&self.panic).get_or_insert(panic);
            }
            self.leave();
        }
    }

    /// Waits for a turn after `last` and enters; `None` when there will be none.
    fn enter(&self, last: u64) -> Option<u64> {
        let mut n_looks = 0;
        while !self.is_dismissed.load(Ordering::Acquire) {
            let gate = self.gate.load(Ordering::Relaxed);
            let turn = gate & !(INSIDE | OPEN);
            if gate & OPEN == 0 || turn == last {
                wait(&mut n_looks);
                continue;
            }
            let (done, failed) = (Ordering::Acquire, Ordering::Relaxed);
            if self.gate.compare_exchange_weak(gate, gate + 1, done, failed).is_ok() {
                return Some(turn);
            }
        }
        None
    }

    fn leave(&self) {
        let before = self.gate.fetch_sub(1, Ordering::Release);
        if before & (INSIDE | OPEN) == 1
            && let Some(caller) = &*locked(&self.caller)
        {
            caller.unpark();
        }
    }
}

/// One more look in vain: sleeps once there were many.
fn wait(n_looks: &mut u32) {
    if *n_looks < LOOKS_BEFORE_SLEEP {
        *n_looks += 1;
        std::hint::spin_loop();
    } else {
        thread::park();
    }
}

/// What a lock guards here stays whole when a thread panics.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
    use std::time::Duration;

    use super::Crew;

    #[test]
    fn every_item_of_many_pieces_of_work_is_done_once() {
        for n_threads in [1, 2, 5] {
            let mut crew = Crew::new(n_threads);
            for n_items in (0..200).chain([10_000]) {
                let (next, sum) = (AtomicUsize::new(0), AtomicU64::new(0));
                crew.together(&|_| {
                    loop {
                        let item = next.fetch_add(1, Ordering::Relaxed);
                        if item >= n_items {
                            return;
                        }
                        sum.fetch_add(item as u64, Ordering::Relaxed);
                    }
                });
                let n_items = n_items as u64;
                assert_eq!(sum.into_inner(), n_items * n_items.saturating_sub(1) / 2);
            }
        }
    }

    #[test]
    fn each_thread_takes_part_once_and_under_its_own_number() {
        let mut crew = Crew::new(4);
        for _ in 0..500 {
            let calls: [AtomicUsize; 4] = Default::default();
            crew.together(&|number| {
                calls[number].fetch_add(1, Ordering::Relaxed);
            });
            let calls = calls.map(AtomicUsize::into_inner);
            assert!(calls[0] == 1 && calls.iter().all(|&n_calls| n_calls <= 1), "{calls:?}");
        }
    }

    #[test]
    fn a_sleeping_thread_is_woken_and_waited_for() {
        let mut crew = Crew::new(2);
        for _ in 0..3 {
            let (is_here, is_done) = (AtomicUsize::new(0), AtomicUsize::new(0));
            crew.together(&|number| {
                if number == 1 {
                    is_here.store(1, Ordering::Release);
                    std::thread::sleep(Duration::from_millis(20));
                    is_done.store(1, Ordering::Relaxed);
                } else {
                    while is_here.load(Ordering::Acquire) == 0 {
                        std::thread::yield_now();
                    }
                }
            });
            assert_eq!(is_done.into_inner(), 1);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_panic_of_any_thread_reaches_the_caller_and_the_crew_goes_on() {
        let mut crew = Crew::new(2);
        for culprit in [0, 1] {
            let is_here = AtomicUsize::new(0);
            let together = catch_unwind(AssertUnwindSafe(|| {
                crew.together(&|number| {
                    is_here.fetch_add(1, Ordering::AcqRel);
                    while is_here.load(Ordering::Acquire) < 2 {
                        std::thread::yield_now();
                    }
                    assert_ne!(number, culprit, "on purpose");
                });
            }));
            assert!(together.is_err());
        }
        let n_calls = AtomicUsize::new(0);
        crew.together(&|_| {
            n_calls.fetch_add(1, Ordering::Relaxed);
        });
        assert!(n_calls.into_inner() >= 1);
    }
}
