//! The lines of the proof rule, with what is known of each: (5) to (7) for any number of threads
//! of one program, (1) to (4) for one thread of each of two.

use model::{Problem, Refinement, Verdict};

use super::{ComparedPair, Overall, PAIR_NAMES, RefinementStudy};
use crate::layout::counted;
use crate::text::{proof_size, reason_words, verdict_sentence};

/// One line of the rule.
pub(super) struct RuleLine {
    pub number: &'static str,
    pub judgement: &'static str,
    pub answer: String,
}

/// The lines, the last of which follows from the others; `None` if no conclusion was asked for.
pub(super) fn lines(study: &RefinementStudy<'_>) -> Option<Vec<RuleLine>> {
    study.conclusion?;
    let line = |number, judgement, answer| RuleLine { number, judgement, answer };
    let first = refinement_words(&study.pair);
    let (checked, concluded) = (checked_words(study), concluded_words(study));
    Some(match &study.with {
        None => vec![
            line("(5)", "B => F", first),
            line("(6)", "F* |= phi", checked),
            line("(7)", "B* |= phi", concluded),
        ],
        Some(second) => vec![
            line("(1)", PAIR_NAMES[0], first),
            line("(2)", PAIR_NAMES[1], refinement_words(second)),
            line("(3)", "F1 || F2 |= phi", checked),
            line("(4)", "B1 || B2 |= phi", concluded),
        ],
    })
}

fn refinement_words(pair: &ComparedPair<'_>) -> String {
    match pair.answer {
        Refinement::Refines(relation) => {
            format!("holds: a relation of {}, re-checked", counted(relation.pairs.len(), "pair"))
        }
        Refinement::Fails(_) => "does not hold: a run of one thread, replayed".to_owned(),
        Refinement::Unknown { reason } => format!("unknown: {}", reason_words(reason)),
    }
}

fn checked_words(study: &RefinementStudy<'_>) -> String {
    let checked = study.conclusion.and_then(|conclusion| conclusion.specification.as_ref());
    let Some(outcome) = checked else { return "not checked: it would not help".to_owned() };
    let evidence = match &outcome.verdict {
        Verdict::Holds(certificate) => format!(": {}, re-checked", proof_size(&certificate.proof)),
        Verdict::Violated(_) => ": a run, replayed".to_owned(),
        Verdict::Unknown(_) => String::new(),
    };
    let sentence = verdict_sentence(Problem::Threads(study.checked_program()), outcome, None);
    format!("{sentence}{evidence} (engine {})", outcome.engine)
}

fn concluded_words(study: &RefinementStudy<'_>) -> String {
    let premises = if study.with.is_some() { "(1), (2) and (3)" } else { "(5) and (6)" };
    match study.overall() {
        Overall::Refines | Overall::Concluded => {
            format!("HOLDS {}: follows from {premises}", study.scope())
        }
        Overall::Fails => format!("open: without {} nothing follows", failing_numbers(study)),
        Overall::SpecificationViolated => match study.with {
            None => {
                "open: an error of the specification alone says nothing about the implementation"
            }
            Some(_) => "open: an error of F1 || F2 says nothing about B1 || B2",
        }
        .to_owned(),
        Overall::Unknown(why) => format!("open: {why}"),
    }
}

/// The lines of the rule that do not hold.
fn failing_numbers(study: &RefinementStudy<'_>) -> String {
    if study.with.is_none() {
        return "(5)".to_owned();
    }
    let numbers = study.pairs().zip(["(1)", "(2)"]);
    let failing = numbers.filter(|(pair, _)| matches!(pair.answer, Refinement::Fails(_)));
    failing.map(|(_, number)| number).collect::<Vec<_>>().join(" and ")
}
