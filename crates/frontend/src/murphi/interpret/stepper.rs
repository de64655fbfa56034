//! Successors and judgements of states, by interpretation.
//!
//! The instances of a rule are enumerated binder by binder, the first slowest. An
//! instance that faults ends its rule; other rules still run.
//! Evaluations that nest too deeply for the stack at hand are done again in a
//! thread with a large one: only runaway recursion and monstrous expressions do so.

use std::thread;

use model::{
    Choice, FaultPlace, Judgement, Limits, PropertyKind, Stepper, StopReason, Stuck, Successors,
};

use super::super::faults;
use super::super::layout::Layouts;
use super::super::typed::{Binder, Predicate, Program, Rule};
use super::Exit;
use super::domain::n_instances;
use super::machine::{Binding, DEPTH_ANYWHERE, Machine};

/// Stack of the thread for deep evaluations. Only what is used takes memory.
const LARGE_STACK: usize = 1 << 30;

/// Nested evaluations that surely fit [`LARGE_STACK`].
const DEPTH_ON_LARGE_STACK: u32 = 400_000;

/// The interpreter with its working memory.
pub(in crate::murphi) struct Interpreter<'a> {
    machine: Machine<'a>,
    /// The rules in ascending order of priority.
    by_priority: Vec<&'a Rule>,
    /// The state that is expanded.
    pre_state: Vec<u64>,
}

/// What the instances of a rule are enumerated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Initial states.
    Start,
    /// Successors.
    Step,
    /// The faults of guards, where a rule of smaller priority is enabled.
    Guards,
}

/// What is being enumerated.
struct Family<'a, 'out> {
    rule: &'a Rule,
    purpose: Purpose,
    /// Successors to leave out, because `out` has them already.
    n_known: usize,
    out: &'out mut Successors,
}

impl<'a> Interpreter<'a> {
    /// An interpreter for `program`.
    pub(in crate::murphi) fn new(
        program: &'a Program,
        layouts: &'a Layouts,
        max_loop_turns: u64,
        limits: &Limits,
    ) -> Interpreter<'a> {
        let mut machine = Machine::new(program, layouts, limits);
        machine.max_loop_turns = max_loop_turns;
        let mut by_priority: Vec<&Rule> = program.rules.iter().collect();
        by_priority.sort_by_key(|rule| rule.priority);
        let pre_state = machine.state.clone();
        Interpreter { machine, by_priority, pre_state }
    }

    /// Goes through the rules from the smallest priority on. Once one is enabled, the
    /// guards of those with larger ones are evaluated all the same, for their faults.
    fn expand_rules(&mut self, rules: &[&'a Rule], out: &mut Successors) -> Result<(), StopReason> {
        let n_enabled = out.n_enabled;
        for group in rules.chunk_by(|one, next| one.priority == next.priority) {
            let purpose = if out.n_enabled > n_enabled { Purpose::Guards } else { Purpose::Step };
            for rule in group {
                self.run_family(rule, purpose, out)?;
            }
        }
        Ok(())
    }

    /// Adds what all instances of a rule give.
    fn run_family(
        &mut self,
        rule: &'a Rule,
        purpose: Purpose,
        out: &mut Successors,
    ) -> Result<(), StopReason> {
        let (n_before, n_enabled) = (out.len(), out.n_enabled);
        let mut choice = rule.first_choice;
        let mut family = Family { rule, purpose, n_known: 0, out };
        let mut result = self.try_family(&mut family, &mut choice);
        if matches!(result, Err(Exit::NeedsStack)) {
            choice = rule.first_choice;
            family.n_known = family.out.len() - n_before;
            family.out.n_enabled = n_enabled;
            result = self.on_large_stack(|this| this.try_family(&mut family, &mut choice));
        }
        let fault = match result {
            Ok(()) => return Ok(()),
            Err(Exit::Stopped(reason)) => return Err(reason),
            Err(Exit::Fault(fault)) => *fault,
            Err(Exit::NeedsStack) => faults::recursion(),
            Err(Exit::Dropped) => unreachable!("each instance is dropped by itself"),
        };
        let choice = Choice(choice);
        let place = match purpose {
            Purpose::Start => FaultPlace::Start(choice),
            Purpose::Step | Purpose::Guards => FaultPlace::Step(choice),
        };
        out.faults.push((place, fault));
        Ok(())
    }

    fn try_family(&mut self, family: &mut Family<'a, '_>, choice: &mut u64) -> Result<(), Exit> {
        self.machine.state.copy_from_slice(&self.pre_state);
        self.machine.enter_outermost(&family.rule.locals)?;
        self.bind_from(family, 0, choice, family.rule.n_instances)
    }

    /// Binds binder number `depth` and those after it in all ways. `choice` is that
    /// of the first of these `n_choices` instances, and stays at the one that
    /// exits.
    fn bind_from(
        &mut self,
        family: &mut Family<'a, '_>,
        depth: usize,
        choice: &mut u64,
        n_choices: u64,
    ) -> Result<(), Exit> {
        let Some(binder) = family.rule.binders.get(depth) else {
            return self.instance(family, Choice(*choice));
        };
        let (program, layouts) = (self.machine.program, self.machine.layouts);
        let n_values = n_instances(&program.types, layouts, binder);
        let stride = n_choices.checked_div(n_values).unwrap_or(0);
        let first = *choice;
        match binder {
            Binder::Alias { local, target } => {
                let found = self.unless_dropped(|machine| machine.target(target))?;
                let Some(bound) = found else { return Ok(()) };
                self.machine.bind(*local, bound);
                self.bind_from(family, depth + 1, choice, stride)?;
            }
            Binder::Each { local, domain } => {
                let mut values = self.machine.values(domain)?;
                while let Some(value) = values.take(&self.machine.codes) {
                    self.machine.bind(*local, Binding::Value(value));
                    self.bind_from(family, depth + 1, choice, stride)?;
                    *choice = choice.wrapping_add(stride);
                }
            }
            Binder::Choose { local, multiset } => {
                let found = self.unless_dropped(|machine| machine.locate(multiset))?;
                let Some(at) = found else { return Ok(()) };
                for slot in self.machine.slots(multiset.ty) {
                    if self.machine.slot_in_use(at, multiset.ty, slot).is_some() {
                        self.machine.bind(*local, Binding::Value(slot));
                        self.bind_from(family, depth + 1, choice, stride)?;
                    }
                    *choice = choice.wrapping_add(stride);
                }
            }
        }
        *choice = first;
        Ok(())
    }

    /// One instance: all names are bound, the state is the one before the step and
    /// is so again afterwards.
    fn instance(&mut self, family: &mut Family<'a, '_>, choice: Choice) -> Result<(), Exit> {
        self.machine.tick()?;
        if !self.is_enabled(family.rule)? || family.purpose == Purpose::Guards {
            return Ok(());
        }
        family.out.n_enabled += 1;
        let here = self.machine.checkpoint();
        match self.act(family.rule) {
            Ok(true) if family.n_known > 0 => family.n_known -= 1,
            Ok(true) => family.out.push(choice, &self.machine.state),
            Ok(false) => {}
            Err(Exit::Dropped) => self.machine.rewind(here),
            Err(exit) => return Err(exit),
        }
        self.machine.state.copy_from_slice(&self.pre_state);
        Ok(())
    }

    fn is_enabled(&mut self, rule: &'a Rule) -> Result<bool, Exit> {
        let Some(guard) = &rule.guard else { return Ok(true) };
        Ok(self.unless_dropped(|machine| machine.holds(guard))?.unwrap_or(false))
    }

    /// Evaluates something, which gives nothing where it meets a false `assume`. Only
    /// the instances that depend on it are not enabled then.
    fn unless_dropped<T>(
        &mut self,
        evaluate: impl FnOnce(&mut Machine<'a>) -> Result<T, Exit>,
    ) -> Result<Option<T>, Exit> {
        let here = self.machine.checkpoint();
        match evaluate(&mut self.machine) {
            Ok(value) => Ok(Some(value)),
            Err(Exit::Dropped) => {
                self.machine.rewind(here);
                Ok(None)
            }
            Err(exit) => Err(exit),
        }
    }

    /// Executes the body and says whether the assumptions hold afterwards.
    fn act(&mut self, rule: &'a Rule) -> Result<bool, Exit> {
        self.machine.undefine_variables()?;
        self.machine.run(&rule.body)?;
        self.machine.sort_multisets();
        let program = self.machine.program;
        for assumption in &program.assumptions {
            if !self.machine.predicate(assumption)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn try_predicate(&mut self, predicate: &'a Predicate) -> Result<bool, Exit> {
        self.machine.enter_outermost(&[])?;
        self.machine.predicate(predicate)
    }

    /// The truth of a predicate in the state of the machine. Where it meets a false
    /// `assume` there is nothing to report: an invariant is not violated, and a goal
    /// not reached. Propositions meet none.
    fn predicate(&mut self, predicate: &'a Predicate) -> Result<bool, Stuck> {
        let mut result = self.try_predicate(predicate);
        if matches!(result, Err(Exit::NeedsStack)) {
            result = self.on_large_stack(|this| this.try_predicate(predicate));
        }
        match result {
            Ok(holds) => Ok(holds),
            Err(Exit::Dropped) => Ok(predicate.kind == PropertyKind::Invariant),
            Err(Exit::Stopped(reason)) => Err(Stuck::Stopped(reason)),
            Err(Exit::Fault(fault)) => Err(Stuck::Fault(*fault)),
            Err(Exit::NeedsStack) => Err(Stuck::Fault(faults::recursion())),
        }
    }

    /// Adds the numbers of the `cover` statements that were reached since the last time,
    /// ascending.
    fn note_covers(&mut self, out: &mut Vec<u32>) {
        let n_predicates = self.machine.program.properties.len() as u32;
        let covered = std::mem::take(&mut self.machine.covered);
        out.extend(covered.into_iter().map(|id| n_predicates + id.0));
    }

    /// Does something where evaluations may nest far more deeply.
    fn on_large_stack<T: Send>(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<T, Exit> + Send,
    ) -> Result<T, Exit> {
        self.machine.max_depth = DEPTH_ON_LARGE_STACK;
        let result = thread::scope(|scope| {
            let builder = thread::Builder::new().stack_size(LARGE_STACK);
            let running = builder.spawn_scoped(scope, || act(self));
            let stopped = |_| Exit::Stopped(StopReason::MemoryLimit);
            let joined = running.map_err(stopped)?.join();
            joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        self.machine.max_depth = DEPTH_ANYWHERE;
        result
    }
}

impl<'a> Stepper for Interpreter<'a> {
    fn initial(&mut self, out: &mut Successors) -> Result<(), StopReason> {
        self.pre_state.fill(0);
        let program: &'a Program = self.machine.program;
        for rule in &program.starts {
            self.run_family(rule, Purpose::Start, out)?;
        }
        self.note_covers(&mut out.covered);
        Ok(())
    }

    fn expand(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        self.pre_state.copy_from_slice(state);
        let rules = std::mem::take(&mut self.by_priority);
        let result = self.expand_rules(&rules, out);
        self.by_priority = rules;
        self.note_covers(&mut out.covered);
        result
    }

    fn judge(&mut self, state: &[u64], out: &mut Judgement) -> Result<(), StopReason> {
        self.machine.state.copy_from_slice(state);
        let program: &'a Program = self.machine.program;
        for (number, property) in program.properties.iter().enumerate() {
            let number = number as u32;
            match self.predicate(property) {
                Ok(holds) => note(out, number, property.kind, holds),
                Err(Stuck::Fault(fault)) => out.faults.push((number, fault)),
                Err(Stuck::Stopped(reason)) => return Err(reason),
            }
        }
        self.note_covers(&mut out.reached);
        Ok(())
    }

    fn valuation(&mut self, state: &[u64]) -> Result<u64, Stuck> {
        self.machine.state.copy_from_slice(state);
        let program: &'a Program = self.machine.program;
        let mut valuation = 0;
        for (idx, proposition) in program.propositions.iter().take(64).enumerate() {
            valuation |= u64::from(self.predicate(proposition)?) << idx;
        }
        self.machine.covered.clear();
        Ok(valuation)
    }
}

fn note(out: &mut Judgement, number: u32, kind: PropertyKind, holds: bool) {
    match kind {
        PropertyKind::Invariant if !holds => out.violated.push(number),
        PropertyKind::Cover | PropertyKind::AlwaysReachable if holds => out.reached.push(number),
        _ => {}
    }
}
