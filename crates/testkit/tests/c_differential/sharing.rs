//! Programs that publish, free and reuse memory, asked about each rule alone and about all:
//! every way to search gives the answer of an oracle that shares nothing with it but the tree
//! from which the program is printed.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use engine::explicit::Reduction;
use llvm::Questions;
use llvm::code::Code;
use llvm::machine::{Granularity, Rule};
use testkit::random::c::{PRELUDE, with_prefix};
use testkit::random::sharing::{Program, c_text, sharing, smaller};
use testkit::reference::happens_before::{Bounds, Findings, Leak, judge as findings};
use testkit::rng::Rng;

use crate::endings::{automatic, in_small_steps};
use crate::toolchain::{Compilation, Toolchain, isolated};
use crate::verdict::{Answer, RULES, is_cut};

/// Programs in one file.
const N_PROGRAMS: usize = 20;
/// States of the oracle; programs with more are left out, and so are those in which a pointer to
/// what has ended is compared: they are for the tests of addresses that come again.
pub const BOUNDS: Bounds = Bounds { max_states: 20_000, reuses_addresses: false };
/// A failure in hand is worth more than a smaller one.
const TIME_TO_SHRINK: Duration = Duration::from_secs(60);
/// States of the oracle up to which each operation is tried as a step.
const MAX_STATES_FOR_OPERATIONS: usize = 300;

/// What is asked.
const QUESTIONS: [&str; 6] =
    ["no-data-race", "valid-memsafety", "leaks", "unreach-call", "no-deadlock", "all"];

/// Ways to search; `None` is the plan of the command.
const WAYS: [(&str, Option<(Granularity, Reduction)>); 5] = [
    ("none", Some((Granularity::Operations, Reduction::Off))),
    ("global", Some((Granularity::Accesses, Reduction::Off))),
    ("superstep", Some((Granularity::Accesses, Reduction::Supersteps))),
    ("ample", Some((Granularity::Accesses, Reduction::AmpleSets))),
    ("auto", None),
];

/// How many programs had which answer.
#[derive(Debug, Default)]
pub struct Tally {
    programs: u64,
    left_out: u64,
    races: u64,
    memory: u64,
    leaks: u64,
    assertions: u64,
    deadlocks: u64,
    right: u64,
    cut: u64,
}

/// Of all programs since the test began.
pub static TALLY: Mutex<Tally> = Mutex::new(Tally {
    programs: 0,
    left_out: 0,
    races: 0,
    memory: 0,
    leaks: 0,
    assertions: 0,
    deadlocks: 0,
    right: 0,
    cut: 0,
});

impl Tally {
    fn note(&mut self, found: Option<&Findings>) {
        self.programs += 1;
        let Some(found) = found else {
            self.left_out += 1;
            return;
        };
        self.races += u64::from(found.race);
        self.memory += u64::from(found.memory);
        self.leaks += u64::from(found.leak == Leak::Some);
        self.assertions += u64::from(found.assertion);
        self.deadlocks += u64::from(found.deadlock);
        self.right += u64::from(is_broken(found, "all") == Some(false));
    }

    /// Is what was compared worth comparing?
    ///
    /// # Errors
    /// What there was too little or too much of.
    pub fn check(&self) -> Result<(), String> {
        let judged = self.programs - self.left_out;
        let share = |n: u64| 100 * n / judged.max(1);
        let is_balanced = (20..=80).contains(&share(self.races))
            && (15..=80).contains(&share(self.memory))
            && (15..=80).contains(&share(self.right));
        let has_all = share(self.assertions) >= 2 && share(self.deadlocks) >= 1;
        let is_most = 20 * self.left_out <= self.programs && self.cut <= judged;
        // A few programs may be alike by chance.
        let is_worth_it = judged < 60 || is_balanced && is_most && (judged < 400 || has_all);
        is_worth_it.then_some(()).ok_or_else(|| format!("too much of one kind: {self:?}"))
    }
}

/// Judges the programs of a seed; gives how many answers were compared.
///
/// # Errors
/// The first difference, with the program made small.
pub fn judge(toolchain: &Toolchain, seed: u64) -> Result<u64, String> {
    let programs = programs(seed);
    let codes = code_of(toolchain, &programs, seed)?;
    let mut n_compared = 0;
    for (program, code) in programs.iter().zip(&codes) {
        let found = findings(program, BOUNDS);
        let found = found.ok().filter(is_comparable);
        TALLY.lock().expect("no worker panics").note(found.as_ref());
        let Some(found) = found else { continue };
        match judge_program(code, &found) {
            Ok(n) => n_compared += n,
            Err(why) => return Err(shrunk(toolchain, seed, program, why)),
        }
    }
    Ok(n_compared)
}

/// The programs of a seed.
pub fn programs(seed: u64) -> Vec<Program> {
    let mut rng = Rng::new(seed ^ 0x5EED_0FF5);
    (0..N_PROGRAMS).map(|_| sharing(&mut rng)).collect()
}

/// Their code, with the ends of scopes marked.
///
/// # Errors
/// They cannot be compiled.
pub fn code_of(
    toolchain: &Toolchain,
    programs: &[Program],
    seed: u64,
) -> Result<Vec<Code>, String> {
    let prefix = |k: usize| format!("p{k}_");
    let texts: String = programs
        .iter()
        .enumerate()
        .map(|(k, program)| with_prefix(&c_text(program), &prefix(k)))
        .collect();
    // Every third seed would leave the ends of scopes out.
    let how = Compilation { optimisation: 0, wraps: false, seed: 3 * seed + 1 };
    let module = toolchain.module(&format!("{PRELUDE}{texts}"), how)?;
    Ok((0..programs.len()).map(|k| isolated(&module, &prefix(k))).collect())
}

fn judge_program(code: &Code, found: &Findings) -> Result<u64, String> {
    let mut n_compared = 0;
    for name in QUESTIONS {
        let mut wanted = is_broken(found, name);
        for (way, ..) in WAYS {
            let is_small = found.n_states <= MAX_STATES_FOR_OPERATIONS;
            if way == "none" && !is_small {
                continue;
            }
            // Where the oracle leaves it open, all ways agree with the first.
            let answer = answer_of(code, name, way)?;
            let Some(answer) = answer else { continue };
            n_compared += u64::from(wanted.is_some());
            let is_wrong = wanted.is_some_and(|wanted| wanted != answer);
            if is_wrong {
                return Err(format!("{name} with {way} is wrong: violated: {answer}"));
            }
            wanted = Some(answer);
        }
    }
    Ok(n_compared)
}

/// Is something violated, for one way to search? `None` if time is up.
fn answer_of(code: &Code, name: &str, way: &str) -> Result<Option<bool>, String> {
    let questions = questions(name);
    let chosen = WAYS.iter().find(|(what, ..)| *what == way).and_then(|(_, how)| *how);
    let answer = match chosen {
        Some((granularity, reduction)) => in_small_steps(code, &questions, granularity, reduction),
        None => automatic(code, &questions),
    };
    match answer.map_err(|why| format!("{name} with {way} fails: {why}"))? {
        cut if is_cut(&cut) => {
            TALLY.lock().expect("no worker panics").cut += 1;
            Ok(None)
        }
        Answer::Holds => Ok(Some(false)),
        Answer::Violated(_) => Ok(Some(true)),
        Answer::Unknown(why) => Err(format!("{name} with {way} is not decided: {why}")),
    }
}

/// Does it not matter whether addresses come again, or is that searched?
fn is_comparable(found: &Findings) -> bool {
    BOUNDS.reuses_addresses || !found.compares_ended
}

/// Does some execution break what is asked about? `None` if nobody says.
fn is_broken(found: &Findings, name: &str) -> Option<bool> {
    let others = found.race || found.memory || found.assertion || found.deadlock;
    match (name, found.leak) {
        ("no-data-race", _) => Some(found.race || found.race_with_end),
        ("valid-memsafety", _) => Some(found.memory),
        ("unreach-call", _) => Some(found.assertion),
        ("no-deadlock", _) => Some(found.deadlock),
        ("all", _) if others => Some(true),
        (_, Leak::Depends) => None,
        (_, leak) => Some(leak == Leak::Some),
    }
}

/// What is asked, by names like those of the command.
pub fn questions(name: &str) -> Questions {
    let rules = match name {
        "valid-memsafety" => {
            vec![Rule::MemorySafety, Rule::InvalidFree, Rule::UninitialisedMemory]
        }
        "leaks" => vec![Rule::MemoryLeak],
        "unreach-call" => vec![Rule::Assertion],
        "all" => RULES.to_vec(),
        _ => Vec::new(),
    };
    let asks = |other| name == other || name == "all";
    let (races, deadlocks) = (asks("no-data-race"), asks("no-deadlock"));
    Questions { rules, races, deadlocks, accepted: Vec::new() }
}

/// A difference, with the program made small while there is one about the same question in
/// the same way to search.
fn shrunk(toolchain: &Toolchain, seed: u64, program: &Program, why: String) -> String {
    let started = Instant::now();
    let (mut small, mut last) = (program.clone(), why);
    while started.elapsed() < TIME_TO_SHRINK {
        let candidates = smaller(&small);
        let found = candidates
            .chunks(N_PROGRAMS)
            .find_map(|candidates| still_failing(toolchain, seed, candidates, &last));
        let Some(next) = found else { break };
        (small, last) = next;
    }
    saved(&format!("sharing seed {seed}: {last}"), &small)
}

/// The first of some programs that fails in the same way.
fn still_failing(
    toolchain: &Toolchain,
    seed: u64,
    programs: &[Program],
    why: &str,
) -> Option<(Program, String)> {
    let (name, rest) = why.split_once(" with ")?;
    let way = rest.split(' ').next()?;
    let judged: Vec<(Program, Findings)> = programs
        .iter()
        .filter_map(|program| findings(program, BOUNDS).ok().map(|found| (program.clone(), found)))
        .filter(|(_, found)| is_comparable(found))
        .collect();
    let programs: Vec<Program> = judged.iter().map(|(program, _)| program.clone()).collect();
    let codes = code_of(toolchain, &programs, seed).ok()?;
    judged.into_iter().zip(codes).find_map(|((program, found), code)| {
        let failure = judge_program(&code, &found).err()?;
        let start = format!("{name} with {way}");
        let end = |text: &str| text.rsplit(' ').next().map(str::to_owned);
        (failure.starts_with(&start) && end(&failure) == end(why)).then_some((program, failure))
    })
}

/// A message with its program, saved where the environment says.
pub fn saved(message: &str, program: &Program) -> String {
    crate::told(message, &format!("{PRELUDE}{}", with_prefix(&c_text(program), "")))
}
