//! An answer about refinement, as the formats show it: [`text`] for people, [`json`] for
//! programs.
//!
//! There is one pair of an implementation and its specification, whose threads are any number
//! (rules (5) to (7) of Beacon), or there are two, with one thread of each (rules (1) to (4)).

pub mod json;
mod rule;
mod run;
pub mod text;

use model::{
    Outcome, Problem, Refinement, RefinementQuestion, SideBySide, SourceFile, StopReason,
    ThreadCount, ThreadProgram, Verdict,
};

use crate::Effort;
use crate::layout::plain;
use crate::text::{reason_words, scope_words};

/// Questions about refinement that belong together, answered and re-checked.
#[derive(Clone, Copy)]
pub struct RefinementStudy<'a> {
    /// An implementation and its specification.
    pub pair: ComparedPair<'a>,
    /// Another implementation, whose thread runs beside that of the first, and its
    /// specification.
    pub with: Option<ComparedPair<'a>>,
    /// What follows for several threads, where that was asked.
    pub conclusion: Option<&'a Conclusion<'a>>,
    /// Remarks, one sentence each.
    pub notes: &'a [String],
    /// What it cost; `None` leaves it out.
    pub effort: Option<Effort>,
}

/// An implementation that was held against its specification.
#[derive(Clone, Copy)]
pub struct ComparedPair<'a> {
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
}

/// What there is for a conclusion besides the refinement.
#[derive(Clone)]
pub struct Conclusion<'a> {
    /// The specifications side by side, where there are two and they were checked.
    pub side_by_side: Option<SideBySide<'a>>,
    /// Whether the specification's threads have no error, for any number of them or for one of
    /// each; `None` where that was not looked at because it would not help.
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

impl<'a> RefinementStudy<'a> {
    /// What it all comes to. Of two pairs, one that fails counts more than one that is not
    /// known.
    pub fn overall(&self) -> Overall {
        if self.failing().is_some() {
            return Overall::Fails;
        }
        for (idx, pair) in self.pairs().enumerate() {
            if let Refinement::Unknown { reason } = pair.answer {
                return Overall::Unknown(self.of_pair(idx, reason_words(reason)));
            }
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
        self.pairs().any(
            |pair| matches!(pair.answer, Refinement::Unknown { reason } if is_interrupted(reason)),
        ) || checked.is_some_and(
            |outcome| matches!(&outcome.verdict, Verdict::Unknown(reason) if is_interrupted(reason)),
        )
    }

    /// The pair, or both.
    fn pairs(&self) -> impl Iterator<Item = ComparedPair<'a>> + use<'a> {
        std::iter::once(self.pair).chain(self.with)
    }

    /// The first pair that fails.
    fn failing(&self) -> Option<ComparedPair<'a>> {
        self.pairs().find(|pair| matches!(pair.answer, Refinement::Fails(_)))
    }

    /// What is said of the pair with this number, which is named where there are two.
    fn of_pair(&self, idx: usize, words: String) -> String {
        match self.with {
            Some(_) => format!("of {}: {words}", PAIR_NAMES[idx]),
            None => words,
        }
    }

    /// What (6) or (3) is about.
    fn checked_program(&self) -> &'a dyn ThreadProgram {
        match self.conclusion.and_then(|conclusion| conclusion.side_by_side.as_ref()) {
            Some(side_by_side) => side_by_side,
            None => self.pair.question.specification,
        }
    }

    /// For which threads of the implementation a conclusion is: `for any number of threads`.
    fn scope(&self) -> String {
        match self.with {
            Some(_) => "for one thread of each".to_owned(),
            None => {
                let program = self.pair.question.implementation;
                scope_words(Problem::Threads(program), ThreadCount::Any)
            }
        }
    }
}

/// What the first two lines of the rule for two pairs are called.
const PAIR_NAMES: [&str; 2] = ["B1 => F1", "B2 => F2"];

impl ComparedPair<'_> {
    fn implementation_name(&self) -> String {
        name(self.implementation)
    }

    fn specification_name(&self) -> String {
        name(self.specification)
    }
}

fn name(files: &[SourceFile]) -> String {
    files.first().map_or_else(|| "?".to_owned(), |file| plain(&file.name))
}
