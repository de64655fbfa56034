//! An answer about refinement, as the formats show it: [`text`] for people, [`json`] for
//! programs.

pub mod json;
pub mod text;

use model::{
    Outcome, Problem, Refinement, RefinementQuestion, SourceFile, StopReason, ThreadCount, Verdict,
};

use crate::Effort;
use crate::layout::{counted, plain};
use crate::text::{proof_size, reason_words, scope_words, verdict_sentence};

/// One question about refinement, answered and re-checked.
#[derive(Clone, Copy)]
pub struct RefinementStudy<'a> {
    /// The question.
    pub question: RefinementQuestion<'a>,
    /// The texts of the implementation, the model first.
    pub implementation: &'a [SourceFile],
    /// The texts of the specification, the model first.
    pub specification: &'a [SourceFile],
    /// The answer. It has passed `certify`.
    pub answer: &'a Refinement,
    /// Figures of the search.
    pub statistics: &'a [(String, u64)],
    /// What follows for any number of threads, where that was asked.
    pub conclusion: Option<&'a Conclusion>,
    /// Remarks, one sentence each.
    pub notes: &'a [String],
    /// What it cost; `None` leaves it out.
    pub effort: Option<Effort>,
}

/// What there is for a conclusion besides the refinement.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// Whether the specification's threads have no error, for any number of them; `None` where
    /// that was not looked at because it would not help.
    pub specification: Option<Outcome>,
    /// Whether their errors are all that the implementation's threads may have; if not, why.
    pub carries_over: Result<(), String>,
}

/// What it all comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overall {
    /// The implementation refines the specification, and nothing else was asked.
    Refines,
    /// So it does, and its threads have no error.
    Concluded,
    /// It does not.
    Fails,
    /// It does, but the specification's threads have an error, which says nothing about the
    /// implementation's.
    SpecificationViolated,
    /// It is not known, for this reason.
    Unknown(String),
}

impl RefinementStudy<'_> {
    /// What it all comes to.
    pub fn overall(&self) -> Overall {
        match self.answer {
            Refinement::Fails(_) => return Overall::Fails,
            Refinement::Unknown { reason } => return Overall::Unknown(reason_words(reason)),
            Refinement::Refines(_) => {}
        }
        let Some(conclusion) = self.conclusion else { return Overall::Refines };
        if let Err(why) = &conclusion.carries_over {
            return Overall::Unknown(plain(why));
        }
        match conclusion.specification.as_ref().map(|outcome| &outcome.verdict) {
            Some(Verdict::Holds(_)) => Overall::Concluded,
            Some(Verdict::Violated(_)) => Overall::SpecificationViolated,
            Some(Verdict::Unknown(reason)) => Overall::Unknown(reason_words(reason)),
            None => Overall::Unknown("the specification was not checked".to_owned()),
        }
    }

    /// Was the run interrupted?
    pub fn is_interrupted(&self) -> bool {
        let checked = self.conclusion.and_then(|conclusion| conclusion.specification.as_ref());
        let is_interrupted = |reason: &StopReason| *reason == StopReason::Interrupted;
        matches!(self.answer, Refinement::Unknown { reason } if is_interrupted(reason))
            || checked.is_some_and(
                |outcome| matches!(&outcome.verdict, Verdict::Unknown(reason) if is_interrupted(reason)),
            )
    }

    /// For which threads of the implementation a conclusion is: `for any number of threads`.
    fn scope(&self) -> String {
        scope_words(Problem::Threads(self.question.implementation), ThreadCount::Any)
    }

    fn implementation_name(&self) -> String {
        name(self.implementation)
    }

    fn specification_name(&self) -> String {
        name(self.specification)
    }

    /// The lines of the proof rule: its number, its judgement, what is known of it.
    pub(crate) fn rule(&self) -> Option<[(&'static str, &'static str, String); 3]> {
        let conclusion = self.conclusion?;
        let refines = match self.answer {
            Refinement::Refines(relation) => {
                format!(
                    "holds: a relation of {}, re-checked",
                    counted(relation.pairs.len(), "pair")
                )
            }
            Refinement::Fails(_) => "does not hold: a run of one thread, replayed".to_owned(),
            Refinement::Unknown { reason } => format!("unknown: {}", reason_words(reason)),
        };
        let checked = match &conclusion.specification {
            Some(outcome) => {
                let problem = Problem::Threads(self.question.specification);
                let evidence = match &outcome.verdict {
                    Verdict::Holds(certificate) => {
                        format!(": {}, re-checked", proof_size(&certificate.proof))
                    }
                    Verdict::Violated(_) => ": a run, replayed".to_owned(),
                    Verdict::Unknown(_) => String::new(),
                };
                let sentence = verdict_sentence(problem, outcome);
                format!("{sentence}{evidence} (engine {})", outcome.engine)
            }
            None => "not checked: it would not help".to_owned(),
        };
        let concluded = match self.overall() {
            Overall::Refines | Overall::Concluded => {
                format!("HOLDS {}: follows from (5) and (6)", self.scope())
            }
            Overall::Fails => "open: without (5) nothing follows".to_owned(),
            Overall::SpecificationViolated => {
                "open: an error of the specification alone says nothing about the implementation"
                    .to_owned()
            }
            Overall::Unknown(why) => format!("open: {why}"),
        };
        Some([
            ("(5)", "B => F", refines),
            ("(6)", "F* |= phi", checked),
            ("(7)", "B* |= phi", concluded),
        ])
    }
}

fn name(files: &[SourceFile]) -> String {
    files.first().map_or_else(|| "?".to_owned(), |file| plain(&file.name))
}
