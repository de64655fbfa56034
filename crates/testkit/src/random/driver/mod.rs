//! Boolean programs as predicate abstraction makes them of device drivers: about a thousand
//! places, nine shared and eighteen local variables, and a verdict that is known because of
//! how they are made.
//!
//! Threads choose among entry functions in a loop. Each function is a chain of segments:
//! most only move predicates around, as most of an abstraction does; some use what the
//! threads share, by protocols that each have their own variables.
//!
//! | protocol | is right because |
//! |---|---|
//! | lock | `data0` and `data1` differ only while the lock is held, by the holder |
//! | count | `removed` becomes true only when nobody holds a reference |
//! | pairs | two shared predicates are only ever set together, to different values |
//! | hand over | `stage` is 1 exactly while one thread has `advanced`, and never more |
//! | completion | all ways through a request set `completed` |
//!
//! A driver has those of its [`Kit`], so that one to three threads see all that any number
//! of them does; seeds go through kits and faults in turn.
//!
//! Protocols do not look at each other's variables, and what decides between ways through a
//! function is chosen anew each time. So a program is safe if its protocols are, and a
//! [`Fault`] in one of them is as if it were alone.

mod faults;
mod kit;
mod moves;
mod segments;
mod writer;

pub use faults::Fault;
pub use kit::Kit;

use crate::rng::Rng;
use segments::Segment;
use writer::Writer;

/// How large a program is to be.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Statements, about.
    pub statements: u32,
    /// Functions that threads choose from.
    pub functions: u32,
    /// Predicates of each thread that are moved around.
    pub predicates: u32,
}

/// The local variables of a thread in the programs of the paper.
const N_LOCALS: u32 = 18;

impl Size {
    /// That of the programs in the paper on cutoffs.
    pub fn of_paper(rng: &mut Rng, kit: Kit) -> Size {
        Size {
            statements: rng.between(900, 1100),
            functions: rng.between(4, 7),
            predicates: N_LOCALS - kit.locals().len() as u32,
        }
    }
}

/// A program, and what is known about it.
#[derive(Clone, Debug)]
pub struct Driver {
    /// The program.
    pub text: String,
    /// What is wrong with it.
    pub fault: Option<Fault>,
    /// What the threads share.
    pub kit: Kit,
}

const FUNCTIONS: [&str; 9] =
    ["open", "close", "read", "write", "ioctl", "interrupt", "flush", "power", "query"];

/// The driver of a seed. Half of all seeds are safe.
pub fn driver(seed: u64, size: Option<Size>) -> Driver {
    let mut rng = Rng::new(seed);
    let fault = Fault::of(seed);
    let kit = Kit::of(seed, fault);
    let size = size.unwrap_or_else(|| Size::of_paper(&mut rng, kit));
    let functions = &FUNCTIONS[..(size.functions as usize).clamp(2, FUNCTIONS.len())];
    // The fault is in one function, or in each where a protocol is wrong as a whole.
    let faulty = rng.below(functions.len() as u32) as usize;
    let mut writer = Writer::new(&mut rng, kit, size.predicates);
    writer.start(functions);
    let share = size.statements / functions.len() as u32;
    for (idx, name) in functions.iter().enumerate() {
        let here = fault.filter(|fault| idx == faulty || fault.is_everywhere());
        function(&mut writer, name, share, here);
    }
    let mut text = header(seed, (fault, kit), functions[faulty]);
    text.push_str(&writer.finish());
    Driver { text, fault, kit }
}

/// A function: each protocol once, in some order, with other segments around.
fn function(writer: &mut Writer<'_>, name: &str, share: u32, fault: Option<Fault>) {
    let end = writer.n_statements() + share;
    writer.enter(name);
    let mut protocols = Segment::of(writer.kit);
    while !protocols.is_empty() {
        let left = end.saturating_sub(writer.n_statements());
        let before = left / (protocols.len() as u32 + 1) / 2;
        let until = writer.n_statements() + before;
        while writer.n_statements() < until {
            moves::moves(writer);
        }
        let next = protocols.remove(writer.rng.below(protocols.len() as u32) as usize);
        segments::protocol(writer, next, fault);
    }
    while writer.n_statements() + 2 < end {
        moves::moves(writer);
    }
    writer.leave();
}

fn header(seed: u64, (fault, kit): (Option<Fault>, Kit), function: &str) -> String {
    let (verdict, known) = match fault {
        None => (
            "//@ verdict: holds\n".to_owned(),
            format!(
                "Safe for any number of threads, of which {} at most reach all thread states.",
                kit.cutoff()
            ),
        ),
        Some(fault) => {
            let n = fault.n_threads();
            let threads = if n == 1 { "one thread" } else { &format!("{n} threads") };
            let place = match fault.is_everywhere() {
                true => "In all functions".to_owned(),
                false => format!("In `{function}`"),
            };
            let fewer = if n == 1 { "" } else { " and with no fewer" };
            let known = format!("Unsafe with {threads}{fewer}. {place}: {}.", fault.words());
            ("//@ verdict: violated\n".to_owned(), known)
        }
    };
    let mut text = format!("{verdict}// Made by `cargo xtask boolean-programs`, seed {seed}.\n");
    text.push_str(&writer::comment(&known));
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::{Size, driver};

    #[test]
    fn programs_are_of_the_size_that_is_asked_for() {
        for seed in 0..16 {
            let driver = driver(seed, None);
            let file = model::SourceFile { name: "driver.bp".into(), text: driver.text };
            let (program, diagnostics) = frontend::boolprog::syntax(&file);
            assert!(diagnostics.is_empty(), "{diagnostics:?}\n{}", file.text);
            assert_eq!(program.globals.len(), 9);
            assert_eq!(file.text.matches("\n  decl ").count(), 18);
            let n_places = file.text.matches("PC").count();
            assert!((800..1250).contains(&n_places), "{n_places}");
        }
    }

    #[test]
    fn a_seed_gives_the_same_program_again() {
        let size = Size { statements: 150, functions: 3, predicates: 3 };
        assert_eq!(driver(7, Some(size)).text, driver(7, Some(size)).text);
        assert_ne!(driver(7, Some(size)).text, driver(9, Some(size)).text);
    }
}
