//! Tells the run of threads: a lane each, who starts whom, and at the end who waits for
//! what or who accesses what.

use std::collections::{BTreeMap, BTreeSet};

use model::{Steps, Store, ThreadProgram, ThreadStep, ThreadTrace, Violation};

use super::fields::fields;
use super::ledger::{Change, Ledger};
use super::{
    Holder, Lane, Next, RaceAccess, Rule, SourceMap, SourceRange, Start, Step, Story, Trouble, Wait,
};
use crate::layout::{counted, plain};
use crate::thread_waits::{self, NeededThread, ThreadWait};
use crate::{thread_error, thread_table};

/// Up to so many threads, those that never move have a lane as well.
const MAX_LANES_FOR_ALL: usize = 8;
/// The group of the shared store.
const SHARED: usize = 0;

/// The run.
pub(super) fn tell(
    program: &dyn ThreadProgram,
    trace: &ThreadTrace,
    places: &SourceMap<'_>,
) -> Story {
    let mut teller = ThreadStory::new(program, trace, places);
    let start = teller.start();
    let steps: Vec<Step> = trace.steps.iter().map(|step| teller.step(step)).collect();
    let trouble = teller.trouble(&steps);
    let lanes = teller.lanes();
    let n_resting = trace.n_threads() - lanes.len();
    let mut remarks = Vec::new();
    if n_resting > 0 {
        remarks.push(format!("{} that never move are not shown.", counted(n_resting, "thread")));
    }
    Story {
        groups: std::iter::once("Shared".to_owned())
            .chain(lanes.iter().map(|lane| format!("{} {}", lane.name, lane.about)))
            .collect(),
        lanes,
        variables: teller.ledger.into_variables(),
        start,
        steps,
        loop_start: match trace.violation {
            Violation::Lasso { loop_start } => Some(loop_start),
            _ => None,
        },
        remarks,
        trouble,
    }
}

struct ThreadStory<'a> {
    program: &'a dyn ThreadProgram,
    trace: &'a ThreadTrace,
    places: &'a SourceMap<'a>,
    /// The lane of each thread that has one.
    lane_of: BTreeMap<usize, usize>,
    shared: Store,
    locals: Vec<Option<Store>>,
    ledger: Ledger,
    /// What each spawned thread starts with.
    about: BTreeMap<usize, String>,
}

impl<'a> ThreadStory<'a> {
    fn new(
        program: &'a dyn ThreadProgram,
        trace: &'a ThreadTrace,
        places: &'a SourceMap<'a>,
    ) -> ThreadStory<'a> {
        let lane_of = threads_shown(trace).into_iter().enumerate();
        ThreadStory {
            program,
            trace,
            places,
            lane_of: lane_of.map(|(lane, thread)| (thread, lane)).collect(),
            shared: trace.shared.clone(),
            locals: trace.threads.iter().cloned().map(Some).collect(),
            ledger: Ledger::default(),
            about: BTreeMap::new(),
        }
    }

    fn lanes(&self) -> Vec<Lane> {
        let templates = self.program.templates();
        let lane = |thread: usize| {
            let template = self.trace.templates.get(thread).and_then(|idx| templates.get(*idx));
            let about = match template {
                Some(template) => plain(&template.name),
                None => self.about.get(&thread).cloned().unwrap_or_default(),
            };
            let at_start = thread < self.trace.threads.len();
            Lane { name: format!("T{thread}"), about, at_start }
        };
        self.lane_of.keys().map(|&thread| lane(thread)).collect()
    }

    fn start(&mut self) -> Start {
        let mut changes = self.shared_changes();
        let mut next = Vec::new();
        for thread in 0..self.locals.len() {
            changes.extend(self.local_changes(thread));
            next.extend(self.next(thread));
        }
        Start { label: "start".into(), place: None, changes, next }
    }

    fn step(&mut self, step: &ThreadStep) -> Step {
        let mover = step.thread.map(|thread| thread as usize);
        let before = mover.and_then(|thread| self.locals.get(thread)?.as_ref());
        let place = match step.span {
            Some(span) => self.places.of(span),
            None => before.and_then(|local| self.position(local)),
        };
        let first_new = self.locals.len();
        self.take(step);
        let shared = self.shared_changes();
        let moved: Vec<usize> = step.passive.iter().map(|moved| moved.thread as usize).collect();
        let new: Vec<usize> = (first_new..self.locals.len()).collect();
        let mut changes = shared;
        let mut next = Vec::new();
        for &thread in mover.iter().chain(&moved).chain(&new) {
            changes.extend(self.local_changes(thread));
            next.extend(self.next(thread));
        }
        for &thread in &new {
            let about = self.locals[thread].as_ref().map(|local| self.whereabouts(local));
            self.about.insert(thread, about.unwrap_or_default());
        }
        let lane = |thread: &usize| self.lane_of.get(thread).copied();
        Step {
            lane: mover.as_ref().and_then(lane),
            label: plain(&step.label),
            place,
            changes,
            starts: new.iter().filter_map(lane).collect(),
            moves: moved.iter().filter_map(lane).collect(),
            ends: mover.is_some() && step.local.is_none(),
            next,
        }
    }

    fn take(&mut self, step: &ThreadStep) {
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

    fn shared_changes(&mut self) -> Vec<Change> {
        let text = self.program.narrator().describe_shared(self.shared.bytes());
        self.ledger.update(SHARED, &fields(&text, "state"))
    }

    fn local_changes(&mut self, thread: usize) -> Vec<Change> {
        let Some(lane) = self.lane_of.get(&thread) else { return Vec::new() };
        let Some(local) = self.locals.get(thread) else { return Vec::new() };
        let described = |local: &Store| {
            self.program.narrator().describe_local_in(self.shared.bytes(), local.bytes())
        };
        let text = local.as_ref().map(described);
        self.ledger.update(lane + 1, &fields(&text.unwrap_or_else(|| "ended".into()), "at"))
    }

    /// The first words about a thread's store: the function that it runs.
    fn whereabouts(&self, local: &Store) -> String {
        let text = self.program.narrator().describe_local(local.bytes());
        plain(text.split([',', ':']).next().unwrap_or_default().trim())
    }

    fn next(&self, thread: usize) -> Option<Next> {
        let lane = *self.lane_of.get(&thread)?;
        let local = self.locals.get(thread)?.as_ref();
        Some(Next(lane, local.and_then(|local| self.position(local))))
    }

    /// Where a thread goes on.
    fn position(&self, local: &Store) -> Option<SourceRange> {
        if let Some(span) = self.program.narrator().position(local.bytes()) {
            return self.places.of(span);
        }
        let mut steps = Steps::new();
        self.program.steps(self.shared.bytes(), local.bytes(), &mut steps);
        let span = steps.iter().find_map(|step| self.program.narrator().label(step.label()).span);
        self.places.of(span?)
    }

    fn trouble(&self, steps: &[Step]) -> Trouble {
        let text = thread_table::error_line(self.program, self.trace);
        let rule = self.trace.violation.rule();
        let mut trouble = Trouble::new(rule, text, None);
        match &self.trace.violation {
            Violation::Step(_) => {
                trouble.place = steps.last().and_then(|step| step.place);
                if rule == Rule::Race {
                    trouble.accesses = self.race_accesses();
                }
            }
            Violation::Deadlock => trouble.waits = self.waits(),
            Violation::Race => trouble.accesses = self.race_accesses(),
            Violation::Lasso { .. } | Violation::Target(_) => {}
        }
        trouble
    }

    fn waits(&self) -> Vec<Wait> {
        let all = thread_waits::waits(self.program, self.trace);
        all.iter().filter_map(|wait| self.wait(wait)).collect()
    }

    fn wait(&self, wait: &ThreadWait) -> Option<Wait> {
        let lane = *self.lane_of.get(&wait.thread)?;
        let local = self.locals.get(wait.thread)?.as_ref()?;
        let named = wait.why.split('`').nth(1);
        let what = wait.lock.as_ref().map(|lock| lock.trim_matches('`')).or(named);
        let holder = |need: &NeededThread| {
            let span = need.taken.as_ref().and_then(|taken| taken.label.span);
            Some(Holder {
                lane: *self.lane_of.get(&need.thread)?,
                step: need.taken.as_ref().map(|taken| taken.step),
                place: span.and_then(|span| self.places.of(span)),
            })
        };
        Some(Wait {
            lane,
            why: plain(&wait.why),
            place: self.position(local),
            what: what.map(plain),
            holders: wait.needs.iter().filter_map(holder).collect(),
        })
    }

    fn race_accesses(&self) -> Vec<RaceAccess> {
        let race = thread_error::find_race(self.program, self.trace);
        let Some(race) = race else { return Vec::new() };
        let access = |side: &thread_error::RaceSide| {
            Some(RaceAccess {
                lane: *self.lane_of.get(&side.thread)?,
                verb: side.verb(),
                what: plain(&race.location),
                label: plain(&side.label.text),
                place: side.label.span.and_then(|span| self.places.of(span)),
                step: side.step,
            })
        };
        race.sides.iter().filter_map(access).collect()
    }
}

/// The threads that get a lane: all, or those that something happens to.
fn threads_shown(trace: &ThreadTrace) -> Vec<usize> {
    let n_threads = trace.n_numbered();
    if n_threads <= MAX_LANES_FOR_ALL {
        return (0..n_threads).collect();
    }
    let concerns_all = matches!(trace.violation, Violation::Deadlock | Violation::Race);
    let mut shown: BTreeSet<usize> = (trace.threads.len()..n_threads).collect();
    if concerns_all {
        shown.extend(0..n_threads);
    }
    for step in &trace.steps {
        shown.extend(step.thread.map(|thread| thread as usize));
        shown.extend(step.passive.iter().map(|moved| moved.thread as usize));
    }
    shown.into_iter().filter(|&thread| thread < n_threads).collect()
}
