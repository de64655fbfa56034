//! Asks the engines, has `certify` re-check what they say, and says what is known of each line
//! of the proof rule.

use certify::Rejection;
use engine::Method;
use model::{
    Context, Limits, Outcome, Problem, Refinement, RefinementQuestion, SideBySide, StopReason,
    ThreadCount, ThreadProgram, Verdict,
};
use report::refinement::Conclusion;

use super::pair::Asked;
use crate::args::RefineArgs;
use crate::progress::LiveLine;

/// An answer with the figures of its search.
pub struct Answered {
    pub answer: Refinement,
    pub statistics: Vec<(String, u64)>,
}

impl Answered {
    fn refines(&self) -> bool {
        matches!(self.answer, Refinement::Refines(_))
    }
}

/// What the engines are called with.
pub struct Work<'a> {
    pub args: &'a RefineArgs,
    pub limits: &'a Limits,
    pub line: &'a LiveLine,
}

impl<'a> Work<'a> {
    fn context(&self) -> Context<'a> {
        Context::new(self.limits, self.line)
    }

    /// Asks, and re-checks what is said: line (5) of the rule, or (1) or (2).
    pub fn answer(&self, asked: &Asked<'_>) -> Result<Answered, Rejection> {
        if let Some(reason) = &asked.too_many {
            let answer = Refinement::Unknown { reason: reason.clone() };
            return Ok(Answered { answer, statistics: Vec::new() });
        }
        let question = asked.question();
        let refined = engine::refine::refine(&question, self.context());
        self.line.tell("re-checking the answer".to_owned());
        let checked = certify::check_refinement(&question, &refined.answer, self.limits);
        let answer = match checked {
            Ok(()) => refined.answer,
            Err(Rejection::Stopped(reason)) => Refinement::Unknown { reason },
            Err(rejection) => return Err(rejection),
        };
        Ok(Answered { answer, statistics: refined.statistics })
    }

    /// What there is for lines (6) and (7) of the rule. The specification is not checked where
    /// that would not help.
    pub fn conclude<'q>(
        &self,
        question: &RefinementQuestion<'q>,
        answered: &Answered,
    ) -> Result<Conclusion<'q>, Rejection> {
        let carries_over = certify::carries_over(question);
        let is_worth_it = answered.refines() && carries_over.is_ok();
        let specification = is_worth_it.then(|| self.check(question.specification)).transpose()?;
        Ok(Conclusion { side_by_side: None, specification, carries_over })
    }

    /// The same for lines (3) and (4).
    pub fn conclude_side_by_side<'q>(
        &self,
        questions: &[RefinementQuestion<'q>; 2],
        answered: &[Answered],
    ) -> Result<Conclusion<'q>, Rejection> {
        let nothing =
            |carries_over| Conclusion { side_by_side: None, specification: None, carries_over };
        let carries_over = certify::carries_over_side_by_side(questions);
        if carries_over.is_err() || !answered.iter().all(Answered::refines) {
            return Ok(nothing(carries_over));
        }
        let specifications = questions.map(|question| question.specification);
        let side_by_side = match SideBySide::new(specifications, ["F1", "F2"]) {
            Ok(side_by_side) => side_by_side,
            Err(why) => return Ok(nothing(Err(why))),
        };
        let specification = Some(self.check(&side_by_side)?);
        Ok(Conclusion { side_by_side: Some(side_by_side), specification, carries_over })
    }

    /// Checks a specification for any number of threads, or those that it has, and re-checks
    /// what is said.
    fn check(&self, program: &dyn ThreadProgram) -> Result<Outcome, Rejection> {
        let problem = Problem::Threads(program);
        let (asked, method) = (ThreadCount::Any, Method::from(self.args.engine));
        let mut outcome = verify::check(problem, asked, method, self.context());
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
