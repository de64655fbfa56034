//! Does what a thread does itself stay within the claim?

use std::collections::BTreeMap;

use model::{
    ExposedClass, LabelId, NewThread, PushdownStep, PushdownSteps, SectionStart, StackChange,
    Store, SummaryEdge,
};

use super::claim::Membership;
use super::{Caller, Obligations};
use crate::rejection::Rejection;

/// An edge whose thread steps, and the entry that what comes of it belongs to.
#[derive(Clone, Copy)]
pub(super) struct From {
    pub edge: SummaryEdge,
    pub entry: (u32, u32),
}

/// The world and the view of an entry.
type Entry = (u32, u32);

/// Something for each frame.
type ByFrame<'a, T> = BTreeMap<&'a Store, T>;

/// Where a step leads: a world, and the view of its thread, unless that has ended.
struct Arrival {
    world: u32,
    view: Option<u32>,
    label: LabelId,
}

impl Obligations<'_> {
    /// The steps after each edge that look at no frame; who calls what is noted.
    pub(super) fn steps_stay(&mut self) -> Result<(), Rejection> {
        let mut known: BTreeMap<(u32, u32), PushdownSteps> = BTreeMap::new();
        for &edge in &self.claim.summaries.edges {
            self.budget.tick()?;
            let stores = (
                self.claim.summaries.worlds[edge.world as usize].shared,
                self.claim.summaries.views[edge.view as usize].top,
            );
            let steps = known.entry(stores).or_insert_with(|| {
                let mut steps = PushdownSteps::default();
                let (shared, top) =
                    (self.claim.shared_of(edge.world), self.claim.top_of(edge.view));
                self.claim.program.steps(shared, top, &mut steps);
                steps
            });
            let steps = steps.clone();
            self.all_stay(From { edge, entry: (edge.entry_world, edge.entry_view) }, &steps)?;
        }
        Ok(())
    }

    /// The returns after each edge that may return: to all who wait for its entry.
    pub(super) fn returns_stay(&self) -> Result<(), Rejection> {
        let waiting = self.waiting();
        let mut known: BTreeMap<(u32, u32), ByFrame<'_, Vec<Arrival>>> = BTreeMap::new();
        for &edge in &self.claim.summaries.edges {
            let top = self.claim.top_of(edge.view);
            if !self.claim.program.is_returning(top) {
                continue;
            }
            let entry = (edge.entry_world, edge.entry_view);
            // What a return comes to is the same for all who wait with the same frame.
            let known = known.entry((edge.world, edge.view)).or_default();
            for (frame, callers) in waiting.get(&entry).into_iter().flatten() {
                let arrivals = match known.get(frame) {
                    Some(arrivals) => arrivals,
                    None => {
                        let arrivals = self.arrivals_of_return(edge, Some(frame))?;
                        known.entry(frame).or_insert(arrivals)
                    }
                };
                for &caller in callers {
                    self.budget.tick()?;
                    arrivals.iter().try_for_each(|arrival| self.is_end(caller, arrival))?;
                }
            }
            if self.roots.contains(&entry) {
                let arrivals = self.arrivals_of_return(edge, None)?;
                arrivals.iter().try_for_each(|arrival| self.is_end(entry, arrival))?;
            }
        }
        Ok(())
    }

    /// The entries of those who wait for an entry, by their frames.
    fn waiting(&self) -> BTreeMap<Entry, ByFrame<'_, Vec<Entry>>> {
        let mut waiting: BTreeMap<Entry, ByFrame<'_, Vec<Entry>>> = BTreeMap::new();
        for (&entry, callers) in &self.callers {
            let by_frame = waiting.entry(entry).or_default();
            for Caller { entry, frame } in callers {
                by_frame.entry(frame).or_default().push(*entry);
            }
        }
        waiting
    }

    /// Where returns after an edge lead.
    fn arrivals_of_return(
        &self,
        edge: SummaryEdge,
        frame: Option<&Store>,
    ) -> Result<Vec<Arrival>, Rejection> {
        self.budget.tick()?;
        let mut steps = PushdownSteps::default();
        let (shared, top) = (self.claim.shared_of(edge.world), self.claim.top_of(edge.view));
        self.claim.program.returns(shared, top, frame.map(Store::bytes), &mut steps);
        let is_return = |step: &PushdownStep| {
            step.spawned.is_none() && !matches!(step.end, StackChange::Call { .. })
        };
        if !steps.steps.iter().all(is_return) {
            return Err(Rejection::malformed("a return calls or creates something"));
        }
        if let Some(why) = steps.incomplete {
            return Err(Rejection::LeftOut { what: why });
        }
        let mut all = Vec::new();
        for step in &steps.steps {
            all.extend(self.arrivals(edge, step)?);
        }
        Ok(all)
    }

    fn is_end(&self, entry: (u32, u32), arrival: &Arrival) -> Result<(), Rejection> {
        match arrival.view {
            Some(view) => self.has(entry, (arrival.world, view), arrival.label),
            None => Ok(()),
        }
    }

    fn all_stay(&mut self, from: From, steps: &PushdownSteps) -> Result<(), Rejection> {
        if let Some(why) = &steps.incomplete {
            return Err(Rejection::LeftOut { what: why.clone() });
        }
        steps.steps.iter().try_for_each(|step| self.stays(from, step))
    }

    /// One step: the thread, whom it creates, and what others see of it.
    fn stays(&mut self, from: From, step: &PushdownStep) -> Result<(), Rejection> {
        let nobody = vec![false; self.claim.summaries.exposed.len()];
        let (_, born) = tops_after(step);
        for arrival in self.arrivals(from.edge, step)? {
            let world = arrival.world;
            if let Some(view) = arrival.view {
                match &step.end {
                    StackChange::Call { frame, .. } => {
                        self.entered((world, view), step)?;
                        let caller = Caller { entry: from.entry, frame: frame.clone() };
                        self.callers.entry((world, view)).or_default().insert(caller);
                    }
                    _ => self.has(from.entry, (world, view), step.label)?,
                }
            }
            if let (Some(born), Some(new)) = (born, &step.spawned) {
                let view = self.claim.view(born, nobody.clone(), None);
                let unlisted =
                    || self.claim.leads_out(step.label, "the view of a new thread is not listed");
                let view = view.ok_or_else(unlisted)?;
                match new {
                    NewThread::Fresh(_) => {
                        self.entered((world, view), step)?;
                        self.roots.insert((world, view));
                    }
                    NewThread::Copied(_) => self.has(from.entry, (world, view), step.label)?,
                }
            }
        }
        Ok(())
    }

    /// Where one step after an edge leads, with each count that is possible; what others see of
    /// it is guaranteed.
    fn arrivals(&self, edge: SummaryEdge, step: &PushdownStep) -> Result<Vec<Arrival>, Rejection> {
        if let Some(error) = &step.violation {
            return Err(Rejection::TargetNotExcluded { target: error.message.clone() });
        }
        let view = &self.claim.summaries.views[edge.view as usize];
        let took = self.taken(&view.took, self.claim.shared_of(edge.world), step);
        let nobody = vec![false; took.len()];
        let (top, born) = tops_after(step);
        let was_atomic = self.claim.is_atomic[edge.view as usize];
        let is_atomic = top.is_some_and(|top| self.claim.program.is_atomic(top));
        if born.is_some() && (was_atomic || is_atomic) {
            let what = "threads that are created within an atomic section".to_owned();
            return Err(Rejection::LeftOut { what });
        }
        let members = &self.claim.members[edge.view as usize];
        let start = view
            .section
            .clone()
            .unwrap_or(SectionStart { world: edge.world, members: members.clone() });
        let mut arriving: Vec<Membership> = Vec::new();
        arriving.extend(top.map(|top| self.claim.membership(&took, top)));
        arriving.extend(born.map(|born| self.claim.membership(&nobody, born)));
        let leaves = |why: &str| self.claim.leads_out(step.label, why);
        let mut arrivals = Vec::new();
        for counts in after(self.claim.counts_of(edge.world), members, &arriving) {
            let world = self.claim.world(step.shared.bytes(), counts);
            let world = world.ok_or_else(|| leaves("the world is not listed"))?;
            if !is_atomic && !self.claim.is_guaranteed(start.world, &start.members, world) {
                return Err(leaves("what it does to the world is not guaranteed"));
            }
            let view = match top {
                Some(top) => {
                    let section = is_atomic.then(|| start.clone());
                    let view = self.claim.view(top, took.clone(), section);
                    Some(view.ok_or_else(|| leaves("the view is not listed"))?)
                }
                None => None,
            };
            arrivals.push(Arrival { world, view, label: step.label });
        }
        Ok(arrivals)
    }

    fn entered(&self, entry: (u32, u32), step: &PushdownStep) -> Result<(), Rejection> {
        self.has(entry, entry, step.label)
    }

    fn has(
        &self,
        (entry_world, entry_view): (u32, u32),
        (world, view): (u32, u32),
        label: LabelId,
    ) -> Result<(), Rejection> {
        match self.claim.has_edge(SummaryEdge { entry_world, entry_view, world, view }) {
            true => Ok(()),
            false => Err(self.claim.leads_out(label, "a summary has no such end")),
        }
    }

    /// Which variables the thread has taken after its own step.
    fn taken(&self, took: &[bool], before: &[u8], step: &PushdownStep) -> Membership {
        let program = self.claim.program;
        let now = |(class, took): (&ExposedClass, &bool)| {
            let ExposedClass::Took { variable } = *class else { return *took };
            let value = program.variable(step.shared.bytes(), variable);
            if value == program.variable(before, variable) { *took } else { value }
        };
        self.claim.summaries.exposed.iter().zip(took).map(now).collect()
    }
}

/// The tops of the thread and of the one that it creates, where there are any.
fn tops_after(step: &PushdownStep) -> (Option<&[u8]>, Option<&[u8]>) {
    let top = match &step.end {
        StackChange::Top(top) | StackChange::Call { top, .. } => Some(top.bytes()),
        StackChange::Ended => None,
    };
    let born = step.spawned.as_ref().map(|new| {
        let (NewThread::Fresh(top) | NewThread::Copied(top)) = new;
        top.bytes()
    });
    (top, born)
}

/// How many threads may be in each class after one that was in `before` became those in
/// `arriving`: by the numbers that a count stands for, several being two or more.
fn after(counts: &[u8], before: &[bool], arriving: &[Membership]) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for (class, &count) in counts.iter().enumerate() {
        // Two and three stand for all larger numbers: one less than three is several.
        let numbers = if count == 2 { vec![2, 3] } else { vec![count] };
        let more = arriving.iter().filter(|members| members[class]).count() as u8;
        let mut then: Vec<u8> = numbers
            .into_iter()
            .filter_map(|number| number.checked_sub(u8::from(before[class])))
            .map(|number| (number + more).min(2))
            .collect();
        then.dedup();
        let longer = all.iter().flat_map(|vector: &Vec<u8>| {
            then.iter().map(move |&count| [&vector[..], &[count]].concat())
        });
        all = longer.collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::after;

    #[test]
    fn of_several_one_or_several_stay() {
        let leaves = |count: u8| after(&[count], &[true], &[vec![false]]);
        assert_eq!(leaves(2), [[1], [2]]);
        assert_eq!(leaves(1), [[0]]);
        assert_eq!(after(&[2, 0], &[true, false], &[vec![true, true]]), [[2, 1]]);
        assert_eq!(after(&[1], &[true], &[vec![true], vec![true]]), [[2]]);
    }
}
