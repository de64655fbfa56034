//! The textbook way to tell what happens before what, with clocks that count for ever:
//! random runs must have the same races in both.

use super::*;

const N_THREADS: usize = 3;
/// Objects 0 and 1 are variables, 2 and 3 atomics; all can be accessed either way.
const N_OBJECTS: u64 = 4;
const N_RUNS: u64 = 20_000;
const N_STEPS: usize = 14;

type Clock = [u32; N_THREADS];

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
    object: u32,
    is_write: bool,
    is_atomic: bool,
}

/// What a thread knows, would know at an acquire fence, and released by its last fence.
#[derive(Clone, Copy, Default)]
struct Mind {
    now: Clock,
    pending: Clock,
    fenced: Clock,
}

#[derive(Default)]
struct Clocks {
    minds: [Mind; N_THREADS],
    /// Of each object: the clocks of release sequences, with their heads.
    released: [Vec<(usize, Clock)>; N_OBJECTS as usize],
    past: Vec<Past>,
}

fn join(into: &mut Clock, from: &Clock) {
    into.iter_mut().zip(from).for_each(|(old, new)| *old = (*old).max(*new));
}

impl Clocks {
    /// Does the access race with an earlier one?
    fn access(&mut self, me: usize, touch: Touch, strength: Strength) -> bool {
        self.minds[me].now[me] += 1;
        let released = &mut self.released[touch.object as usize];
        let mind = &mut self.minds[me];
        if touch.is_atomic && strength.reads {
            for (_, clock) in released.iter() {
                join(
                    if strength.order.acquires { &mut mind.now } else { &mut mind.pending },
                    clock,
                );
            }
        }
        let races = self.past.iter().any(|past| {
            past.object == touch.object
                && (past.is_write || touch.is_write)
                && !(past.is_atomic && touch.is_atomic)
                && mind.now[past.thread] < past.time
        });
        if touch.is_atomic && touch.is_write {
            if !strength.reads {
                released.retain(|(head, _)| *head == me);
            }
            let clock = if strength.order.releases { mind.now } else { mind.fenced };
            released.push((me, clock));
        }
        let Touch { object, is_write, is_atomic, .. } = touch;
        self.past.push(Past { thread: me, time: mind.now[me], object, is_write, is_atomic });
        races
    }

    fn fence(&mut self, me: usize, order: Order) {
        let mind = &mut self.minds[me];
        if order.acquires {
            let pending = mind.pending;
            join(&mut mind.now, &pending);
        }
        if order.releases {
            mind.fenced = mind.now;
        }
    }
}

fn some_order(dice: &mut Dice) -> Order {
    let [acquires, releases] = [dice.below(2) == 0, dice.below(2) == 0];
    Order { acquires, releases, is_total: false }
}

/// Runs both on the same random accesses until one of them sees a race; was there one?
fn run(seed: u64) -> bool {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (mut clocks, mut events) = (Clocks::default(), Vec::new());
    let threads: Vec<u32> = (0..N_THREADS as u32).collect();
    for step in 0..N_STEPS {
        let me = dice.below(N_THREADS as u64) as usize;
        let order = some_order(&mut dice);
        if dice.below(5) == 0 {
            clocks.fence(me, order);
            fence(&mut events, me as u32, order);
            continue;
        }
        let object = dice.below(N_OBJECTS) as u32;
        let is_atomic = (object >= 2) != (dice.below(20) == 0);
        let (is_write, is_update) = (dice.below(2) == 0, dice.below(3) == 0);
        let touch = Touch { object, at: 0, len: 4, is_write, is_atomic };
        let strength = Strength { order, reads: !is_write || is_update };
        let expected = clocks.access(me, touch, strength);
        let found = access(&mut events, me as u32, (touch, strength), 0).is_some();
        assert_eq!(found, expected, "seed {seed}, step {step}: {touch:?} {strength:?}");
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
