//! States: the globals and the threads.

use frontend::boolprog::ast::{Dialect, ExprKind, Type};

use super::code::Code;

/// All of a run at one time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    /// Of a lock with an owner: does somebody hold it?
    pub globals: Vec<bool>,
    /// Sorted.
    pub threads: Vec<Thread>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Thread {
    /// Never empty; the last is what runs.
    pub frames: Vec<Frame>,
    /// Atomic sections that it is in; in any, nobody else steps.
    pub atomic_depth: u32,
    /// The locks with an owner that it holds, sorted.
    pub holds: Vec<usize>,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Frame {
    pub procedure: usize,
    /// The operation that comes next; in the frame of a caller, the call.
    pub at: usize,
    pub locals: Vec<bool>,
}

/// All that a list of `n` values can be.
pub(super) fn valuations(n: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1_u64 << n).map(move |bits| (0..n).map(|idx| bits >> idx & 1 == 1).collect())
}

/// A call's frame, for all values of the locals that nobody gives a value.
pub(super) fn frames(code: &Code<'_>, procedure: usize, args: &[bool]) -> Vec<Frame> {
    let called = &code.procedures[procedure];
    let n_others = called.locals.len() - args.len();
    let extended = valuations(n_others).map(|others| [args, &others].concat());
    let begins_so = |locals: &Vec<bool>| {
        let mut values = called.locals.iter().zip(locals);
        values.all(|(name, value)| called.begin_with.get(name).is_none_or(|given| given == value))
    };
    extended.filter(begins_so).map(|locals| Frame { procedure, at: 0, locals }).collect()
}

/// A thread that has not run yet.
pub(super) fn fresh(frame: Frame) -> Thread {
    Thread { frames: vec![frame], atomic_depth: 0, holds: Vec::new() }
}

/// The states at the start. With braces, one thread runs `main`, whatever `n_threads` says.
pub(super) fn initial(code: &Code<'_>, n_threads: usize) -> Result<Vec<State>, String> {
    let n_threads = if code.dialect == Dialect::Cuba { 1 } else { n_threads };
    if code.procedures[code.main].n_params > 0 {
        return Err("`main` has parameters".into());
    }
    let threads: Vec<Thread> = frames(code, code.main, &[]).into_iter().map(fresh).collect();
    let mut populations: Vec<Vec<Thread>> = vec![Vec::new()];
    for _ in 0..n_threads {
        populations = populations.iter().flat_map(|some| with_one_more(some, &threads)).collect();
    }
    let stores = stores(code)?;
    let all = stores.iter().flat_map(|globals| {
        let states = populations.iter().cloned();
        states.map(|threads| State { globals: globals.clone(), threads })
    });
    Ok(all.collect())
}

/// Sorted lists, each once.
fn with_one_more(some: &[Thread], threads: &[Thread]) -> Vec<Vec<Thread>> {
    let later = threads.iter().filter(|thread| some.last().is_none_or(|last| last <= thread));
    later.map(|thread| [some, std::slice::from_ref(thread)].concat()).collect()
}

fn stores(code: &Code<'_>) -> Result<Vec<Vec<bool>>, String> {
    let mut stores = vec![Vec::new()];
    for decl in code.globals {
        let value = match (decl.kind, decl.init.as_ref().map(|init| &init.kind)) {
            (Type::Lock, None) => Some(false),
            (_, Some(ExprKind::Const(value))) => Some(*value),
            (_, None | Some(ExprKind::Star)) => None,
            _ => return Err(format!("`{}` begins with an expression", decl.name.text)),
        };
        let values = value.map_or(vec![false, true], |value| vec![value]);
        stores = stores
            .iter()
            .flat_map(|store| values.iter().map(|&value| [store.as_slice(), &[value]].concat()))
            .collect();
    }
    Ok(stores)
}
