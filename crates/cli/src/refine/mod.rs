//! `refine`: does the thread of one program do to the shared store only what that of another
//! allows, and what follows from it for any number of threads, or for one thread of each of two
//! programs?

mod correspondence;
mod pair;
mod together;
mod work;

use std::sync::Arc;
use std::time::Instant;

use certify::Rejection;
use report::refinement::{ComparedPair, Conclusion, Overall, RefinementStudy};
use report::text::TextStyle;

use self::pair::{Asked, Models, Pair};
use self::work::{Answered, Work};
use crate::args::{CutoffFormat, RefineArgs};
use crate::exit::Exit;
use crate::progress::LiveLine;
use crate::{bounds, check, interrupt, last_words, output};

/// Runs the verb.
pub fn run(args: &RefineArgs, started: Instant) -> anyhow::Result<Exit> {
    last_words::prepare_with(|reason| match args.format {
        CutoffFormat::Text => last_words::in_words(reason),
        CutoffFormat::Json => report::refinement::json::render_stopped(reason),
    });
    let interrupted = interrupt::flag();
    let limits = bounds::put_in_force(&args.limits, started, Arc::clone(&interrupted));
    let read = args.load_pairs().iter().map(|files| Pair::read(args, files)).collect::<Vec<_>>();
    let pairs = read.into_iter().collect::<anyhow::Result<Vec<Pair>>>()?;
    let Some(models) = pairs.iter().map(Pair::models).collect::<Option<Vec<Models<'_>>>>() else {
        return Ok(Exit::BadInput);
    };
    let asked = models.iter().map(|models| models.asked(args.conclude));
    let asked = asked.collect::<anyhow::Result<Vec<Asked<'_>>>>()?;
    if let [first, second] = &models[..] {
        together::check(first, second, args.conclude)?;
    }
    let line = LiveLine::new(!args.quiet);
    let work = Work { args, limits: &limits, line: &line };
    let answered = answer(&work, &asked);
    line.clear();
    let (answered, conclusion) = match answered {
        Ok(answered) => answered,
        Err(rejection) => return Ok(check::confess(&rejection)),
    };
    let inputs = pairs.iter().flat_map(|pair| [&pair.implementation, &pair.specification]);
    let notes: Vec<String> = inputs.flat_map(|input| input.notes.iter().cloned()).collect();
    let compared = |idx: usize| ComparedPair {
        question: asked[idx].question(),
        implementation: &pairs[idx].implementation.files,
        specification: &pairs[idx].specification.files,
        answer: &answered[idx].answer,
        statistics: &answered[idx].statistics,
    };
    let study = RefinementStudy {
        pair: compared(0),
        with: (pairs.len() > 1).then(|| compared(1)),
        conclusion: conclusion.as_ref(),
        notes: &notes,
        effort: (!args.no_timing).then(|| check::effort(started)),
    };
    publish(args, &study)?;
    Ok(exit_of(&study))
}

/// The answer about each pair, and what there is for a conclusion where one is asked for.
fn answer<'a>(
    work: &Work<'_>,
    asked: &'a [Asked<'_>],
) -> Result<(Vec<Answered>, Option<Conclusion<'a>>), Rejection> {
    let answered = asked.iter().map(|asked| work.answer(asked)).collect::<Result<Vec<_>, _>>()?;
    let conclusion = match asked {
        _ if !work.args.conclude => None,
        [first, second] => {
            let questions = [first.question(), second.question()];
            Some(work.conclude_side_by_side(&questions, &answered)?)
        }
        _ => Some(work.conclude(&asked[0].question(), &answered[0])?),
    };
    Ok((answered, conclusion))
}

fn publish(args: &RefineArgs, study: &RefinementStudy<'_>) -> anyhow::Result<()> {
    let style = TextStyle {
        width: output::width(),
        colour: output::colour_on_stdout(),
        full_trace: args.full_trace,
        verdict_only: args.quiet,
    };
    let text = match args.format {
        CutoffFormat::Text => report::refinement::text::render(study, &style),
        CutoffFormat::Json => report::refinement::json::render(study),
    };
    last_words::claim_or_wait();
    output::say(&text)
}

fn exit_of(study: &RefinementStudy<'_>) -> Exit {
    match study.overall() {
        Overall::Refines | Overall::Concluded => Exit::Holds,
        Overall::Fails | Overall::SpecificationViolated => Exit::Violated,
        Overall::Unknown(_) if study.is_interrupted() => Exit::Interrupted,
        Overall::Unknown(_) => Exit::Unknown,
    }
}
