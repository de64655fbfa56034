//! The global states of a run of threads.

use model::{
    Access, Footprint, Narrator, StepLabel, Steps, Store, ThreadProgram, ThreadStep, ThreadTrace,
};

/// A state of a run.
#[derive(Clone)]
pub(crate) struct GlobalState {
    /// The shared store.
    pub shared: Store,
    /// `None` for threads that have ended.
    pub locals: Vec<Option<Store>>,
    /// Threads without a number: where they are, and how many.
    pub bystanders: Vec<(Store, usize)>,
}

impl GlobalState {
    /// Where a run starts.
    pub fn first(trace: &ThreadTrace) -> GlobalState {
        let mut bystanders: Vec<(Store, usize)> = Vec::new();
        for group in &trace.bystanders {
            // Templates are not told apart here.
            match bystanders.iter_mut().find(|(local, _)| *local == group.local) {
                Some((_, count)) => *count += group.count as usize,
                None => bystanders.push((group.local.clone(), group.count as usize)),
            }
        }
        let locals = trace.threads.iter().cloned().map(Some).collect();
        GlobalState { shared: trace.shared.clone(), locals, bystanders }
    }

    /// Where a run ends.
    pub fn last(trace: &ThreadTrace) -> GlobalState {
        let mut state = GlobalState::first(trace);
        trace.steps.iter().for_each(|step| state.take(step));
        state
    }

    /// The local store of a thread.
    pub fn local(&self, thread: u32) -> Option<&Store> {
        self.locals.get(thread as usize)?.as_ref()
    }

    /// Goes on by a step.
    pub fn take(&mut self, step: &ThreadStep) {
        self.shared = step.shared.clone();
        if let Some(slot) = step.thread.and_then(|thread| self.locals.get_mut(thread as usize)) {
            slot.clone_from(&step.local);
        }
        for moved in &step.passive {
            if let Some(slot) = self.locals.get_mut(moved.thread as usize) {
                *slot = Some(moved.local.clone());
            }
        }
        self.locals.extend(step.spawned.iter().cloned().map(Some));
    }

    /// What a thread accesses next, and in which step.
    pub fn accesses(&self, program: &dyn ThreadProgram, thread: usize) -> Vec<(Access, StepLabel)> {
        let Some(Some(local)) = self.locals.get(thread) else { return Vec::new() };
        let mut steps = Steps::new();
        program.steps(self.shared.bytes(), local.bytes(), &mut steps);
        let mut found = Vec::new();
        for step in steps.iter() {
            if let Footprint::Known(accesses) = step.footprint() {
                let label = program.narrator().label(step.label());
                found.extend(accesses.iter().map(|access| (*access, label.clone())));
            }
        }
        let nameless = StepLabel { text: String::new(), span: None };
        found.extend(steps.in_vain().iter().map(|access| (*access, nameless.clone())));
        found
    }

    /// What exactly makes an access of a thread's next step; `None` where the label of
    /// the step says enough.
    pub fn maker(
        &self,
        narrator: &dyn Narrator,
        thread: usize,
        access: Access,
    ) -> Option<StepLabel> {
        let local = self.locals.get(thread)?.as_ref()?;
        narrator.access_label(self.shared.bytes(), local.bytes(), access)
    }
}
