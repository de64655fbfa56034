//! Decides the verdict of a finished search, and says how it went.

use model::{
    Ending, FaultPlace, Omissions, Outcome, PropertyKind, StateTrace, StopReason, Trace, Variant,
    Verdict,
};

use super::breadth::Exploration;
use super::expand::SharedSearch;
use super::finding::FoundError;
use super::record::Record;
use super::visited::Visited;
use super::{goals, path, retrace};
use crate::kernel::complete::Complete;

/// What a search leaves behind, in whatever order it went.
pub(super) struct SearchResult<'f, 'a> {
    pub search: &'a SharedSearch<'a>,
    pub visited: &'f Visited,
    pub record: &'f Record,
    pub stopped: Option<StopReason>,
    pub depth: u32,
    pub n_fired: u64,
    /// The stored states of the run to the best error.
    pub path: Option<Result<Vec<Vec<u64>>, StopReason>>,
    /// What was left out.
    pub omissions: Omissions,
    /// The levels, where they are known.
    pub exploration: Option<&'f Exploration<'a>>,
}

/// The outcome when there is not even memory for an empty table.
pub(super) fn of_no_search(reason: StopReason) -> Outcome {
    Outcome {
        verdict: Verdict::Unknown(reason),
        engine: "explicit".into(),
        statistics: Vec::new(),
        notes: Vec::new(),
    }
}

/// The outcome of a breadth-first search.
pub(super) fn of_exploration<'a>(exploration: &Exploration<'a>) -> Outcome {
    of_found(&SearchResult {
        search: exploration.search,
        visited: &exploration.visited,
        record: &exploration.record,
        stopped: exploration.stopped.clone(),
        depth: exploration.deepest,
        n_fired: exploration.n_fired,
        path: exploration.record.best.as_ref().map(|finding| way_to(exploration, finding)),
        omissions: exploration.omissions(),
        exploration: Some(exploration),
    })
}

/// The stored states of a run to an error.
fn way_to(
    exploration: &Exploration<'_>,
    finding: &FoundError,
) -> Result<Vec<Vec<u64>>, StopReason> {
    if let Ending::Fault { place: FaultPlace::Start(_), .. } = finding.ending {
        return Ok(Vec::new());
    }
    match exploration.visited {
        Visited::Exact(_) => path::to_state(exploration, &finding.state, finding.depth),
        _ => retrace::to_state(exploration.search, &finding.state),
    }
}

/// The outcome of a search.
pub(super) fn of_found(found: &SearchResult<'_, '_>) -> Outcome {
    let mut notes = found.notes();
    let verdict = found.verdict(&mut notes).unwrap_or_else(Verdict::Unknown);
    Outcome { verdict, engine: "explicit".into(), statistics: found.statistics(), notes }
}

impl SearchResult<'_, '_> {
    fn verdict(&self, notes: &mut Vec<String>) -> Result<Verdict, StopReason> {
        if let (Some(finding), Some(path)) = (&self.record.best, &self.path) {
            let trace = path
                .clone()
                .and_then(|path| path::concrete(self.search, &path, finding.ending.clone()));
            if trace.is_err() {
                notes.push(format!(
                    "There is {}, but its trace could not be rebuilt.",
                    self.name(&finding.ending)
                ));
            }
            return trace.map(violated);
        }
        if let Some(reason) = &self.stopped {
            return Err(reason.clone());
        }
        let complete = Complete::unless(self.omissions.clone())?;
        if let Some(uncovered) = self.uncovered(notes) {
            return Ok(uncovered);
        }
        if let Some(stranded) = self.stranded()? {
            return Ok(violated(stranded));
        }
        let symmetry = self.search.canonicalizer.is_some();
        Ok(complete.holds(self.n_states(), symmetry, None))
    }

    /// The first cover that nothing reaches; the others become notes.
    fn uncovered(&self, notes: &mut Vec<String>) -> Option<Verdict> {
        let properties = self.search.problem.system.properties();
        let mut missing = properties
            .iter()
            .zip(&self.record.reached)
            .enumerate()
            .filter(|(_, (property, reached))| property.kind.is_cover() && !**reached);
        let (first, _) = missing.next()?;
        notes.extend(missing.map(|(_, (property, _))| match property.kind {
            PropertyKind::CoverStatement => {
                format!("No evaluation reaches `{}` either.", property.name)
            }
            _ => format!("No reachable state has `{}` either.", property.name),
        }));
        let ending = Ending::Uncovered(first as u32);
        Some(violated(StateTrace {
            variant: Variant::AS_WRITTEN,
            start: None,
            steps: Vec::new(),
            ending,
        }))
    }

    fn stranded(&self) -> Result<Option<StateTrace>, StopReason> {
        let Some(exploration) = self.exploration else { return Ok(None) };
        let Some(finding) = goals::stranded(exploration)? else { return Ok(None) };
        let path = path::to_state(exploration, &finding.state, finding.depth)?;
        path::concrete(self.search, &path, finding.ending).map(Some)
    }

    fn n_states(&self) -> u64 {
        self.search.n_stored.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// What an error is called in a remark.
    fn name(&self, ending: &Ending) -> String {
        let properties = self.search.problem.system.properties();
        let quoted = |number: u32| {
            properties.get(number as usize).map_or_else(String::new, |p| format!(" `{}`", p.name))
        };
        match ending {
            Ending::Invariant(number) => format!("a state that violates{}", quoted(*number)),
            Ending::Fault { fault, .. } => format!("an error ({})", fault.message),
            Ending::Deadlock(_) => "a deadlock".into(),
            Ending::Stranded(number) | Ending::Uncovered(number) => {
                format!("a violation of{}", quoted(*number))
            }
            Ending::Lasso { .. } => "a loop".into(),
        }
    }

    /// Figures that do not depend on timing.
    pub(super) fn statistics(&self) -> Vec<(String, u64)> {
        let mut statistics = vec![
            ("states".into(), self.n_states()),
            ("rules fired".into(), self.n_fired),
            ("depth".into(), u64::from(self.depth)),
        ];
        if let Visited::Exact(table) = self.visited {
            // How large the table has become depends on when its threads found it full.
            statistics.push(("bytes of a state".into(), table.arena().state_bytes() as u64));
        }
        statistics
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(expected) = self.visited.expected_omissions() {
            let chance = -(-expected).exp_m1();
            notes.push(format!(
                "Lossy storage: the probability that a state was missed is {chance:.1e} \
                 ({expected:.1e} expected)."
            ));
        }
        if self.n_states() == 0 && self.stopped.is_none() && self.record.best.is_none() {
            notes.push("There is no initial state, so nothing was checked.".into());
        }
        if self.search.options.symmetry {
            for scalarset in &self.search.problem.system.symmetry().scalarsets {
                if let Some(why) = &scalarset.not_symmetric {
                    notes.push(format!("`{}` is not reduced by symmetry: {why}.", scalarset.name));
                }
            }
        }
        notes
    }
}

fn violated(trace: StateTrace) -> Verdict {
    Verdict::Violated(Trace::States(trace))
}
