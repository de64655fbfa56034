//! `Simple(n)`, the example of Flanagan and Qadeer's paper on thread-modular checking: threads
//! take a mutex, change `x`, assert something of it, and give the mutex back.

use std::fmt::Write;

use frontend::Language;

use crate::texts::Texts;

/// How the mutex of `Simple` is modelled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mutex {
    /// It is the number of the thread that holds it.
    Owner,
    /// It is taken or not.
    Boolean,
    /// It is forgotten.
    Forgotten,
}

/// What is asked of `Simple`.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    /// Two threads never access `x` at the same time.
    NoRace,
    /// The assertion does not fail.
    Assertion,
    /// While the mutex is free, `x` is 1.
    Invariant,
}

impl Asked {
    /// The three properties of the paper.
    pub const ALL: [Asked; 3] = [Asked::NoRace, Asked::Assertion, Asked::Invariant];
}

/// `Simple(n)` as a thread transition system: local `6 t + pc - 1` is thread t at `pc`, shared `2 m + x`. `None`:
/// any number of threads.
pub fn simple(n: Option<u32>, mutex: Mutex, asked: Asked) -> Texts {
    let n_names = if mutex == Mutex::Owner { n.unwrap_or(1) } else { 1 };
    let mut text = format!("{} {}\n", 2 * (n_names + 1), 6 * n_names);
    for (name, m, x) in (0..n_names)
        .flat_map(|name| (0..=n_names).flat_map(move |m| (0..2).map(move |x| (name, m, x))))
    {
        let mut step = |pc: u32, m_after: u32, x_after: u32| {
            let (before, after, from) = (2 * m + x, 2 * m_after + x_after, 6 * name + pc - 1);
            let _ = writeln!(text, "{before} {from} -> {after} {}", from + 1);
        };
        match mutex {
            Mutex::Forgotten => step(1, m, x),
            _ if m == 0 => step(1, name + 1, x),
            _ => {}
        }
        step(2, m, 0);
        step(3, m, 1);
        step(4, m, x);
        step(5, 0, x);
    }
    let starts: Vec<String> = match (mutex, n) {
        (Mutex::Owner, Some(n)) => (0..n).map(|name| (6 * name).to_string()).collect(),
        (_, n) => vec!["0".to_owned(); n.unwrap_or(1) as usize],
    };
    let separator = if n.is_some() { "|" } else { "/" };
    let property = match asked {
        Asked::NoRace => {
            let other = if n_names > 1 { 6 } else { 0 };
            let pairs = (1..4).flat_map(|one| (1..4).map(move |two| (one, other + two)));
            patterns(0..2 * (n_names + 1), pairs.map(|(one, two)| format!("{one},{two}")))
        }
        Asked::Assertion => {
            let free = (0..=n_names).map(|m| 2 * m);
            patterns(free, (0..n_names).map(|name| (6 * name + 3).to_string()))
        }
        Asked::Invariant => patterns(0..1, (0..6 * n_names).map(|local| local.to_string())),
    };
    Texts::new(Language::Tts, "simple.tts", &text)
        .with_init(&format!("1{separator}{}", starts.join(",")))
        .with_property(&property)
}

fn patterns(shared: impl Iterator<Item = u32>, locals: impl Iterator<Item = String>) -> String {
    let locals: Vec<String> = locals.collect();
    let all = shared.flat_map(|s| locals.iter().map(move |locals| format!("{s}|{locals}\n")));
    all.collect()
}

/// `Simple(n)` as a Boolean program in which each thread has a procedure of its own, with a lock
/// of the language; the property is the assertion.
pub fn simple_with_a_lock(n: u32) -> Texts {
    let mut text = "decl x := 1;\nlock m;\n".to_owned();
    for thread in 1..=n {
        let _ = writeln!(
            text,
            "void p{thread}() begin\n  acquire(m);\n  x := 0;\n  x := !x;\n  assert(x);\n  \
             release(m);\nend"
        );
    }
    Texts::new(Language::BooleanProgram, "simple.bp", &text)
}
