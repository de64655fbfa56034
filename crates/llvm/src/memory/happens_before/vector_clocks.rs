//! The textbook algorithm, with vector clocks that count for ever: random executions must
//! have the same races in both. To the textbook an object that only one thread knows is one
//! like others.

use super::*;

const N_THREADS: usize = 3;
/// Objects 0 and 1 are variables, 2 and 3 atomics; all can be accessed either way. The rest
/// is known to one thread each, until that publishes it.
const N_OBJECTS: usize = 6;
const FIRST_PRIVATE: usize = 4;
const N_RUNS: u64 = 20_000;
const N_STEPS: usize = 16;

type VectorClock = [u32; N_THREADS];

/// A small generator of numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}

/// An access that has happened: who, when by its own clock, and how.
struct Past {
    thread: usize,
    time: u32,
    object: usize,
    is_write: bool,
    is_atomic: bool,
}

/// What a thread knows, would know at an acquire fence, and released by its last fence.
#[derive(Clone, Copy, Default)]
struct ThreadClocks {
    now: VectorClock,
    pending: VectorClock,
    fenced: VectorClock,
}

#[derive(Default)]
struct Textbook {
    threads: [ThreadClocks; N_THREADS],
    /// Of each object: the clocks of release sequences, with their heads.
    released: [Vec<(usize, VectorClock)>; N_OBJECTS],
    past: Vec<Past>,
}

fn join_into(into: &mut VectorClock, from: &VectorClock) {
    into.iter_mut().zip(from).for_each(|(old, new)| *old = (*old).max(*new));
}

impl Textbook {
    /// Does the access race with an earlier one?
    fn access(&mut self, me: usize, object: usize, touch: &Touch) -> bool {
        let how = touch.how;
        self.threads[me].now[me] += 1;
        let released = &mut self.released[object];
        let clocks = &mut self.threads[me];
        if touch.is_atomic && how.reads {
            for (_, clock) in released.iter() {
                join_into(
                    if how.order.acquires { &mut clocks.now } else { &mut clocks.pending },
                    clock,
                );
            }
        }
        let races = self.past.iter().any(|past| {
            past.object == object
                && (past.is_write || touch.is_write)
                && !(past.is_atomic && touch.is_atomic)
                && clocks.now[past.thread] < past.time
        });
        if touch.is_atomic && touch.is_write {
            if !how.reads {
                released.retain(|(head, _)| *head == me);
            }
            let clock = if how.order.releases { clocks.now } else { clocks.fenced };
            released.push((me, clock));
        }
        let Touch { is_write, is_atomic, .. } = *touch;
        self.past.push(Past { thread: me, time: clocks.now[me], object, is_write, is_atomic });
        races
    }

    fn fence(&mut self, me: usize, order: MemoryOrder) {
        let clocks = &mut self.threads[me];
        if order.acquires {
            let pending = clocks.pending;
            join_into(&mut clocks.now, &pending);
        }
        if order.releases {
            clocks.fenced = clocks.now;
        }
    }
}

fn some_order(dice: &mut Dice) -> MemoryOrder {
    let [acquires, releases] = [dice.below(2) == 0, dice.below(2) == 0];
    MemoryOrder { acquires, releases, is_seq_cst: false }
}

/// Objects with the names that events have for them.
struct Names([Subject; N_OBJECTS]);

impl Names {
    fn new() -> Names {
        Names(std::array::from_fn(|idx| match idx.checked_sub(FIRST_PRIVATE) {
            None => Subject::Shared(idx as u32),
            Some(owner) => Subject::Private(identity(owner), 0),
        }))
    }

    /// An object that a thread knows.
    fn some(&self, me: usize, dice: &mut Dice) -> usize {
        let is_known = |idx: &usize| match self.0[*idx] {
            Subject::Shared(_) => true,
            Subject::Private(owner, _) => owner == identity(me),
        };
        let known: Vec<usize> = (0..N_OBJECTS).filter(is_known).collect();
        known[dice.below(known.len() as u64) as usize]
    }

    /// A thread publishes what it has to itself.
    fn publish(&mut self, events: &mut Vec<Event>, me: usize) {
        let shared = (0u32..).zip(&mut self.0);
        for (number, name) in shared.filter(|(_, name)| **name == Subject::Private(identity(me), 0))
        {
            publish(events, *name, number);
            *name = Subject::Shared(number);
        }
    }
}

fn identity(thread: usize) -> ThreadIdentity {
    ThreadIdentity::of_object(thread as u32)
}

/// Runs both on the same random accesses until one of them sees a race; was there one?
fn run(seed: u64) -> bool {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (mut textbook, mut events, mut names) = (Textbook::default(), Vec::new(), Names::new());
    let threads: Vec<ThreadIdentity> = (0..N_THREADS).map(identity).collect();
    for step in 0..N_STEPS {
        let me = dice.below(N_THREADS as u64) as usize;
        let order = some_order(&mut dice);
        match dice.below(10) {
            0 | 1 => {
                textbook.fence(me, order);
                fence(&mut events, identity(me), order);
                continue;
            }
            2 => {
                names.publish(&mut events, me);
                continue;
            }
            _ => {}
        }
        let object = names.some(me, &mut dice);
        let is_atomic = matches!(object, 2 | 3) != (dice.below(20) == 0);
        let (is_write, is_update) = (dice.below(2) == 0, dice.below(3) == 0);
        let how = AccessOrder { order, reads: !is_write || is_update };
        let region = Region { object: names.0[object], at: 0, len: 4 };
        let touch = Touch { region, is_write, is_atomic, how };
        let expected = textbook.access(me, object, &touch);
        let found = access(&mut events, identity(me), &touch, 0).is_some();
        assert_eq!(found, expected, "seed {seed}, step {step}: {touch:?}");
        tidy(&mut events, &threads);
        if expected {
            return true;
        }
    }
    false
}

#[test]
fn events_and_clocks_see_the_same_races() {
    let n_races = (0..N_RUNS).filter(|&seed| run(seed)).count() as u64;
    assert!(n_races > N_RUNS / 10 && n_races < N_RUNS, "{n_races} of {N_RUNS} runs race");
}
