//! What functions of the program say of a state: invariants, propositions of formulas.
//!
//! A function `int f(void)` is called on a copy of the shared store while all threads
//! stand still (`machine/observer.rs`). It sees variables and all that these reach; what
//! each thread has to itself it does not see.
//!
//! **Sound for** states between steps. Steps are made so small that these are all
//! states that matter: each step has one access to shared memory at most, a section
//! that others see as one step apart, and the search is told what is observed
//! ([`CProgram::watched_objects`]), so that it leaves out no step that changes it.
//! **Inputs** that nobody has looked at yet stand for many values. An invariant fails
//! if it does for one of them; a proposition must be the same for all.
//! **What has no answer** (the function fails, writes or waits) makes the steps that
//! lead there incomplete: nothing is proven then.

use std::mem::take;

use model::{Steps, TargetShape};

use super::{CProgram, NoProgram};
use crate::code::{NumberStyle, Shape, Src, registers};
use crate::describe;
use crate::ir::IntPredicate;
use crate::library::{self, Visibility};
use crate::machine::{Granularity, Machine, MemoryModel, Options, Stop};
use crate::memory::{ThreadIdentity, ThreadStore};
use crate::value::Origin;

/// Library functions whose answers are not those of a state.
const DEPEND_ON_THE_CALLER: &[&str] =
    &["pthread_self", "thrd_current", "rand", "random", "time", "clock"];

/// A question about one state, answered by observing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observer(Kinds);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kinds {
    /// A function, which says yes by returning something else than zero.
    Function(Function),
    /// A variable, compared with a number.
    Compare { place: Part, predicate: IntPredicate, number: u64 },
    /// Has the program, or have all threads, come to an end?
    Ended,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Function {
    number: u32,
    /// Bits of what it returns.
    width: u32,
    /// A thread that is about to run it.
    caller: Vec<u8>,
}

/// A number within a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    variable: Origin,
    at: u32,
    bytes: u32,
    is_signed: bool,
}

/// What the functions of a program are asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Observers {
    /// How functions run that observer.
    options: Options,
    /// With the names of their functions.
    invariants: Vec<(String, Observer)>,
    targets: Vec<TargetShape>,
    propositions: Vec<Observer>,
    shapes: Vec<TargetShape>,
}

impl Observers {
    /// The patterns of states that violate an invariant.
    pub(super) fn targets(&self) -> &[TargetShape] {
        &self.targets
    }

    /// The patterns that propositions are.
    pub(super) fn propositions(&self) -> &[TargetShape] {
        &self.shapes
    }
}

/// What an observer found, for the values that inputs may still have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    may_hold: bool,
    may_fail: bool,
}

impl CProgram {
    /// The same program, of which is also asked that this is true in every state.
    ///
    /// # Errors
    /// It cannot be asked of the first state.
    pub fn with_invariant(mut self, name: &str, observer: Observer) -> Result<CProgram, NoProgram> {
        self.sees_start(&observer, name)?;
        self.observers.invariants.push((name.to_owned(), observer));
        let name = format!("the invariant `{name}` is violated");
        self.observers.targets.push(TargetShape { name, slots: Vec::new() });
        Ok(self)
    }

    /// The same program, with these propositions for formulas to speak of.
    ///
    /// # Errors
    /// One cannot be asked of the first state.
    pub fn with_propositions(
        mut self,
        named: &[(String, Observer)],
    ) -> Result<CProgram, NoProgram> {
        for (name, observer) in named {
            self.sees_start(observer, name)?;
            self.observers.propositions.push(observer.clone());
            self.observers.shapes.push(TargetShape { name: name.clone(), slots: Vec::new() });
        }
        Ok(self)
    }

    /// Whether the program has come to its end: it was left by `exit` or by `main`, or
    /// all threads have ended.
    pub fn ended(&self) -> Observer {
        Observer(Kinds::Ended)
    }

    /// A function without parameters, as a question.
    ///
    /// # Errors
    /// Why it cannot be one.
    pub fn function_named(&self, name: &str) -> Result<Observer, String> {
        let (number, caller) = self.caller_of(name)?;
        let body = self.code.functions[number as usize].body.as_ref();
        let returned = body.iter().flat_map(|body| &body.ops).find_map(|instr| match &instr.op {
            crate::code::Op::Return(values) => Some((values.len(), values.first().copied())),
            _ => None,
        });
        let width = match returned {
            Some((1, Some(Src::Reg(reg)))) => {
                body.map_or(32, |body| u32::from(body.widths[reg as usize]))
            }
            Some((1, _)) | None => 64,
            Some((0, _)) => return Err("it returns nothing".into()),
            Some(_) => return Err("it returns a structure".into()),
        };
        Ok(Observer(Kinds::Function(Function { number, width, caller })))
    }

    /// The number of a function without parameters, and a thread that is about to run
    /// it.
    pub(super) fn caller_of(&self, name: &str) -> Result<(u32, Vec<u8>), String> {
        let functions = (0u32..).zip(&self.code.functions);
        let found = functions.into_iter().find(|(_, function)| function.name == name);
        let Some((number, function)) = found else {
            return Err("there is no such function in the compiled code (the compiler leaves out \
                        `static` functions that nobody calls)"
                .into());
        };
        let Some(body) = &function.body else { return Err("it is declared only".into()) };
        if !body.parameters.is_empty() {
            return Err("it has parameters".into());
        }
        if let Some(why) = self.disturbs(number) {
            return Err(why);
        }
        let nobody = ThreadIdentity::default();
        let thread = ThreadStore::new(&self.code, nobody, number, &[]);
        let mut caller = Vec::new();
        thread.ok_or("it has no body")?.encode(&self.code, &mut caller);
        Ok((number, caller))
    }

    /// What a function does, or one that it calls, that no observer may do.
    fn disturbs(&self, function: u32) -> Option<String> {
        for number in self.mentions.functions_of(function) {
            let code = &self.code.functions[number as usize];
            let Some(body) = &code.body else {
                let is_seen = code
                    .builtin
                    .is_some_and(|builtin| library::visibility(builtin) == Visibility::Always);
                let is_odd = DEPEND_ON_THE_CALLER.contains(&&*code.name)
                    || code.name.starts_with("__VERIFIER_nondet");
                if is_seen || is_odd {
                    return Some(format!("it calls `{}`", code.name));
                }
                continue;
            };
            let mut own = None;
            for instr in &body.ops {
                registers::for_each_source(&instr.op, |src| {
                    if let Src::Value(value) = src
                        && let Origin::ThreadLocal(number) = value.base.origin()
                    {
                        own = Some(number);
                    }
                });
            }
            if let Some(own) = own {
                let name = &self.code.thread_locals[own as usize].name;
                return Some(format!("it uses `{name}`, which each thread has for itself"));
            }
        }
        None
    }

    /// A variable compared with a number, as a question: `count`, `flags[1]`,
    /// `queue.head`.
    ///
    /// # Errors
    /// There is no such variable, or it is no number.
    pub fn comparison(&self, path: &str, sign: &str, number: i64) -> Result<Observer, String> {
        let place = self.part_named(path)?;
        let predicate = match (sign, place.is_signed) {
            ("==" | "=", _) => IntPredicate::Eq,
            ("!=", _) => IntPredicate::Ne,
            ("<", true) => IntPredicate::Slt,
            ("<", false) => IntPredicate::Ult,
            ("<=", true) => IntPredicate::Sle,
            ("<=", false) => IntPredicate::Ule,
            (">", true) => IntPredicate::Sgt,
            (">", false) => IntPredicate::Ugt,
            (">=", true) => IntPredicate::Sge,
            (">=", false) => IntPredicate::Uge,
            _ => return Err(format!("`{sign}` is no comparison")),
        };
        let bits = place.bytes * 8;
        let (least, most) = match (place.is_signed, bits) {
            (true, 64) => (i128::from(i64::MIN), i128::from(i64::MAX)),
            (true, bits) => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            (false, bits) => (0, (1i128 << bits) - 1),
        };
        if !(least..=most).contains(&i128::from(number)) {
            return Err(format!("`{path}` has values from {least} to {most} only"));
        }
        let number = number as u64 & crate::value::mask(bits);
        Ok(Observer(Kinds::Compare { place, predicate, number }))
    }

    fn part_named(&self, path: &str) -> Result<Part, String> {
        let end = path.find(['.', '[']).unwrap_or(path.len());
        let name = path[..end].trim();
        let globals = (0u32..).zip(&self.code.globals);
        let globals = globals.map(|(number, variable)| (Origin::Shared(number), variable));
        let constants = (0u32..).zip(&self.code.constants);
        let constants = constants.map(|(number, variable)| (Origin::Constant(number), variable));
        let found = globals.chain(constants).find(|(_, variable)| variable.name == name);
        let Some((origin, variable)) = found else {
            return Err(format!("there is no global variable `{name}`"));
        };
        let (at, shape) = part(&variable.shape, &path[end..])
            .ok_or_else(|| format!("`{name}` has no part `{}`", &path[end..]))?;
        match shape {
            Shape::Number { bytes: bytes @ (1 | 2 | 4 | 8), style } => {
                let is_signed = match style {
                    NumberStyle::Float => {
                        return Err(format!("`{path}` is a floating-point number"));
                    }
                    NumberStyle::Unsigned | NumberStyle::Bool => false,
                    NumberStyle::Signed | NumberStyle::Char | NumberStyle::Enumeration(_) => true,
                };
                Ok(Part { variable: origin, at: at as u32, bytes: *bytes, is_signed })
            }
            _ => Err(format!("`{path}` is no number")),
        }
    }

    /// Can the question be asked of the first state?
    fn sees_start(&mut self, observer: &Observer, name: &str) -> Result<(), NoProgram> {
        self.prepare_observers();
        let seen = self.seen(observer, self.initial.bytes());
        seen.map(|_| ()).map_err(|why| NoProgram(blind(name, &why)))
    }

    /// Whatever steps are, an observer runs from start to end.
    pub(super) fn prepare_observers(&mut self) {
        self.observers.options = Options {
            granularity: Granularity::Accesses,
            // To observe is no access.
            memory_model: MemoryModel::SequentiallyConsistent,
            ..self.options.clone()
        };
    }

    /// Does an invariant fail in a state?
    pub(super) fn is_target(&self, target: usize, shared: &[u8]) -> bool {
        let observer = self.observers.invariants.get(target);
        observer.is_some_and(|(_, observer)| {
            self.seen(observer, shared).is_ok_and(|seen| seen.may_fail)
        })
    }

    /// Does a proposition hold in a state?
    pub(super) fn is_so(&self, proposition: usize, shared: &[u8]) -> bool {
        let observer = self.observers.propositions.get(proposition);
        observer.is_some_and(|it| self.seen(it, shared).is_ok_and(|seen| !seen.may_fail))
    }

    /// Says so if one of the steps leads from `before` to where a question has no
    /// answer.
    pub(super) fn note_blind_spots(&self, before: &[u8], out: &mut Steps) {
        let observers = &self.observers;
        if observers.invariants.is_empty() && observers.propositions.is_empty() {
            return;
        }
        let mut found = None;
        let mut is_kept = vec![true; out.len()];
        for (idx, step) in out.iter().enumerate().filter(|(_, step)| step.shared() != before) {
            for (name, observer) in &observers.invariants {
                // An invariant that fails for some inputs fails.
                if let Err(why) = self.seen(observer, step.shared()) {
                    found.get_or_insert_with(|| blind(name, &why));
                }
            }
            for (shape, observer) in observers.shapes.iter().zip(&observers.propositions) {
                let why = match self.seen(observer, step.shared()) {
                    Ok(Seen { may_hold: true, may_fail: true }) => {
                        "it depends on an input that the program has not used yet".into()
                    }
                    Ok(_) => continue,
                    Err(why) => why,
                };
                found.get_or_insert_with(|| blind(&shape.name, &why));
                // No run that a formula is about goes through there.
                is_kept[idx] = false;
            }
        }
        if let Some(why) = found {
            out.set_incomplete(why);
            out.retain(|idx| is_kept[idx]);
        }
    }

    /// What the invariants ask, for reports.
    pub(super) fn invariant_questions(&self) -> impl Iterator<Item = String> + '_ {
        self.observers.invariants.iter().map(|(name, _)| format!("`{name}` is never false"))
    }

    /// Pushes the objects to `out` that observers look at in a state.
    pub(super) fn watched_objects(&self, shared: &[u8], out: &mut Vec<u32>) {
        let invariants = self.observers.invariants.iter().map(|(_, observer)| observer);
        let observers = invariants.chain(&self.observers.propositions);
        self.with_scratch(|scratch| {
            scratch.shared.decode(shared);
            for Observer(observer) in observers {
                match observer {
                    Kinds::Function(Function { number, .. }) => {
                        self.mentions.within_reach(&scratch.shared, *number, out);
                    }
                    Kinds::Compare { place: Part { variable, .. }, .. } => {
                        let Origin::Shared(variable) = *variable else { continue };
                        out.push(variable);
                        // The number may be an input that others narrow down.
                        let object = scratch.shared.object(variable);
                        out.extend(object.iter().flat_map(|it| it.bases()).filter_map(inputs));
                    }
                    Kinds::Ended => {
                        out.extend(scratch.shared.threads().map(ThreadIdentity::number));
                    }
                }
            }
        });
        out.sort_unstable();
        out.dedup();
    }

    /// What an observer finds in a state; otherwise why it has no answer.
    fn seen(&self, Observer(observer): &Observer, shared: &[u8]) -> Result<Seen, String> {
        if *observer == Kinds::Ended {
            return Ok(self.sees_end(shared));
        }
        let (seen, is_cut) = self.with_observing_machine(|machine| {
            machine.tape.reset();
            let mut seen = Seen::default();
            let mut is_cut = false;
            loop {
                match self.answer(machine, observer, shared) {
                    Ok(true) => seen.may_hold = true,
                    Ok(false) => seen.may_fail = true,
                    Err(stop) => return Err(self.told(machine, stop)),
                }
                is_cut |= machine.is_cut;
                if !machine.tape.advance() {
                    return Ok((seen, is_cut));
                }
            }
        })?;
        if is_cut && !seen.may_fail {
            return Err("inputs were tried with some of their values only".into());
        }
        Ok(seen)
    }

    /// Runs `visit` on a machine that observers, whatever steps are.
    pub(super) fn with_observing_machine<T>(&self, visit: impl FnOnce(&mut Machine<'_>) -> T) -> T {
        self.with_scratch(|scratch| {
            let stores = (take(&mut scratch.shared), take(&mut scratch.thread));
            let options = &self.observers.options;
            let mut machine = Machine::new(&self.code, &self.constants, options, stores);
            let result = visit(&mut machine);
            (scratch.shared, scratch.thread) = machine.memory.into_stores();
            result
        })
    }

    fn answer(
        &self,
        machine: &mut Machine<'_>,
        observer: &Kinds,
        shared: &[u8],
    ) -> Result<bool, Stop> {
        match observer {
            Kinds::Function(function) => {
                let value = machine.observe(shared, &function.caller)?;
                if let Some(access) = machine.written().next() {
                    let place = describe::location(&self.code, machine.memory.shared(), access);
                    return Err(Stop::refused(format!("it writes {place}")));
                }
                machine.compares(value, IntPredicate::Ne, 0, function.width)
            }
            Kinds::Compare { place, predicate, number } => {
                machine.load_shared(shared);
                let value = machine.peek(place.variable, place.at, place.bytes)?;
                machine.compares(value, *predicate, *number, place.bytes * 8)
            }
            Kinds::Ended => Ok(true),
        }
    }

    fn sees_end(&self, shared: &[u8]) -> Seen {
        self.with_scratch(|scratch| {
            scratch.shared.decode(shared);
            let shared = &scratch.shared;
            let have_ended = || shared.threads().all(|thread| shared.has_ended(thread));
            let is_end = shared.is_over() || have_ended();
            Seen { may_hold: is_end, may_fail: !is_end }
        })
    }

    /// Why a function gave no answer, and where.
    pub(super) fn told(&self, machine: &Machine<'_>, stop: Stop) -> String {
        let why = match stop {
            Stop::Blocked(why) | Stop::Refused(why) => why,
            Stop::Assumed => "an assumption in it does not hold".into(),
            Stop::Error(error) => error.message,
        };
        match machine.memory.frames().last() {
            Some(frame) => self.at_place(why, self.label_at(frame.function, frame.pc)),
            None => why,
        }
    }
}

fn blind(name: &str, why: &str) -> String {
    format!("`{name}` cannot be evaluated: {why}")
}

fn inputs(base: crate::value::Base) -> Option<u32> {
    match base.origin() {
        Origin::Shared(number) => Some(number),
        _ => None,
    }
}

/// The part of a shape that a path like `[1].next` names, and where it lies.
fn part<'a>(shape: &'a Shape, path: &str) -> Option<(u64, &'a Shape)> {
    let path = path.trim();
    if path.is_empty() {
        return Some((0, shape));
    }
    let (offset, inner, rest) = match shape {
        Shape::Record(members) => {
            let path = path.strip_prefix('.')?.trim_start();
            let end = path.find(['.', '[']).unwrap_or(path.len());
            let name = path[..end].trim();
            let (_, offset, inner) = members.iter().find(|(own, ..)| own == name)?;
            (*offset, inner, &path[end..])
        }
        Shape::Array(n, size, inner) => {
            let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
            let index: u64 = index.trim().parse().ok().filter(|index| index < n)?;
            (index * size, &**inner, rest)
        }
        _ => return None,
    };
    let (within, shape) = part(inner, rest)?;
    Some((offset + within, shape))
}
