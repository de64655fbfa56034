//! The meanings of a C program that are searched, and the plan that orders them.
//!
//! **Large steps first.** A step from one synchronisation to the next has far fewer
//! interleavings, and is right only for programs without data races. So that variant is
//! asked about data races as well: where it has none, its answer is the program's; where
//! it has one that nobody asked about, the program is searched access by access
//! (Lipton, "Reduction", CACM 1975, is the idea; `Granularity` has the argument).
//! **Store buffers last.** Under C11 a store weaker than `seq_cst` may become visible late.
//! The last variant delays such stores, in few states: it finds errors and proves nothing.
//! So where code that a run may come to has atomics weaker than `seq_cst`, proofs presume
//! sequential consistency.
//! **Any number of threads.** Where threads are created in a loop, a variant in which they have
//! no names, and some variables no values, is looked at thread by thread, in large steps and
//! then in small ones. Each run of the program, whatever its number of threads, is one of that
//! variant, so that its proofs are the program's; its errors are followed in a variant without
//! names that holds all that matters, where they are the program's own.

mod crowd;

pub use crowd::{Crowd, Scout};

use model::{
    Attempt, Consequence, Fairness, GrowingBound, Implication, Implications, NamedFormula, Plan,
    Presumption, Problem, SearchBounds, SourceFile, Stage, StageId, ThreadCount, ThreadProgram,
    ThreadRuns, Variant, Verdict,
};

use crate::code::{Code, Place};
use crate::forgotten::{Forgotten, Held};
use crate::machine::{Granularity, Identities, Joins, MemoryModel, Options, Rule};
use crate::program::{CProgram, NoProgram, Questions};

/// One operation a step.
pub const OPERATIONS: Variant = Variant::named("operations");
/// One access to shared memory a step.
pub const ACCESSES: Variant = Variant::named("accesses");
/// Steps from one synchronisation to the next.
pub const SYNCHRONISATIONS: Variant = Variant::named("synchronisations");
/// Stores that wait in a store buffer.
pub const STORE_BUFFERS: Variant = Variant::named("store buffers");

/// Stages that any number of threads take: a first look, two sizes of steps, few threads, and
/// following what these do.
const STAGES_OF_A_CROWD: usize = 5;

/// States that are searched before threads without names are looked at.
const MAX_STATES_AT_FIRST: u64 = 4_000;

/// Threads at once in these states.
const MAX_SLOTS_AT_FIRST: u32 = 8;

/// A C program starts with one thread, which creates the others.
const AT_THE_START: ThreadCount = ThreadCount::Exactly(1);

/// States that are searched before random runs are tried.
const MAX_FIRST_STATES: u64 = 30_000;

/// States that are searched for each number of context switches.
const MAX_STATES_OF_FEW_SWITCHES: u64 = 60_000;

/// Context switches that runs are searched with before all are.
const FEW_SWITCHES: GrowingBound = GrowingBound::new(1, 2);

/// Places of weak atomics that are named; the rest is counted.
const MAX_NAMED_PLACES: usize = 4;

/// States that are searched with store buffers.
const MAX_BUFFERED_STATES: u64 = 100_000;

/// The variant that a program with these options is, and what it is in words.
pub(crate) fn meaning(options: &Options) -> (Variant, &'static str) {
    if options.identities != Identities::Named {
        return meaning_for_any_number(options);
    }
    match options.granularity {
        _ if options.memory_model == MemoryModel::StoreBuffers => {
            (STORE_BUFFERS, "stores weaker than `seq_cst` wait in a store buffer")
        }
        Granularity::Operations => (OPERATIONS, "one operation a step"),
        Granularity::Accesses => (ACCESSES, "steps from one access to shared memory to the next"),
        Granularity::Synchronisations => {
            (SYNCHRONISATIONS, "steps from one synchronisation to the next")
        }
    }
}

/// What names of variants begin with that are about any number of threads.
const ANY_NUMBER: &str = "any number of threads";
/// The name of the variant in which their runs are followed.
const FOLLOWED: &str = "threads without names";

/// Is it one of the variants that any number of threads are looked at in?
pub fn is_of_any_number(variant: &Variant) -> bool {
    variant.name().starts_with(ANY_NUMBER) || variant.name().starts_with(FOLLOWED)
}

/// The same of a variant in which threads have no names.
fn meaning_for_any_number(options: &Options) -> (Variant, &'static str) {
    let large = options.granularity == Granularity::Synchronisations;
    let (name, words) = match (options.identities, large) {
        (Identities::Anonymous(Joins::AnyTime), true) => (
            "any number of threads, synchronisations",
            "threads without names, in steps from one synchronisation to the next",
        ),
        (Identities::Anonymous(Joins::AnyTime), false) => (
            "any number of threads, accesses",
            "threads without names, in steps from one access to shared memory to the next",
        ),
        _ => (FOLLOWED, "threads without names, which are not joined"),
    };
    let forgotten: Vec<String> = options.forgotten.iter().map(Held::code).collect();
    let is_exact = !options.over_approximates && name != FOLLOWED;
    let variant = match forgotten.is_empty() {
        true if is_exact => Variant::called(format!("{name}, all values")),
        true => Variant::named(name),
        false => Variant::called(format!("{name}, without {}", forgotten.join(" "))),
    };
    (variant, words)
}

/// A compiled program, with all that its variants have in common.
pub struct Compiled<'a> {
    /// The code.
    pub code: Code,
    /// How the smallest steps that are wanted run.
    pub options: Options,
    /// What is asked.
    pub questions: Questions,
    /// The files that places speak of.
    pub sources: &'a [SourceFile],
    /// Functions that must be true in every state.
    pub invariants: &'a [String],
    /// The function that says which states count as equal.
    pub abstraction: Option<&'a str>,
}

impl Compiled<'_> {
    /// The variant in the smallest steps that are wanted.
    ///
    /// # Errors
    /// Why there is none.
    pub fn smallest_steps(&self) -> Result<CProgram, NoProgram> {
        self.program(self.options.clone(), self.questions.clone())
    }

    fn program(&self, options: Options, questions: Questions) -> Result<CProgram, NoProgram> {
        let mut program = CProgram::new(self.code.clone(), options, questions, self.sources)?;
        for name in self.invariants {
            let observer = program.function_named(name);
            let refusal = |why| NoProgram(format!("`{name}` cannot be an invariant: {why}"));
            program = program.with_invariant(name, observer.map_err(refusal)?)?;
        }
        match self.abstraction {
            Some(name) => program.with_abstraction(name),
            None => Ok(program),
        }
    }

    /// May the questions be asked of any number of threads?
    ///
    /// # Errors
    /// What is asked that is not about any number of threads.
    pub fn may_be_any_number(&self) -> Result<(), Reservation> {
        let other = |what| Err(Reservation::Other(what));
        match self {
            _ if self.questions.deadlocks => other("deadlocks"),
            _ if self.questions.rules.contains(&Rule::MemoryLeak) => other("memory leaks"),
            _ if !self.options.spurious_wakeups => other("runs without spurious wake-ups"),
            _ if !self.invariants.is_empty() => other("invariants"),
            _ if self.abstraction.is_some() => other("states under an abstraction"),
            _ if self.options.memory_model == MemoryModel::HappensBefore => {
                Err(Reservation::HappensBefore)
            }
            _ => Ok(()),
        }
    }

    /// The variant for any number of threads that holds nothing of these variables; in large
    /// steps it asks about data races, too.
    ///
    /// # Errors
    /// Why there is none.
    pub fn crowd(&self, crowd: &Crowd, granularity: Granularity) -> Result<CProgram, NoProgram> {
        let is_asked = |rule: Rule| self.questions.rules.contains(&rule);
        // What is anything cannot be told later from what was never set.
        let refuses_unset = is_asked(Rule::UninitialisedMemory);
        let may_be_anything = !refuses_unset || !self.code.mentions_unset();
        let over_approximates = may_be_anything && !crowd.is_exact;
        let large = granularity == Granularity::Synchronisations;
        let options = Options {
            granularity,
            identities: Identities::Anonymous(Joins::AnyTime),
            forgotten: match over_approximates {
                true => crowd.forgotten.clone(),
                false => Forgotten::default(),
            },
            over_approximates,
            refuses_unset: refuses_unset && over_approximates,
            refuses_unbounded: is_asked(Rule::MemorySafety) && over_approximates,
            checks_thread_misuse: is_asked(Rule::ThreadMisuse),
            checks_unset: self.options.checks_unset && !over_approximates,
            unset_is_any: self.options.unset_is_any && !over_approximates,
            ..self.options.clone()
        };
        let questions =
            Questions { races: self.questions.races || large, ..self.questions.clone() };
        self.program(options, questions)
    }

    /// The variant in which runs for any number of threads are followed: it holds all but
    /// memory in which handles of threads lie and that nobody looks at.
    fn followed(&self, handles: &Forgotten) -> Result<CProgram, NoProgram> {
        let options = Options {
            granularity: Granularity::Accesses,
            identities: Identities::Anonymous(Joins::Never),
            forgotten: handles.clone(),
            ..self.options.clone()
        };
        self.program(options, self.questions.clone())
    }

    fn in_large_steps(&self) -> Options {
        Options { granularity: Granularity::Synchronisations, ..self.options.clone() }
    }

    /// The variant that large steps are; it asks about data races, too.
    fn coarse(&self) -> Result<CProgram, NoProgram> {
        let questions = Questions { races: true, ..self.questions.clone() };
        self.program(self.in_large_steps(), questions)
    }

    /// The variant with store buffers, where the code has stores that may wait and
    /// something is asked that does not go by happens-before.
    fn buffered(&self) -> Option<Result<CProgram, NoProgram>> {
        let asks_more_than_races = !self.questions.rules.is_empty() || self.questions.deadlocks;
        let has_buffers = self.code.has_stores_that_wait() && asks_more_than_races;
        let options = Options { memory_model: MemoryModel::StoreBuffers, ..self.in_large_steps() };
        let questions = Questions { races: false, ..self.questions.clone() };
        has_buffers.then(|| self.program(options, questions))
    }
}

/// Why questions are not asked of any number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reservation {
    /// They are about what happens before what, since atomics are weaker than `seq_cst` or
    /// locks are tried.
    HappensBefore,
    /// This is asked, which is about a given number of threads.
    Other(&'static str),
}

/// Which variants are wanted beside the one in the smallest steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Are large steps tried first?
    pub large_steps: bool,
    /// Are store buffers tried last?
    pub store_buffers: bool,
    /// Is any number of threads tried, and what is forgotten then?
    pub crowd: Option<Crowd>,
    /// Has the user said that any number of threads are asked about?
    pub any_number: bool,
}

/// The variants of one program.
pub struct CVariants {
    /// For any number of threads: in large steps, and in small ones.
    crowd: Option<[CProgram; 2]>,
    /// The same with all that threads share, to find errors with.
    hunted: Option<CProgram>,
    followed: Option<CProgram>,
    coarse: Option<CProgram>,
    fine: CProgram,
    buffered: Option<CProgram>,
    asks_for_races: bool,
    any_number: bool,
    formula: Option<NamedFormula>,
    /// Where the atomics are that are weaker than `seq_cst`, in code that a run may come to.
    weak_atomics: Vec<u32>,
}

impl CVariants {
    /// The variants for questions about states.
    ///
    /// # Errors
    /// Why there is no program.
    pub fn new(compiled: &Compiled<'_>, wanted: &Wanted) -> Result<CVariants, NoProgram> {
        let crowd = wanted.crowd.as_ref().map(|crowd| {
            let program = |granularity| compiled.crowd(crowd, granularity);
            Ok([program(Granularity::Synchronisations)?, program(Granularity::Accesses)?])
        });
        let hunted = wanted
            .crowd
            .as_ref()
            .map(|crowd| compiled.crowd(&crowd.of_threads(), Granularity::Accesses));
        let followed = wanted.crowd.as_ref().map(|crowd| compiled.followed(&crowd.handles));
        let coarse = wanted.large_steps.then(|| compiled.coarse()).transpose()?;
        let buffered = wanted.store_buffers.then(|| compiled.buffered()).flatten().transpose()?;
        Ok(CVariants {
            crowd: crowd.transpose()?,
            hunted: hunted.transpose()?,
            followed: followed.transpose()?,
            coarse,
            fine: compiled.smallest_steps()?,
            buffered,
            asks_for_races: compiled.questions.races,
            any_number: wanted.any_number,
            formula: None,
            weak_atomics: compiled.code.weak_atomics(),
        })
    }

    /// The only variant that formulas about runs are checked for.
    pub fn of_runs(program: CProgram, formula: NamedFormula) -> CVariants {
        CVariants {
            weak_atomics: program.code().weak_atomics(),
            crowd: None,
            hunted: None,
            followed: None,
            coarse: None,
            fine: program,
            buffered: None,
            asks_for_races: false,
            any_number: false,
            formula: Some(formula),
        }
    }

    /// The code that all variants run.
    pub fn code(&self) -> &Code {
        self.fine.code()
    }

    /// What a verdict rests on beside the program, one sentence each.
    pub fn remarks(&self, verdict: &Verdict) -> Vec<String> {
        let is_error = matches!(verdict, Verdict::Violated(_));
        let programs = self.coarse.iter().chain([&self.fine]).chain(&self.buffered);
        let programs = programs.chain(self.crowd.iter().flatten()).chain(&self.followed);
        let mut remarks: Vec<String> = Vec::new();
        for remark in programs.flat_map(|program| program.remarks(is_error)) {
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        let is_open =
            matches!(verdict, Verdict::Unknown(_)) && self.crowd.is_none() && !self.any_number;
        if is_open && self.code().creates_threads_in_loops() {
            remarks.push(
                "threads are created in a loop: --threads any looks for a proof whatever their \
                 number"
                    .to_owned(),
            );
        }
        let answering = self.crowd.iter().flatten().find(|it| it.variant() == verdict.variant());
        remarks.extend(answering.and_then(CProgram::remark_on_forgotten));
        remarks.extend(self.weakness().filter(|_| matches!(verdict, Verdict::Holds(_))));
        remarks
    }

    /// What a proof presumes.
    fn presumes(&self) -> Option<Presumption> {
        (!self.weak_atomics.is_empty()).then_some(Presumption::SequentialConsistency)
    }

    /// Which operations make a proof presume something.
    fn weakness(&self) -> Option<String> {
        let code = self.code();
        let place = |&idx: &u32| code.places.get(idx as usize).map_or(String::new(), Place::words);
        let mut places: Vec<String> = self.weak_atomics.iter().map(place).collect();
        places.dedup();
        let n_more = places.len().saturating_sub(MAX_NAMED_PLACES);
        places.truncate(MAX_NAMED_PLACES);
        let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
        self.presumes()?;
        Some(format!("atomic operations weaker than `seq_cst`: {}{more}", places.join(", ")))
    }

    /// What is searched, in which order, and what each verdict implies. With
    /// `random_runs`, some are tried where a search takes long.
    pub fn plan(&self, fairness: Fairness, random_runs: bool) -> Plan<'_> {
        if let Some(formula) = &self.formula {
            let runs = ThreadRuns { program: &self.fine, formula, fairness };
            let exact = Implications::EXACT;
            let holds = exact.holds.presuming(self.presumes());
            let implications = Implications { holds, ..exact };
            let stage = stage(&self.fine, Problem::ThreadRuns(runs));
            return Plan::new(vec![Stage { implications, ..stage }]);
        }
        let n_before = if self.crowd.is_some() { STAGES_OF_A_CROWD } else { 0 };
        let fine = StageId(n_before + usize::from(self.coarse.is_some()));
        let buffers = self.buffered.as_ref().map(|_| StageId(fine.0 + 1));
        let mut stages: Vec<Stage<'_>> = Vec::new();
        let searched =
            self.coarse.iter().map(|program| self.coarse_stage(program, (fine, buffers)));
        let searched: Vec<Stage<'_>> = searched.chain([self.fine_stage(buffers)]).collect();
        if let (Some(crowd), Some(hunted), Some(followed)) =
            (&self.crowd, &self.hunted, &self.followed)
        {
            stages.push(first_look(searched[0].clone()));
            stages.extend(
                crowd
                    .iter()
                    .zip(2..)
                    .map(|(program, next)| self.crowd_stage(program, StageId(next))),
            );
            stages.push(hunt_stage(hunted));
            stages.push(follow_stage(followed));
        }
        stages.extend(
            searched.into_iter().map(|stage| Stage { attempts: attempts(random_runs), ..stage }),
        );
        stages.extend(self.buffered.iter().map(buffered_stage));
        Plan::new(stages)
    }

    /// Threads without names, one by one.
    fn crowd_stage<'a>(&self, program: &'a CProgram, next: StageId) -> Stage<'a> {
        let alarm = "with threads without names, and variables without values, there are more \
                     runs than the program has";
        let implications = Implications {
            holds: Implication::answers(
                "each run of the program, whatever its number of threads, is one of these",
            )
            .presuming(self.presumes()),
            race: Implication::leaves_open(next, alarm),
            violated: Implication::leaves_open(next, alarm),
            unknown: Implication::leaves_open(next, "there are other ways to find out"),
        };
        let (_, semantics) = meaning(program.options());
        let stage = Stage::exact(semantics, Problem::Threads(program), ThreadCount::Any);
        Stage { implications, attempts: vec![Attempt::ThreadByThread], ..stage }
    }

    fn coarse_stage<'a>(
        &self,
        program: &'a CProgram,
        (fine, buffers): (StageId, Option<StageId>),
    ) -> Stage<'a> {
        let race = match self.asks_for_races {
            true => Implication::answers("it is a run of the program"),
            false => Implication::leaves_open(
                fine,
                "large steps are right only without data races, and nobody asked about those",
            ),
        };
        let no_races = "it shows that there is no data race, and without one no thread can tell \
                        when another makes a plain access";
        let implications = Implications {
            holds: self.holds(no_races, buffers),
            race,
            violated: Implication::answers("a run in large steps is a run of the program"),
            unknown: Implication::answers("smaller steps have more states, not fewer"),
        };
        let problem = Problem::Threads(program);
        Stage { implications, ..stage(program, problem) }
    }

    fn fine_stage(&self, buffers: Option<StageId>) -> Stage<'_> {
        let exact = Implications::EXACT;
        let sees = "other threads see nothing but accesses to shared memory";
        let holds = self.holds(sees, buffers);
        let implications = Implications { holds, ..exact };
        let problem = Problem::Threads(&self.fine);
        Stage { implications, ..stage(&self.fine, problem) }
    }

    /// What it implies that nothing is wrong under sequential consistency.
    fn holds(&self, because: &'static str, buffers: Option<StageId>) -> Implication {
        let implication = match buffers {
            None => Implication::answers(because),
            Some(stage) => Implication::answers_unless_refuted(stage, because),
        };
        implication.presuming(self.presumes())
    }
}

/// The first look at a variant that is searched later: what is open is asked again.
fn first_look(stage: Stage<'_>) -> Stage<'_> {
    let open = Implication::leaves_open(StageId(1), "few states were searched");
    let race = match stage.implications.race.consequence {
        Consequence::LeavesOpen(_) => Implication::leaves_open(
            StageId(1),
            "large steps are right only without data races, and nobody asked about those",
        ),
        _ => stage.implications.race,
    };
    let implications = Implications { race, unknown: open, ..stage.implications };
    let first = SearchBounds {
        slots: Some(GrowingBound::new(1, MAX_SLOTS_AT_FIRST)),
        ..SearchBounds::everything(AT_THE_START).first_states(MAX_STATES_AT_FIRST)
    };
    Stage { implications, attempts: vec![Attempt::Search(first)], ..stage }
}

/// Few threads without names, which hold all that they share: a run to follow.
fn hunt_stage(program: &CProgram) -> Stage<'_> {
    let next = StageId(STAGES_OF_A_CROWD - 1);
    let because = "it is followed where all values that matter are held";
    let open = Implication::leaves_open(next, because);
    let implications = Implications { holds: open, race: open, violated: open, unknown: open };
    let (_, semantics) = meaning(program.options());
    let stage = Stage::exact(semantics, Problem::Threads(program), ThreadCount::Any);
    Stage { implications, attempts: vec![Attempt::FewThreads], ..stage }
}

/// What an earlier stage has found of threads without names, with all values that matter.
fn follow_stage(program: &CProgram) -> Stage<'_> {
    let next = StageId(STAGES_OF_A_CROWD);
    let found = Implication::answers(
        "no thread is joined, so that who is who makes no difference: it is a run of the program",
    );
    let implications = Implications {
        holds: Implication::leaves_open(next, "it was not searched"),
        race: found,
        violated: found,
        unknown: Implication::leaves_open(next, "the run could not be followed"),
    };
    let (_, semantics) = meaning(program.options());
    let stage = Stage::exact(semantics, Problem::Threads(program), AT_THE_START);
    Stage { implications, attempts: vec![Attempt::Follow], ..stage }
}

/// A search; or a small one, random runs, runs with few context switches, and then the whole.
fn attempts(random_runs: bool) -> Vec<Attempt> {
    let everything = SearchBounds::everything(AT_THE_START);
    match random_runs {
        false => vec![Attempt::Search(everything)],
        true => {
            let first = everything.first_states(MAX_FIRST_STATES);
            let few = everything.few_switches(FEW_SWITCHES);
            let few = few.first_states(MAX_STATES_OF_FEW_SWITCHES);
            vec![
                Attempt::Search(first),
                Attempt::RandomRuns,
                Attempt::Search(few),
                Attempt::Search(everything),
            ]
        }
    }
}

fn stage<'a>(program: &CProgram, problem: Problem<'a>) -> Stage<'a> {
    let (_, semantics) = meaning(program.options());
    Stage::exact(semantics, problem, AT_THE_START)
}

fn buffered_stage(program: &CProgram) -> Stage<'_> {
    let found = Implication::answers("C11 lets such stores become visible late").with_note(
        "the error needs a store buffer: a store that is not sequentially consistent becomes \
         visible to other threads after a delay; without delays no run fails",
    );
    let implications = Implications {
        holds: Implication::adds_nothing("store buffers are only a part of what C11 allows")
            .with_note(
                "with store buffers nothing is wrong either; other behaviours of weak atomics are \
                 not explored",
            ),
        race: found,
        violated: found,
        unknown: Implication::adds_nothing("the proof under sequential consistency stands")
            .with_note(
                "with store buffers nothing wrong was found in the first states; other behaviours \
                 of weak atomics are not explored",
            ),
    };
    let first = SearchBounds::everything(AT_THE_START).first_states(MAX_BUFFERED_STATES);
    let attempts = vec![Attempt::Search(first)];
    Stage { implications, attempts, ..stage(program, Problem::Threads(program)) }
}

#[cfg(test)]
mod tests;
