//! Replays a run of a thread program, step by step, on the program's own steps.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Access, Blocking, Fairness, Footprint, Multiplicity, StepEnd, StepErrorRef, StepRef, Steps,
    Store, ThreadCount, ThreadProgram, ThreadRuns, ThreadStep, ThreadTrace, Violation,
};

use super::{flow_start, slots};
use crate::lasso::{Word, evaluate};
use crate::rejection::Rejection;

/// Is `trace` a run of `program` with the asked number of threads that ends in the
/// violation it names?
pub(crate) fn replay(
    program: &dyn ThreadProgram,
    asked: ThreadCount,
    trace: &ThreadTrace,
) -> Result<(), Rejection> {
    check_start(program, asked, trace)?;
    let mut run = ReplayedRun::of(program, trace);
    let last = trace.steps.len().checked_sub(1);
    for (step_idx, step) in trace.steps.iter().enumerate() {
        // Only the last step may be an error, and only the one that is claimed.
        let violation = match &trace.violation {
            Violation::Step(error) if Some(step_idx) == last => Some(error.borrowed()),
            _ => None,
        };
        run.step(step_idx, step, violation)?;
    }
    match &trace.violation {
        Violation::Step(_) if last.is_some() => Ok(()),
        Violation::Step(_) => {
            Err(Rejection::NoViolation { why: "there is no step that could be it".to_owned() })
        }
        Violation::Target(target) => run.check_target(*target),
        Violation::Deadlock => run.check_deadlock(),
        Violation::Race => run.check_race(),
        Violation::Lasso { .. } => {
            Err(Rejection::NoViolation { why: "no formula was asked".to_owned() })
        }
    }
}

/// Is `trace` a run of `program` after which a thread is in `local` while the shared
/// store is `shared`? What it says of a violation is ignored.
pub(crate) fn reaches(
    program: &dyn ThreadProgram,
    trace: &ThreadTrace,
    shared: &Store,
    local: &Store,
) -> Result<(), Rejection> {
    check_start(program, ThreadCount::Any, trace)?;
    let mut run = ReplayedRun::of(program, trace);
    for (step_idx, step) in trace.steps.iter().enumerate() {
        run.step(step_idx, step, None)?;
    }
    match run.shared == *shared && run.alive(1).contains(&local) {
        true => Ok(()),
        false => {
            let why = "it does not end in the thread state that it is said to reach".to_owned();
            Err(Rejection::NoViolation { why })
        }
    }
}

/// Is `trace` a run of the asked number of threads that goes on for ever and
/// violates the formula?
///
/// A loop may rename threads, since threads are alike; under fairness only those
/// that end in it and those that are spawned in it, since who is who then matters. It may
/// rename objects, and leave behind what nobody knows of, where the program says which
/// names do not matter.
pub(crate) fn replay_runs(
    problem: &ThreadRuns<'_>,
    asked: ThreadCount,
    trace: &ThreadTrace,
) -> Result<(), Rejection> {
    let no_violation = |why: &str| Err(Rejection::NoViolation { why: why.to_owned() });
    let Violation::Lasso { loop_start } = trace.violation else {
        // A step that is itself an error breaks every formula.
        return replay(problem.program, asked, trace);
    };
    check_start(problem.program, asked, trace)?;
    if !trace.bystanders.is_empty() {
        // Who is fair, and who is where, is asked of each thread.
        return Err(Rejection::malformed("a run against a formula lists all threads"));
    }
    let mut run = ReplayedRun::of(problem.program, trace);
    let mut letters = vec![run.letter()];
    let mut states = vec![(run.shared.clone(), run.threads.clone())];
    let mut starving = Starving::new();
    for (step_idx, step) in trace.steps.iter().enumerate() {
        if step_idx >= loop_start {
            starving.meet(&run);
            starving.acts(step);
        }
        let is_spurious = run.step(step_idx, step, None)?;
        if problem.fairness == Fairness::Weak && step_idx >= loop_start && is_spurious {
            return no_violation("something happens for no reason again and again");
        }
        letters.push(run.letter());
        states.push((run.shared.clone(), run.threads.clone()));
    }
    match states.get(loop_start) {
        None => return Err(Rejection::malformed("the loop starts behind the end")),
        Some(_) if loop_start == trace.steps.len() => {
            if run.can_go_on() {
                return no_violation("the run could go on where it is said to end");
            }
        }
        Some(first) => {
            let last = &states[states.len() - 1];
            let is_same = |first: &GlobalState, last: &GlobalState| match problem.fairness {
                Fairness::None => same_up_to_names(first, last),
                Fairness::Weak => same_but_for_replaced(first, last),
            };
            let [renamed_first, renamed_last] = renamed(problem.program, [first, last]);
            if !is_same(first, last) && !is_same(&renamed_first, &renamed_last) {
                return no_violation("the loop does not lead back to where it starts");
            }
            letters.pop();
        }
    }
    if problem.fairness == Fairness::Weak && starving.anybody() {
        return no_violation("a thread that could always step never does");
    }
    let word = Word { letters, loop_start };
    match evaluate(&problem.formula.formula, &word)[0] {
        true => no_violation("the run satisfies the formula"),
        false => Ok(()),
    }
}

type GlobalState = (Store, Vec<Option<Store>>);

/// The two states with the names that objects have by where they are reached from: first from
/// the threads of both, then from the others.
fn renamed(program: &dyn ThreadProgram, states: [&GlobalState; 2]) -> [GlobalState; 2] {
    let Some(symmetry) = program.heap_symmetry() else { return states.map(Clone::clone) };
    let is_alive = |state: &GlobalState, idx: usize| matches!(state.1.get(idx), Some(Some(_)));
    states.map(|state| {
        let mut order: Vec<usize> =
            (0..state.1.len()).filter(|&idx| is_alive(state, idx)).collect();
        order.sort_by_key(|&idx| !states.iter().all(|state| is_alive(state, idx)));
        let locals: Vec<&[u8]> =
            order.iter().flat_map(|&idx| &state.1[idx]).map(Store::bytes).collect();
        let (shared, locals) = symmetry.rename_in_order(state.0.bytes(), &locals);
        let mut threads = vec![None; state.1.len()];
        for (idx, local) in order.into_iter().zip(locals) {
            threads[idx] = Some(local);
        }
        (shared, threads)
    })
}

fn same_up_to_names(one: &GlobalState, other: &GlobalState) -> bool {
    let sorted = |threads: &[Option<Store>]| {
        let mut alive: Vec<Store> = threads.iter().flatten().cloned().collect();
        alive.sort_unstable();
        alive
    };
    one.0 == other.0 && sorted(&one.1) == sorted(&other.1)
}

/// Is each thread that goes through the loop as it was, and are those that ended in
/// it replaced by spawned ones? Whoever ends steps in the loop, and so will its
/// replacement the next time round: nobody starves by that.
fn same_but_for_replaced(first: &GlobalState, last: &GlobalState) -> bool {
    let gone = vec![None; last.1.len().saturating_sub(first.1.len())];
    let before = first.1.iter().chain(&gone);
    let (mut ended, mut spawned) = (Vec::new(), Vec::new());
    for pair in before.zip(&last.1) {
        match pair {
            (Some(old), Some(new)) if old != new => return false,
            (Some(old), None) => ended.push(old),
            (None, Some(new)) => spawned.push(new),
            (Some(_), Some(_)) | (None, None) => {}
        }
    }
    ended.sort_unstable();
    spawned.sort_unstable();
    first.0 == last.0 && ended == spawned
}

/// Who could step in every state of a loop, and who did.
struct Starving {
    always_able: Option<BTreeSet<u32>>,
    acting: BTreeSet<u32>,
}

impl Starving {
    fn new() -> Starving {
        Starving { always_able: None, acting: BTreeSet::new() }
    }

    fn meet(&mut self, run: &ReplayedRun<'_>) {
        let able = run.able();
        self.always_able = Some(match self.always_able.take() {
            None => able,
            Some(always) => always.intersection(&able).copied().collect(),
        });
    }

    fn acts(&mut self, step: &ThreadStep) {
        self.acting.extend(step.thread);
    }

    fn anybody(&self) -> bool {
        let always = self.always_able.iter().flatten();
        always.into_iter().any(|thread| !self.acting.contains(thread))
    }
}

/// Are these the threads and the shared store that a run may start with?
fn check_start(
    program: &dyn ThreadProgram,
    asked: ThreadCount,
    trace: &ThreadTrace,
) -> Result<(), Rejection> {
    let not_initial = |why: &str| Err(Rejection::NotInitial { why: why.to_owned() });
    let templates = program.templates();
    if trace.threads.len() != trace.templates.len() {
        return Err(Rejection::malformed("the trace does not give each thread a template"));
    }
    if let ThreadCount::Exactly(n) = asked
        && usize::try_from(n) != Ok(trace.n_initial())
    {
        let n_threads = u32::try_from(trace.n_initial()).unwrap_or(u32::MAX);
        let scope = ThreadCount::Exactly(n_threads);
        return Err(Rejection::ScopeMismatch { asked, scope });
    }
    // Larger steps than the edges of the flow may begin where several edges lead.
    let flow = program.flow().filter(|_| program.fine().is_none());
    match flow {
        Some(flow) => flow_start::check(flow, trace)?,
        None if program.initial_shared().contains(&trace.shared) => {}
        None => return not_initial("the shared store is not an initial one"),
    }
    let mut n_started = vec![0u64; templates.len()];
    for (local, template_idx, count) in starts(trace) {
        match templates.get(template_idx) {
            Some(template) if flow.is_some() || template.initial.contains(local) => {
                n_started[template_idx] += count;
            }
            _ => return not_initial("a thread does not start as its template says"),
        }
    }
    for (template, n_started) in templates.iter().zip(n_started) {
        if matches!(template.multiplicity, Multiplicity::Exactly(n) if u64::from(n) != n_started) {
            return not_initial(&format!("`{}` has another number of threads", template.name));
        }
    }
    Ok(())
}

/// The threads at the start: their local store, their template, and how many they are.
pub(super) fn starts(trace: &ThreadTrace) -> impl Iterator<Item = (&Store, usize, u64)> {
    let listed = trace.threads.iter().zip(&trace.templates).map(|(local, idx)| (local, *idx, 1));
    let counted = trace.bystanders.iter();
    listed.chain(counted.map(|group| (&group.local, group.template, u64::from(group.count))))
}

/// A state of a run.
struct ReplayedRun<'a> {
    program: &'a dyn ThreadProgram,
    shared: Store,
    /// `None` for threads that have ended.
    threads: Vec<Option<Store>>,
    /// Threads that stay where they are, and how many.
    bystanders: Vec<(&'a Store, u32)>,
}

impl<'a> ReplayedRun<'a> {
    /// Where `trace` starts.
    fn of(program: &'a dyn ThreadProgram, trace: &'a ThreadTrace) -> ReplayedRun<'a> {
        let bystanders = trace.bystanders.iter().filter(|group| group.count > 0);
        ReplayedRun {
            program,
            shared: trace.shared.clone(),
            threads: trace.threads.iter().cloned().map(Some).collect(),
            bystanders: bystanders.map(|group| (&group.local, group.count)).collect(),
        }
    }

    /// The local stores of all threads; of each group of bystanders no more than
    /// `enough`.
    fn alive(&self, enough: u32) -> Vec<&Store> {
        let bystanders = self
            .bystanders
            .iter()
            .flat_map(|(local, count)| std::iter::repeat_n(*local, (*count).min(enough) as usize));
        self.threads.iter().flatten().chain(bystanders).collect()
    }

    /// Takes a step; does it happen for no reason?
    fn step(
        &mut self,
        step_idx: usize,
        step: &ThreadStep,
        violation: Option<StepErrorRef<'_>>,
    ) -> Result<bool, Rejection> {
        let mut steps = Steps::new();
        match step.thread {
            None => self.program.environment_steps(self.shared.bytes(), &mut steps),
            Some(thread) => {
                let Some(local) = self.local(thread) else {
                    let why = format!("thread {thread} does not exist, or has ended");
                    return Err(Rejection::StepNotEnabled { step: step_idx, why });
                };
                let end = StepEnd {
                    shared: step.shared.bytes(),
                    local: step.local.as_ref().map(Store::bytes),
                    spawned: &step.spawned,
                };
                self.program.steps_to(self.shared.bytes(), local.bytes(), end, &mut steps);
            }
        }
        let mut similar = steps.iter().filter(|own| self.has_label(*own, step)).peekable();
        if similar.peek().is_none() {
            let why = format!("the thread has no step `{}` here", step.label);
            return Err(Rejection::StepNotEnabled { step: step_idx, why });
        }
        let is_claimed = |own: StepRef<'_>| {
            own.violation() == violation && has_result(own, step) && self.moves_others(own, step)
        };
        let claimed: Vec<StepRef<'_>> = similar.filter(|own| is_claimed(*own)).collect();
        if claimed.is_empty() {
            let why = format!("no step `{}` gives what it claims", step.label);
            return Err(Rejection::WrongSuccessor { step: step_idx, why });
        }
        let is_spurious = claimed.iter().all(|own| own.is_spurious());
        self.take(step);
        Ok(is_spurious)
    }

    fn take(&mut self, step: &ThreadStep) {
        self.shared = step.shared.clone();
        if let Some(thread) = step.thread {
            self.threads[thread as usize] = step.local.clone();
        }
        for moved in &step.passive {
            self.threads[moved.thread as usize] = Some(moved.local.clone());
        }
        self.threads.extend(step.spawned.iter().cloned().map(Some));
    }

    fn local(&self, thread: u32) -> Option<&Store> {
        self.threads.get(thread as usize)?.as_ref()
    }

    fn has_label(&self, own: StepRef<'_>, step: &ThreadStep) -> bool {
        self.program.narrator().label(own.label()).text == step.label
    }

    /// Does the step do to all other threads what the trace claims?
    fn moves_others(&self, own: StepRef<'_>, step: &ThreadStep) -> bool {
        let mut moved: BTreeMap<u32, &Store> = BTreeMap::new();
        for entry in &step.passive {
            let is_new = moved.insert(entry.thread, &entry.local).is_none();
            if !is_new || Some(entry.thread) == step.thread || self.local(entry.thread).is_none() {
                return false;
            }
        }
        let Some(broadcast) = own.broadcast() else { return moved.is_empty() };
        let may_become = |local: &Store, after: Option<&&Store>| {
            let mut options = Vec::new();
            self.program.passive(broadcast, local.bytes(), &mut options);
            match after {
                Some(after) => options.contains(after),
                None => options.is_empty() || options.contains(local),
            }
        };
        let listed = (0u32..).zip(&self.threads).all(|(thread, local)| match local {
            Some(local) if Some(thread) != step.thread => may_become(local, moved.get(&thread)),
            _ => true,
        });
        listed && self.bystanders.iter().all(|(local, _)| may_become(local, None))
    }

    /// The propositions that hold here.
    fn letter(&self) -> u64 {
        let shared = self.shared.bytes();
        let alive: Vec<&[u8]> = self.threads.iter().flatten().map(Store::bytes).collect();
        let mut letter = 0;
        let requirements = self.program.requirements();
        for (idx, shape) in requirements.propositions().iter().enumerate().take(64) {
            let fits = |slot: usize, thread: usize| {
                requirements.proposition_local(idx, slot, alive[thread])
            };
            let holds = requirements.proposition_shared(idx, shared)
                && slots::can_be_filled(&shape.slots, alive.len(), fits);
            letter |= u64::from(holds) << idx;
        }
        letter
    }

    /// The threads that have a step here which they are bound to take, or may have one.
    fn able(&self) -> BTreeSet<u32> {
        let mut steps = Steps::new();
        let mut able = BTreeSet::new();
        for (thread, local) in (0u32..).zip(&self.threads) {
            let Some(local) = local else { continue };
            steps.clear();
            self.program.steps(self.shared.bytes(), local.bytes(), &mut steps);
            // What may as well never happen nobody is bound to do. An assumption that is
            // false has no run in which the thread comes there.
            let is_bound = steps.incomplete().is_some()
                || steps.is_assumed_away()
                || steps.iter().any(|step| !step.is_spurious());
            if is_bound {
                able.insert(thread);
            }
        }
        able
    }

    fn can_go_on(&self) -> bool {
        let mut steps = Steps::new();
        self.program.environment_steps(self.shared.bytes(), &mut steps);
        may_step(&steps) || !self.able().is_empty()
    }

    fn check_deadlock(&self) -> Result<(), Rejection> {
        // Two of a kind wait as one does.
        let alive = with_steps(self.program, &self.shared, self.alive(1));
        let is_asked = self.program.requirements().forbids_deadlock();
        match is_asked && is_deadlock(self.program, &self.shared, &alive) {
            true => Ok(()),
            false => Err(Rejection::NoViolation { why: "it is no deadlock".to_owned() }),
        }
    }

    fn check_race(&self) -> Result<(), Rejection> {
        // Two of a kind may race with each other.
        let alive = with_steps(self.program, &self.shared, self.alive(2));
        let is_asked = self.program.requirements().forbids_races();
        match is_asked && is_race(self.program, &self.shared, &alive) {
            true => Ok(()),
            false => Err(Rejection::NoViolation { why: "it is no data race".to_owned() }),
        }
    }

    fn check_target(&self, target: usize) -> Result<(), Rejection> {
        let requirements = self.program.requirements();
        let shape = requirements.targets().get(target);
        let shape =
            shape.ok_or_else(|| Rejection::malformed("the trace names an unknown target"))?;
        let shared = self.shared.bytes();
        let n_wanted = shape.slots.iter().fold(0, |sum: u32, n| sum.saturating_add(*n));
        let alive = self.alive(n_wanted);
        let fits = |slot: usize, thread: usize| {
            requirements.target_local(target, slot, shared, alive[thread].bytes())
        };
        if requirements.target_shared(target, shared)
            && slots::can_be_filled(&shape.slots, alive.len(), fits)
        {
            Ok(())
        } else {
            let why = format!("the last state does not fit `{}`", shape.name);
            Err(Rejection::NoViolation { why })
        }
    }
}

/// Can nobody step but by steps that may never happen, since all are blocked?
/// Or do some threads wait for each other in a circle?
pub(crate) fn is_deadlock(
    program: &dyn ThreadProgram,
    shared: &Store,
    alive: &[ThreadWithSteps<'_>],
) -> bool {
    let Some(blocking) = program.blocking() else { return false };
    if waits_in_circle(blocking, shared, alive) {
        return true;
    }
    let goes_on = |(_, steps): &ThreadWithSteps<'_>| {
        steps.incomplete().is_some() || steps.iter().any(|step| !step.is_spurious())
    };
    if alive.iter().any(goes_on) {
        return false;
    }
    let is_blocked = |(local, _): &ThreadWithSteps<'_>| {
        blocking.blocked(shared.bytes(), local.bytes()).is_some()
    };
    !alive.is_empty() && alive.iter().all(is_blocked)
}

/// Threads without a step that need each other, from one round to the next.
fn waits_in_circle(blocking: &dyn Blocking, shared: &Store, alive: &[ThreadWithSteps<'_>]) -> bool {
    let mut needs: BTreeMap<u32, u32> = BTreeMap::new();
    for (local, steps) in alive {
        if steps.incomplete().is_none() && steps.is_empty() {
            needs.extend(blocking.waits_for(shared.bytes(), local.bytes()));
        }
    }
    // Whoever needs nobody in the map can go on one day: leave those out until none is.
    loop {
        let n_before = needs.len();
        let kept: BTreeMap<u32, u32> = needs
            .iter()
            .filter(|(_, needed)| needs.contains_key(needed))
            .map(|(&thread, &needed)| (thread, needed))
            .collect();
        needs = kept;
        if needs.len() == n_before {
            return !needs.is_empty();
        }
    }
}

/// Can two of these threads access one object of the shared store next, one of them writing
/// it, not both accesses atomic, and is that reported?
pub(crate) fn is_race(
    program: &dyn ThreadProgram,
    shared: &Store,
    alive: &[ThreadWithSteps<'_>],
) -> bool {
    let of_each: Vec<Vec<Access>> = alive.iter().map(|(_, steps)| touched(steps)).collect();
    let threads =
        alive.iter().zip(&of_each).map(|((store, _), accesses)| (store.bytes(), accesses));
    let threads: Vec<(&[u8], &Vec<Access>)> = threads.collect();
    threads.iter().enumerate().any(|(idx, left)| {
        threads[idx + 1..].iter().any(|right| {
            let pair = [(left.0, &left.1[..]), (right.0, &right.1[..])];
            do_race(program, shared.bytes(), pair)
        })
    })
}

/// All that a thread with these steps may touch next, on ways that come to nothing as well.
pub(crate) fn touched(steps: &Steps) -> Vec<Access> {
    let mut accesses = steps.in_vain().to_vec();
    for step in steps.iter() {
        if let Footprint::Known(known) = step.footprint() {
            accesses.extend_from_slice(known);
        }
    }
    accesses
}

/// Do two threads race, given their stores and what they touch next?
pub(crate) fn do_race(
    program: &dyn ThreadProgram,
    shared: &[u8],
    [(left, accesses), (right, others)]: [(&[u8], &[Access]); 2],
) -> bool {
    let existing = accesses.iter().filter(|access| program.has_object(shared, access.object));
    let mut pairs = existing.flat_map(|access| {
        others.iter().filter(|other| access.races(other)).map(move |other| (*access, *other))
    });
    pairs.any(|(access, other)| {
        !program.requirements().accepts_race(shared, [(left, access), (right, other)])
    })
}

/// A thread's store, with its steps.
pub(crate) type ThreadWithSteps<'a> = (&'a Store, Steps);

/// The threads of a state with their steps.
pub(crate) fn with_steps<'a>(
    program: &dyn ThreadProgram,
    shared: &Store,
    alive: Vec<&'a Store>,
) -> Vec<ThreadWithSteps<'a>> {
    let computed = |local: &'a Store| {
        let mut steps = Steps::new();
        program.steps(shared.bytes(), local.bytes(), &mut steps);
        (local, steps)
    };
    alive.into_iter().map(computed).collect()
}

/// Is there a step, or may there be one that the program does not know?
fn may_step(steps: &Steps) -> bool {
    steps.incomplete().is_some() || steps.iter().next().is_some()
}

/// Are the stores after the step those that the trace claims?
fn has_result(own: StepRef<'_>, step: &ThreadStep) -> bool {
    own.shared() == step.shared.bytes()
        && own.local() == step.local.as_ref().map(Store::bytes)
        && own.spawned().eq(step.spawned.iter().map(Store::bytes))
}
