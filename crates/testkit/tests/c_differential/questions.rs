//! Invariants, formulas and bounds on context switches: the answer is the same however
//! steps are joined, and for invariants it is what observing all states says.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use engine::explicit::{self, Reduction};
use engine::{Engine, Method};
use llvm::code::{Code, NumberStyle, Shape as ValueShape};
use llvm::machine::{Granularity, Options};
use llvm::memory::SharedStore;
use llvm::{CProgram, Observer, Questions};
use model::{
    Context, Fairness, GrowingBound, Limits, NamedFormula, Plan, Problem, Stage, StageId,
    StopReason, ThreadCount, ThreadRuns, Verdict,
};
use testkit::random::c::{Shape, Threads, threads};
use testkit::random::formula;
use testkit::rng::Rng;

use crate::batch::{self, Batch};
use crate::explore::{Behaviour, explore};
use crate::toolchain::{Compilation, Toolchain, isolated};

const N_PROGRAMS: usize = 8;
const MAX_STATES: usize = 5_000;
/// Formulas and invariants of each program.
const N_QUESTIONS: usize = 4;
const TIME: Duration = Duration::from_secs(20);

/// How steps are joined; the plainest first.
const WAYS: [(&str, Granularity, Reduction); 4] = [
    ("global", Granularity::Accesses, Reduction::Off),
    ("none", Granularity::Operations, Reduction::Off),
    ("superstep", Granularity::Accesses, Reduction::Supersteps),
    ("lone threads", Granularity::Accesses, Reduction::AmpleSets),
];

/// Judges the programs of a seed; gives how many answers were compared.
///
/// # Errors
/// The first disagreement, with the program.
pub fn judge(toolchain: &Toolchain, seed: u64) -> Result<u64, String> {
    let mut rng = Rng::new(seed ^ 0x51CE);
    let mut shaped = || {
        let shape = Shape { races: rng.chance(60), deadlocks: rng.chance(40), assertions: false };
        threads(&mut rng, shape)
    };
    let programs = (0..N_PROGRAMS).map(|_| shaped()).collect();
    Batch { what: "questions", programs, seed }.judge(toolchain, judge_programs)
}

fn judge_programs(toolchain: &Toolchain, programs: &[Threads], seed: u64) -> Result<u64, String> {
    let how = Compilation { optimisation: 0, wraps: true, seed };
    let module = toolchain.module(&batch::file(programs), how)?;
    let mut n_compared = 0;
    for k in 0..programs.len() {
        let code = isolated(&module, &format!("p{k}_"));
        let mut rng = Rng::new(seed.wrapping_mul(31).wrapping_add(k as u64));
        n_compared += judge_program(&code, &format!("p{k}_out"), &mut rng)?;
    }
    Ok(n_compared)
}

fn program(code: &Code, granularity: Granularity) -> Result<CProgram, String> {
    let options = Options { granularity, ..Options::default() };
    let questions =
        Questions { rules: Vec::new(), races: false, deadlocks: false, accepted: Vec::new() };
    CProgram::new(code.clone(), options, questions, &[]).map_err(|why| why.0)
}

fn judge_program(code: &Code, array: &str, rng: &mut Rng) -> Result<u64, String> {
    let behaviour = match explore(&program(code, Granularity::Accesses)?, array, MAX_STATES) {
        Err(why) if why.starts_with("too many") || why.starts_with("refused") => return Ok(0),
        behaviour => behaviour?,
    };
    let variables = variables(code);
    if variables.is_empty() {
        return Ok(0);
    }
    let mut n_compared = 0;
    for _ in 0..N_QUESTIONS {
        let asked = [(); 2].map(|()| Asked::random(rng, &variables, &behaviour));
        n_compared += invariant_is_as_seen(code, &asked[0], &behaviour)?;
        n_compared += formula_has_one_answer(code, &asked, rng)?;
    }
    n_compared += switches_end_with_all(code, &Asked::random(rng, &variables, &behaviour))?;
    Ok(n_compared)
}

/// A variable of the program that is a number: which, its name, its size.
type Variable = (usize, String, usize);

fn variables(code: &Code) -> Vec<Variable> {
    let numbered = code.globals.iter().enumerate();
    let numbers = numbered.filter_map(|(idx, variable)| match &variable.shape {
        ValueShape::Number { bytes, style } if *style != NumberStyle::Float => {
            Some((idx, variable.name.clone(), *bytes as usize))
        }
        _ => None,
    });
    numbers.collect()
}

/// A variable compared with a number.
#[derive(Clone, Debug)]
struct Asked {
    variable: Variable,
    bits: u64,
}

impl Asked {
    /// About a value that the variable has in some state, or now and then in none. Questions
    /// name numbers up to 2^63 - 1.
    fn random(rng: &mut Rng, variables: &[Variable], behaviour: &Behaviour) -> Asked {
        let variable = variables[rng.below(variables.len() as u32) as usize].clone();
        let values = values(&variable, behaviour).into_iter();
        let values: Vec<u64> = values.filter(|&bits| i64::try_from(bits).is_ok()).collect();
        let bits = match rng.chance(80) && !values.is_empty() {
            true => values[rng.below(values.len() as u32) as usize],
            false => 77,
        };
        Asked { variable, bits }
    }

    /// That it has the value, or that it has not.
    fn observer(&self, program: &CProgram, sign: &str) -> Result<Observer, String> {
        let signed = program.comparison(&self.variable.1, sign, self.signed());
        signed.or_else(|_| program.comparison(&self.variable.1, sign, self.bits as i64))
    }

    fn signed(&self) -> i64 {
        let unused = 64 - 8 * self.variable.2 as u32;
        ((self.bits << unused) as i64) >> unused
    }
}

/// The values of a variable in all states.
fn values((object, _, n_bytes): &Variable, behaviour: &Behaviour) -> BTreeSet<u64> {
    let mut values = BTreeSet::new();
    for store in &behaviour.shared {
        let shared = SharedStore::from_bytes(store.bytes());
        let object = shared.object(*object as u32).expect("variables stay");
        let mut word = [0; 8];
        word[..*n_bytes].copy_from_slice(&object.bytes()[..*n_bytes]);
        values.insert(u64::from_le_bytes(word));
    }
    values
}

fn invariant_is_as_seen(code: &Code, asked: &Asked, behaviour: &Behaviour) -> Result<u64, String> {
    let wanted = values(&asked.variable, behaviour).contains(&asked.bits);
    let mut n_compared = 0;
    for (what, granularity, reduction) in WAYS {
        let program = program(code, granularity)?;
        let observer = asked.observer(&program, "!=")?;
        let program = match program.with_invariant("it", observer) {
            Ok(program) => program,
            Err(why) => return Err(why.0),
        };
        let search = explicit::SearchOptions { reduction, ..explicit::SearchOptions::default() };
        let found = verdict(Problem::Threads(&program), search)?;
        if granularity == Granularity::Operations && found.is_none() {
            // There are many more states, and not much time.
            continue;
        }
        if found != Some(wanted) {
            return Err(format!(
                "an invariant with {what} is wrong: {found:?}, but violated: {wanted} ({asked:?})"
            ));
        }
        n_compared += 1;
    }
    Ok(n_compared)
}

/// Is it violated? `None` if that is not known.
fn verdict(problem: Problem<'_>, search: explicit::SearchOptions) -> Result<Option<bool>, String> {
    bounded_verdict(problem, search, None)
}

/// The same for runs with few pre-emptive context switches.
fn bounded_verdict(
    problem: Problem<'_>,
    search: explicit::SearchOptions,
    switches: Option<GrowingBound>,
) -> Result<Option<bool>, String> {
    let limits = Limits { deadline: Some(Instant::now() + TIME), jobs: 1, ..Limits::none() };
    let method = Method { search, ..Method::from(Engine::Explicit) };
    let stage = Stage::exact("the program", problem, ThreadCount::Exactly(1));
    let mut plan = Plan::new(vec![stage]);
    plan.bound_searches(|bounds| bounds.switches = switches);
    let stage = plan.stage(StageId(0));
    let how = verify::Guided { method, guide: None };
    let outcome = verify::search(stage, how, Context::silent(&limits)).outcome;
    certify::check(problem, stage.threads, &outcome.verdict, &limits)
        .map_err(|rejection| format!("the re-check rejects an answer ({search:?}): {rejection}"))?;
    Ok(match outcome.verdict {
        Verdict::Holds(_) => Some(false),
        Verdict::Violated(_) => Some(true),
        Verdict::Unknown(StopReason::Incomplete { why }) if why.contains("was found, but") => {
            return Err(format!("an error is lost ({search:?}): {why}"));
        }
        Verdict::Unknown(_) => None,
    })
}

fn formula_has_one_answer(code: &Code, asked: &[Asked; 2], rng: &mut Rng) -> Result<u64, String> {
    let formula = formula::random(rng, 3);
    let named = NamedFormula {
        text: formula.to_string(),
        formula,
        propositions: vec!["p0".into(), "p1".into()],
    };
    let fairness = if rng.chance(50) { Fairness::Weak } else { Fairness::None };
    let (mut first, mut n_compared) = (None, 0);
    for (what, granularity, reduction) in &WAYS[..3] {
        let program = program(code, *granularity)?;
        let observers = [asked[0].observer(&program, "==")?, asked[1].observer(&program, "==")?];
        let [one, other] = observers;
        let program = program.with_propositions(&[("p0".into(), one), ("p1".into(), other)]);
        let program = program.map_err(|why| why.0)?;
        let problem = ThreadRuns { program: &program, formula: &named, fairness };
        let search =
            explicit::SearchOptions { reduction: *reduction, ..explicit::SearchOptions::default() };
        let found = verdict(Problem::ThreadRuns(problem), search)?;
        let wanted = *first.get_or_insert(found);
        n_compared += u64::from(found.is_some() && wanted.is_some());
        if found != wanted && found.is_some() {
            return Err(format!(
                "a formula with {what} is wrong: {found:?}, but with global {wanted:?} ({}, \
                 {fairness:?}, {asked:?})",
                named.text
            ));
        }
    }
    Ok(n_compared)
}

/// With more and more switches the answer becomes the one without a bound, and an error
/// with few is one with more.
fn switches_end_with_all(code: &Code, asked: &Asked) -> Result<u64, String> {
    let mut answers = Vec::new();
    let bounds = [Some((0, 0)), Some((1, 1)), Some((2, 2)), Some((0, 4)), None];
    for (what, granularity, reduction) in &WAYS[..3] {
        for bound in bounds {
            let program = program(code, *granularity)?;
            let observer = asked.observer(&program, "!=")?;
            let program = program.with_invariant("it", observer).map_err(|why| why.0)?;
            let switches = bound.map(|(first, last)| GrowingBound::new(first, last));
            let search = explicit::SearchOptions {
                reduction: *reduction,
                ..explicit::SearchOptions::default()
            };
            let found = bounded_verdict(Problem::Threads(&program), search, switches)?;
            answers.push((what, bound, found));
        }
    }
    let all = answers[bounds.len() - 1].2;
    for (what, bound, found) in &answers {
        // Runs in which a thread spins have switches without end.
        if found.is_some() && *found != all {
            return Err(format!(
                "a bound with {what} is wrong: {found:?} with {bound:?}, but {all:?} ({asked:?})"
            ));
        }
    }
    let is_growing = answers.chunks(bounds.len()).all(|found| {
        let found: Vec<bool> = found[..4].iter().map(|answer| answer.2 == Some(true)).collect();
        found.windows(2).all(|pair| pair[0] <= pair[1])
    });
    match is_growing {
        true => Ok(answers.iter().filter(|answer| answer.2.is_some()).count() as u64),
        false => Err(format!("an error is lost with more switches: {answers:?} ({asked:?})")),
    }
}
