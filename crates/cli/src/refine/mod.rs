//! `refine`: does the thread of one program do to the shared store only what that of another
//! allows, and what follows from it for any number of threads?

mod correspondence;

use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use certify::Rejection;
use engine::Method;
use frontend::Question;
use model::{
    Limits, Outcome, Problem, Refinement, RefinementQuestion, SharedCorrespondence, StopReason,
    ThreadCount, ThreadProgram, Verdict,
};
use report::refinement::{Conclusion, Overall, RefinementStudy};
use report::text::TextStyle;

use crate::args::{AskedArgs, CutoffFormat, RefineArgs};
use crate::exit::Exit;
use crate::input::{Input, Loaded};
use crate::progress::LiveLine;
use crate::{bounds, check, input, interrupt, output};

/// Runs the verb.
pub fn run(args: &RefineArgs, started: Instant) -> anyhow::Result<Exit> {
    let interrupted = interrupt::flag();
    let limits = bounds::put_in_force(&args.limits, started, Arc::clone(&interrupted));
    let asked = AskedArgs { keeps_variables: true, any_environment: true, ..AskedArgs::nothing() };
    let needed = AskedArgs { needs_property: args.conclude, ..asked.clone() };
    let implementation = input::load(&args.load_implementation(), &asked, !args.quiet)?;
    let specification = input::load(&args.load_specification(), &needed, !args.quiet)?;
    let (Some(own), Some(other)) = (&implementation.loaded, &specification.loaded) else {
        return Ok(Exit::BadInput);
    };
    let programs = (program(own, &implementation)?, program(other, &specification)?);
    let (shared, too_many) = match correspondence::shared(own, other)? {
        Ok(shared) => (shared, None),
        Err(reason) => (SharedCorrespondence::default(), Some(reason)),
    };
    let targets = match args.conclude {
        true => correspondence::targets(programs.0, programs.1),
        false => Vec::new(),
    };
    let question = RefinementQuestion {
        implementation: programs.0,
        specification: programs.1,
        shared: &shared,
        targets: &targets,
    };
    let line = LiveLine::new(!args.quiet);
    let work = Work { args, limits: &limits, line: &line };
    let answered = match too_many {
        Some(reason) => Ok((Refinement::Unknown { reason }, Vec::new())),
        None => work.answer(&question),
    };
    let answered = answered.and_then(|(answer, statistics)| {
        let conclusion = args.conclude.then(|| work.conclude(&question, &answer)).transpose()?;
        Ok((answer, statistics, conclusion))
    });
    line.clear();
    let (answer, statistics, conclusion) = match answered {
        Ok(answered) => answered,
        Err(rejection) => return Ok(check::confess(&rejection)),
    };
    let notes: Vec<String> =
        implementation.notes.iter().chain(&specification.notes).cloned().collect();
    let study = RefinementStudy {
        question,
        implementation: &implementation.files,
        specification: &specification.files,
        answer: &answer,
        statistics: &statistics,
        conclusion: conclusion.as_ref(),
        notes: &notes,
        effort: (!args.no_timing).then(|| check::effort(started)),
    };
    publish(args, &study)?;
    Ok(exit_of(&study))
}

/// The thread program of a model.
fn program<'a>(loaded: &'a Loaded, input: &Input) -> anyhow::Result<&'a dyn ThreadProgram> {
    match loaded.problem(Question::default()) {
        Problem::Threads(program) => Ok(program),
        _ => bail!(
            "`{}` is not a program that threads run, and refinement is between two of these",
            input.files[0].name
        ),
    }
}

/// An answer with the figures of its search.
type Answered = (Refinement, Vec<(String, u64)>);

/// What the engines are called with.
struct Work<'a> {
    args: &'a RefineArgs,
    limits: &'a Limits,
    line: &'a LiveLine,
}

impl Work<'_> {
    /// Asks, and re-checks what is said: line (5) of the rule.
    fn answer(&self, question: &RefinementQuestion<'_>) -> Result<Answered, Rejection> {
        let refined = engine::refine::refine(question, self.limits, self.line);
        self.line.tell("re-checking the answer".to_owned());
        let checked = certify::check_refinement(question, &refined.answer, self.limits);
        let answer = match checked {
            Ok(()) => refined.answer,
            Err(Rejection::Stopped(reason)) => Refinement::Unknown { reason },
            Err(rejection) => return Err(rejection),
        };
        Ok((answer, refined.statistics))
    }

    /// What there is for lines (6) and (7). The specification is not checked where that would
    /// not help.
    fn conclude(
        &self,
        question: &RefinementQuestion<'_>,
        answer: &Refinement,
    ) -> Result<Conclusion, Rejection> {
        let carries_over = certify::carries_over(question);
        let is_worth_it = matches!(answer, Refinement::Refines(_)) && carries_over.is_ok();
        let specification = match is_worth_it {
            true => Some(self.check(question.specification)?),
            false => None,
        };
        Ok(Conclusion { specification, carries_over })
    }

    /// Checks the specification for any number of threads, and re-checks what is said.
    fn check(&self, program: &dyn ThreadProgram) -> Result<Outcome, Rejection> {
        let problem = Problem::Threads(program);
        let (asked, method) = (ThreadCount::Any, Method::from(self.args.engine));
        let mut outcome = engine::check(problem, asked, method, self.limits, self.line);
        match certify::check(problem, asked, &outcome.verdict, self.limits) {
            Ok(_) => {}
            Err(Rejection::Stopped(reason)) => outcome.verdict = Verdict::Unknown(reason),
            Err(Rejection::TooLarge { what }) => {
                let why =
                    format!("an answer was found, but re-checking it has too many cases: {what}");
                outcome.verdict = Verdict::Unknown(StopReason::Incomplete { why });
            }
            Err(rejection) => return Err(rejection),
        }
        Ok(outcome)
    }
}

fn publish(args: &RefineArgs, study: &RefinementStudy<'_>) -> anyhow::Result<()> {
    let style = TextStyle {
        width: output::width(),
        colour: output::colour_on_stdout(),
        full_trace: args.full_trace,
        verdict_only: args.quiet,
    };
    output::say(&match args.format {
        CutoffFormat::Text => report::refinement::text::render(study, &style),
        CutoffFormat::Json => report::refinement::json::render(study),
    })
}

fn exit_of(study: &RefinementStudy<'_>) -> Exit {
    match study.overall() {
        Overall::Refines | Overall::Concluded => Exit::Holds,
        Overall::Fails | Overall::SpecificationViolated => Exit::Violated,
        Overall::Unknown(_) if study.is_interrupted() => Exit::Interrupted,
        Overall::Unknown(_) => Exit::Unknown,
    }
}
