//! Which variable of a diagram says what: the order of variables.
//!
//! First the shared variables, then one thread after the other: its location in binary,
//! then its locals. Under one value of the shared variables threads hardly depend on each
//! other, and what is independent stands best one after the other: the diagram of a
//! product has the sum of the sizes. (With threads interleaved it can have their product.)
//! A variable that a step may change has its value after the step right below.
//!
//! Thread 0 is the one that steps. Its location is known wherever it steps, so that
//! variables for it are only used when all threads are looked at alike.
//! A thread that does not exist has a location of its own and all locals false.

use model::{Bit, BooleanFlow};

use super::diagram::Variable;

/// The order of variables for some threads of a flow.
#[derive(Clone, Debug)]
pub(super) struct VariableOrder {
    pub(super) n_threads: usize,
    n_locations: usize,
    n_location_bits: usize,
    /// The places of shared variables; last: is somebody at an atomic location?
    shared: Vec<Variable>,
    /// For each thread, the places of its location bits, the lowest first.
    locations: Vec<Vec<Variable>>,
    /// For each thread, the places of its locals.
    locals: Vec<Vec<Variable>>,
    /// For each thread, the places of the choices that it makes in a step.
    choices: Vec<Vec<Variable>>,
    /// Do the locals of all threads have values after a step?
    is_passive: bool,
    n_variables: u32,
}

impl VariableOrder {
    /// The order for `n_threads` threads.
    pub(super) fn new(flow: &BooleanFlow, n_threads: usize) -> VariableOrder {
        let is_passive = flow.edges.iter().any(|edge| !edge.passive.is_empty());
        let n_choices = flow.edges.iter().map(|edge| edge.n_choices).max().unwrap_or(0);
        let mut next = 0;
        let mut take = |step: u32| {
            next += step;
            next - step
        };
        let shared = (0..=flow.shared.len()).map(|_| take(2)).collect();
        let n_location_bits = (usize::BITS - flow.locations.len().leading_zeros()) as usize;
        let (mut locations, mut locals) = (Vec::new(), Vec::new());
        for thread in 0..n_threads {
            let mut bits: Vec<Variable> = (0..n_location_bits).map(|_| take(1)).collect();
            bits.reverse();
            locations.push(bits);
            let step = if thread == 0 || is_passive { 2 } else { 1 };
            locals.push((0..flow.locals.len()).map(|_| take(step)).collect());
        }
        // Only thread 0 steps; others choose what becomes of them, where they can.
        let n_choosing = if flow.lets_others_choose() { n_threads } else { 1 };
        let choices = (0..n_choosing).map(|_| (0..n_choices).map(|_| take(1)).collect()).collect();
        let n_locations = flow.locations.len();
        VariableOrder {
            n_threads,
            n_locations,
            n_location_bits,
            shared,
            locations,
            locals,
            choices,
            is_passive,
            n_variables: take(0),
        }
    }

    pub(super) fn n_variables(&self) -> u32 {
        self.n_variables
    }

    /// The location of threads that do not exist.
    pub(super) fn absent(&self) -> usize {
        self.n_locations
    }

    /// Is somebody at an atomic location?
    pub(super) fn atomic(&self) -> Variable {
        self.shared[self.shared.len() - 1]
    }

    pub(super) fn shared(&self, idx: usize) -> Variable {
        self.shared[idx]
    }

    pub(super) fn n_shared(&self) -> usize {
        self.shared.len() - 1
    }

    pub(super) fn local(&self, thread: usize, idx: usize) -> Variable {
        self.locals[thread][idx]
    }

    pub(super) fn locals(&self, thread: usize) -> &[Variable] {
        &self.locals[thread]
    }

    /// The bits of a thread's location, the lowest first.
    pub(super) fn location(&self, thread: usize) -> &[Variable] {
        &self.locations[thread]
    }

    pub(super) fn n_location_bits(&self) -> usize {
        self.n_location_bits
    }

    /// A choice that a thread makes in a step of thread 0.
    pub(super) fn choice(&self, thread: usize, idx: u32) -> Variable {
        self.choices[thread][idx as usize]
    }

    /// May a step change the locals of other threads?
    pub(super) fn is_passive(&self) -> bool {
        self.is_passive
    }

    /// The variable for the stepping thread's view of `bit`.
    pub(super) fn bit(&self, bit: Bit) -> Variable {
        match bit {
            Bit::Shared(idx) => self.shared(idx as usize),
            Bit::Local(idx) => self.local(0, idx as usize),
        }
    }

    /// The value after the step.
    pub(super) fn after(variable: Variable) -> Variable {
        variable + 1
    }

    /// The names of values after a step, with the names they get when it is over.
    pub(super) fn step_over(&self) -> Vec<(Variable, Variable)> {
        let n_threads = if self.is_passive { self.n_threads } else { 1 };
        let locals = self.locals.iter().take(n_threads).flatten();
        let changing = self.shared.iter().chain(locals);
        changing.map(|&variable| (VariableOrder::after(variable), variable)).collect()
    }

    /// All that describes a thread.
    pub(super) fn thread(&self, thread: usize) -> impl Iterator<Item = Variable> + '_ {
        self.locations[thread].iter().chain(&self.locals[thread]).copied()
    }

    /// The names of one thread, with those of another.
    pub(super) fn renamed(&self, from: usize, to: usize) -> Vec<(Variable, Variable)> {
        self.thread(from).zip(self.thread(to)).collect()
    }

    /// A thread's location, as values of variables.
    pub(super) fn at(&self, thread: usize, location: usize) -> Vec<(Variable, bool)> {
        let bits = self.locations[thread].iter().enumerate();
        bits.map(|(bit, &variable)| (variable, location >> bit & 1 == 1)).collect()
    }

    /// A thread that does not exist, as values of variables.
    pub(super) fn nobody(&self, thread: usize) -> Vec<(Variable, bool)> {
        let mut literals = self.at(thread, self.absent());
        literals.extend(self.locals[thread].iter().map(|&variable| (variable, false)));
        literals
    }
}
