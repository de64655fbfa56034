//! Compares what is said of any number of threads with what is true of few.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use engine::explicit::Reduction;
use llvm::code::Code;
use llvm::forgotten::Forgotten;
use llvm::machine::Granularity;
use testkit::keep::FailingCase;
use testkit::random::c::with_prefix;
use testkit::random::crowd::{Count, PRELUDE, Program, c_text, crowd, smaller};
use testkit::rng::Rng;

use crate::ask::{
    Alone, Answer, QUESTIONS, chosen, compiled, forget_anything, is_proved_alone, planned,
};
use crate::tally::Tally;
use crate::toolchain::{Compilation, Toolchain, isolated};

/// Programs in a file.
const N_PROGRAMS: usize = 4;
/// The program itself, and how many threads its loops make instead.
const COUNTS: [Count; 5] =
    [Count::Any, Count::Exactly(1), Count::Exactly(2), Count::Exactly(3), Count::Exactly(4)];
/// Questions about a program, of all that there are.
const N_QUESTIONS: usize = 2;
const TIME_TO_SHRINK: Duration = Duration::from_secs(120);

/// Judges the programs of a seed.
///
/// # Errors
/// The first contradiction, with the program made small.
pub fn judge(toolchain: &Toolchain, seed: u64) -> Result<Tally, String> {
    let mut rng = Rng::new(seed ^ 0xC0FF_EE00);
    let programs: Vec<Program> = (0..N_PROGRAMS).map(|_| crowd(&mut rng)).collect();
    let codes = codes(toolchain, &programs, seed)?;
    let mut tally = Tally::default();
    for (program, codes) in programs.iter().zip(codes) {
        let judged = judge_program(&codes, seed, &mut tally);
        judged.map_err(|why| shrunk(toolchain, seed, program, why))?;
    }
    Ok(tally)
}

/// The code of each, for each count.
fn codes(toolchain: &Toolchain, programs: &[Program], seed: u64) -> Result<Vec<Vec<Code>>, String> {
    let texts = programs.iter().flat_map(|program| COUNTS.map(|count| c_text(program, count)));
    let texts: String =
        texts.enumerate().map(|(k, text)| with_prefix(&text, &format!("p{k}_"))).collect();
    let optimisation = if seed % 4 == 3 { 1 } else { 0 };
    let how = Compilation { optimisation, wraps: false, seed };
    let text = format!("{PRELUDE}{texts}");
    let module = toolchain.module(&text, how).map_err(|why| format!("{why}\n{text}"))?;
    let code = |k: usize| isolated(&module, &format!("p{k}_"));
    let n = COUNTS.len();
    Ok((0..programs.len()).map(|at| (n * at..n * at + n).map(code).collect()).collect())
}

/// A program, with what is known of it.
struct Judge<'a> {
    codes: &'a [Code],
    rng: Rng,
    tally: &'a mut Tally,
    /// Is something violated, for a question and an index into the counts?
    known: BTreeMap<(&'static str, usize), Option<bool>>,
}

fn judge_program(codes: &[Code], seed: u64, tally: &mut Tally) -> Result<(), String> {
    let rng = Rng::new(seed ^ 0xA0A0);
    let mut judge = Judge { codes, rng, tally, known: BTreeMap::new() };
    judge.tally.programs += 1;
    let judged = catch_unwind(AssertUnwindSafe(|| {
        let first = judge.rng.below(QUESTIONS.len() as u32) as usize;
        (first..first + N_QUESTIONS)
            .try_for_each(|k| judge.question(QUESTIONS[k % QUESTIONS.len()]))
    }));
    judged.unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panic.downcast_ref::<&str>().map(|it| (*it).to_owned()));
        Err(format!("all with a panic: {}", said.unwrap_or_default()))
    })
}

impl Judge<'_> {
    fn question(&mut self, name: &'static str) -> Result<(), String> {
        self.any_number(name)?;
        self.with_a_number(name)?;
        self.alone(name, 0)?;
        self.alone(name, 2)
    }

    /// The plan, for any number.
    fn any_number(&mut self, name: &'static str) -> Result<(), String> {
        let compiled = compiled(&self.codes[0], name);
        let Ok(crowd) = chosen(&compiled) else {
            self.tally.no_program += 1;
            return Ok(());
        };
        let found = planned(&compiled, Some(crowd), Reduction::AmpleSets);
        match found.map_err(|why| format!("{name} with plan: {why}"))? {
            Answer::Holds(is_by_threads) => {
                self.tally.proved += u64::from(is_by_threads);
                self.tally.proved_otherwise += u64::from(!is_by_threads);
                self.must_hold(name, "plan", &[1, 2, 3, 4])
            }
            Answer::Violated(n_threads, is_followed) => {
                self.tally.followed += u64::from(is_followed);
                self.tally.refuted += u64::from(!is_followed);
                self.must_fail(name, n_threads.max(1) as usize)
            }
            Answer::Unknown(_) => {
                self.tally.open += 1;
                Ok(())
            }
        }
    }

    /// The same for the program that creates two in its loop.
    fn with_a_number(&mut self, name: &'static str) -> Result<(), String> {
        let compiled = compiled(&self.codes[2], name);
        let Ok(crowd) = chosen(&compiled) else { return Ok(()) };
        let found = planned(&compiled, Some(crowd), Reduction::AmpleSets);
        let found = match found.map_err(|why| format!("{name} with two: {why}"))? {
            Answer::Holds(_) => false,
            Answer::Violated(..) => true,
            Answer::Unknown(_) => return Ok(()),
        };
        match self.is_violated(name, 2)? {
            Some(is_violated) if is_violated != found => {
                Err(format!("{name} with two says violated: {found}"))
            }
            _ => Ok(()),
        }
    }

    /// The stage alone, with anything forgotten.
    fn alone(&mut self, name: &'static str, count: usize) -> Result<(), String> {
        let code = &self.codes[count];
        let compiled = compiled(code, name);
        let mut forgotten = Forgotten::default();
        if count == 0 {
            let Ok(crowd) = chosen(&compiled) else { return Ok(()) };
            forgotten = crowd.forgotten;
        }
        let over_approximates = self.rng.chance(85);
        let percent = [0, 10, 30, 60][self.rng.below(4) as usize];
        match over_approximates {
            true => forget_anything(code, &mut self.rng, percent, &mut forgotten),
            false => forgotten = Forgotten::default(),
        }
        let large = self.rng.chance(50);
        let granularity = if large { Granularity::Synchronisations } else { Granularity::Accesses };
        let how = Alone { granularity, forgotten, over_approximates };
        let way = if large { "large" } else { "small" };
        let is_proved = is_proved_alone(&compiled, &how)
            .map_err(|why| format!("{name} with {way} alone: {why}"))?;
        if !is_proved {
            self.tally.alone_open += 1;
            return Ok(());
        }
        self.tally.alone += 1;
        self.tally.alone_forgotten += u64::from(percent > 0);
        let counts: &[usize] = if count == 0 { &[1, 2, 3] } else { &[2] };
        self.must_hold(name, way, counts).map_err(|why| {
            let held = how.forgotten.iter().map(|held| held.words(code)).collect::<Vec<_>>();
            format!("{why}, without {held:?}, count {count}")
        })
    }

    fn must_hold(&mut self, name: &'static str, way: &str, counts: &[usize]) -> Result<(), String> {
        for &count in counts {
            if self.is_violated(name, count)? == Some(true) {
                return Err(format!("{name} with {way} holds, but not with {:?}", COUNTS[count]));
            }
        }
        Ok(())
    }

    fn must_fail(&mut self, name: &'static str, n_threads: usize) -> Result<(), String> {
        if n_threads >= COUNTS.len() {
            return Ok(());
        }
        for count in 1..=n_threads {
            if self.is_violated(name, count)? != Some(false) {
                return Ok(());
            }
        }
        Err(format!("{name} with plan is violated, but not with up to {n_threads} threads"))
    }

    /// Is something violated, by all runs of the program with so many threads?
    fn is_violated(&mut self, name: &'static str, count: usize) -> Result<Option<bool>, String> {
        if let Some(known) = self.known.get(&(name, count)) {
            return Ok(*known);
        }
        let reduction = match self.rng.chance(30) && count < 3 {
            true => Reduction::Off,
            false => Reduction::AmpleSets,
        };
        let found = planned(&compiled(&self.codes[count], name), None, reduction);
        let found = match found.map_err(|why| format!("{name} with {count} threads: {why}"))? {
            Answer::Holds(_) => Some(false),
            Answer::Violated(..) => Some(true),
            Answer::Unknown(_) => None,
        };
        self.tally.compared += u64::from(found.is_some());
        self.tally.left_out += u64::from(found.is_none());
        self.tally.violated += u64::from(found == Some(true));
        self.known.insert((name, count), found);
        Ok(found)
    }
}

/// A contradiction, with the program made small while there is one about the same question.
fn shrunk(toolchain: &Toolchain, seed: u64, program: &Program, why: String) -> String {
    let started = Instant::now();
    let (mut small, mut last) = (program.clone(), why);
    'smaller: while started.elapsed() < TIME_TO_SHRINK {
        for candidate in smaller(&small) {
            if started.elapsed() > TIME_TO_SHRINK {
                break;
            }
            let Ok(codes) = codes(toolchain, std::slice::from_ref(&candidate), seed) else {
                continue;
            };
            let again = judge_program(&codes[0], seed, &mut Tally::default());
            if let Err(again) = again
                && start_of(&again) == start_of(&last)
            {
                (small, last) = (candidate, again);
                continue 'smaller;
            }
        }
        break;
    }
    let text = format!("{PRELUDE}{}", with_prefix(&c_text(&small, Count::Any), ""));
    let message = format!("crowd seed {seed}: {last}");
    let property = last.split(' ').next().filter(|name| name.contains('-'));
    let kept = FailingCase {
        name: &format!("c-any-{seed}"),
        extension: "c",
        comment: "//",
        message: &message,
        arguments: &property.map(|name| format!("--property {name}")).unwrap_or_default(),
        text: &text,
    }
    .keep();
    format!("{message}\n{text}\n{kept}")
}

/// Which question, asked how.
fn start_of(message: &str) -> Vec<&str> {
    message.split(' ').take(5).collect()
}
