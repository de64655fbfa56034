//! Random runs, for errors that are far from the start: a plan tries some of them where a
//! search level by level has not come to an end.
//!
//! Runs are scheduled as in PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte,
//! "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010):
//! every thread has a random priority, the first that can step does, and at a few random
//! moments whoever is first becomes last. So an error that needs few such changes is met
//! with a probability that does not fall with the number of interleavings. A thread that
//! has stepped very often in a row gives way too, since it may wait for another one.
//!
//! Sound for: errors. Each run is one of the program, and is replayed like any other.
//! That nothing was found says nothing. The same program has the same runs every time.

use model::{
    Limits, Outcome, StepRef, Steps, Store, ThreadProgram, ThreadStep, ThreadTrace, Trace, Variant,
    Verdict, Violation,
};

/// Runs that are tried.
const N_RUNS: u64 = 400;

/// Steps of a run, at most.
const MAX_STEPS: usize = 4000;

/// Looks at what a thread can do, in all runs, at most.
const MAX_LOOKS: usize = 60_000;

/// Steps that a thread makes in a row, at most.
const MAX_IN_A_ROW: u32 = 60;

/// Among so many first steps whoever is first becomes last.
const SPREAD: u64 = 64;

/// Threads of a run, at most.
const MAX_THREADS: usize = 256;

/// Tries random runs of a program that starts with one thread; `None` if no error was met.
pub fn check(program: &dyn ThreadProgram, limits: &Limits) -> Option<Outcome> {
    let (trace, n_runs) = error_of_some_run(program, limits)?;
    let note = "found by a random run, after the search had met many states: there may be \
                shorter ones";
    Some(Outcome {
        verdict: Verdict::Violated(Trace::Threads(trace)),
        engine: "explicit".to_owned(),
        statistics: vec![("random runs".to_owned(), n_runs)],
        notes: vec![note.to_owned()],
    })
}

/// Looks for an error in random runs of a program that starts with one thread; tells in
/// how many it was found.
fn error_of_some_run(program: &dyn ThreadProgram, limits: &Limits) -> Option<(ThreadTrace, u64)> {
    let mut n_looks = 0;
    for seed in 0..N_RUNS {
        if limits.check().is_err() || n_looks >= MAX_LOOKS {
            return None;
        }
        let mut run = RandomRun::new(program, seed)?;
        let violation = run.run_on(limits);
        n_looks += run.n_looks;
        if let Some(violation) = violation {
            return Some((run.told(violation)?, seed + 1));
        }
    }
    None
}

/// Numbers that look random (xorshift).
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 8
    }

    fn below(&mut self, n: u64) -> u64 {
        self.roll() % n.max(1)
    }
}

struct Thread {
    /// `None` when it has ended.
    local: Option<Store>,
    /// The highest goes first.
    priority: u64,
}

struct RandomRun<'a> {
    program: &'a dyn ThreadProgram,
    dice: Dice,
    first: (Store, Store),
    shared: Store,
    threads: Vec<Thread>,
    /// Steps after which whoever is first becomes last.
    changes: Vec<usize>,
    /// Who stepped last, and how often in a row.
    last: (usize, u32),
    /// Below all priorities so far.
    lowest: u64,
    /// Who stepped, and which of its steps it took.
    taken: Vec<(usize, usize)>,
    /// How often it was asked what a thread can do.
    n_looks: usize,
}

impl<'a> RandomRun<'a> {
    fn new(program: &'a dyn ThreadProgram, seed: u64) -> Option<RandomRun<'a>> {
        let mut dice = Dice::new(seed);
        let shared = program.initial_shared().into_iter().next()?;
        let [template] = program.templates() else { return None };
        let local = template.initial.first()?.clone();
        let n_changes = seed % 4;
        let changes = (0..n_changes).map(|_| dice.below(SPREAD) as usize).collect();
        let mut run = RandomRun {
            program,
            dice,
            first: (shared.clone(), local.clone()),
            shared,
            threads: Vec::new(),
            changes,
            last: (0, 0),
            lowest: 1 << 32,
            taken: Vec::new(),
            n_looks: 0,
        };
        run.add(local);
        Some(run)
    }

    fn add(&mut self, local: Store) {
        let priority = (1 << 33) + self.dice.below(1 << 40);
        self.threads.push(Thread { local: Some(local), priority });
    }

    /// Runs until it is over; what is wrong then?
    fn run_on(&mut self, limits: &Limits) -> Option<Violation> {
        let mut steps = Steps::new();
        while self.taken.len() < MAX_STEPS && self.threads.len() < MAX_THREADS {
            if limits.check().is_err() {
                return None;
            }
            let Some(mover) = self.next_mover(&mut steps) else {
                return self.is_deadlock().then_some(Violation::Deadlock);
            };
            let wrong = steps.iter().position(|step| step.violation().is_some());
            let n = steps.iter().count() as u64;
            let choice = wrong.unwrap_or_else(|| self.dice.below(n) as usize);
            let step = steps.iter().nth(choice)?;
            self.taken.push((mover, choice));
            if let Some(error) = step.violation() {
                return Some(Violation::Step(error.owned()));
            }
            self.take(mover, &step);
        }
        None
    }

    /// The first thread that can step, with its steps.
    fn next_mover(&mut self, steps: &mut Steps) -> Option<usize> {
        let (last, n_in_a_row) = self.last;
        if self.changes.contains(&self.taken.len()) || n_in_a_row >= MAX_IN_A_ROW {
            self.lowest -= 1;
            self.threads[last].priority = self.lowest;
            self.last.1 = 0;
        }
        let mut order: Vec<usize> = (0..self.threads.len()).collect();
        order.sort_unstable_by_key(|&idx| std::cmp::Reverse(self.threads[idx].priority));
        for idx in order {
            let Some(local) = &self.threads[idx].local else { continue };
            self.n_looks += 1;
            steps.clear();
            self.program.steps(self.shared.bytes(), local.bytes(), steps);
            if !steps.is_empty() {
                return Some(idx);
            }
        }
        None
    }

    fn take(&mut self, mover: usize, step: &StepRef<'_>) {
        self.last = if self.last.0 == mover { (mover, self.last.1 + 1) } else { (mover, 1) };
        self.shared = Store::new(step.shared());
        self.threads[mover].local = step.local().map(Store::new);
        step.spawned().for_each(|local| self.add(Store::new(local)));
    }

    fn is_deadlock(&self) -> bool {
        let requirements = self.program.requirements();
        let Some(blocking) = self.program.blocking().filter(|_| requirements.forbids_deadlock())
        else {
            return false;
        };
        let mut alive = self.threads.iter().filter_map(|thread| thread.local.as_ref()).peekable();
        let is_blocked =
            |local: &Store| blocking.blocked(self.shared.bytes(), local.bytes()).is_some();
        alive.peek().is_some() && alive.all(is_blocked)
    }

    /// The run as a trace: made again, step by step.
    fn told(self, violation: Violation) -> Option<ThreadTrace> {
        let (first_shared, first_local) = self.first;
        let (mut shared, mut locals) = (first_shared.clone(), vec![Some(first_local.clone())]);
        let mut told = Vec::new();
        let mut steps = Steps::new();
        for (mover, choice) in self.taken {
            steps.clear();
            self.program.steps(shared.bytes(), locals[mover].as_ref()?.bytes(), &mut steps);
            let step = steps.iter().nth(choice)?;
            let label = self.program.narrator().label(step.label());
            shared = Store::new(step.shared());
            locals[mover] = step.local().map(Store::new);
            let spawned: Vec<Store> = step.spawned().map(Store::new).collect();
            locals.extend(spawned.iter().cloned().map(Some));
            told.push(ThreadStep {
                thread: Some(mover as u32),
                label: label.text,
                span: label.span,
                shared: shared.clone(),
                local: locals[mover].clone(),
                spawned,
                passive: Vec::new(),
            });
        }
        let (threads, templates) = (vec![first_local], vec![0]);
        Some(ThreadTrace {
            variant: Variant::AS_WRITTEN,
            shared: first_shared,
            threads,
            templates,
            bystanders: Vec::new(),
            steps: told,
            violation,
        })
    }
}
