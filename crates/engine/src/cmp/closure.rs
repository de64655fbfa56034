//! The least set of views that contains the initial ones and that no step leads out of.

use std::collections::VecDeque;

use model::parameterized::ParameterizedSystem;
use model::{Choice, Context, Judgement, Progress, Stepper, StopReason, Successors};

use super::classes::{ClassId, Classes, Kind, StepSet};
use super::groups::{Constraint, Group, Groups, Meeting};
use super::space::{Mapping, Space, injections, set_bit};
use super::store::Numbered;

/// Views between two looks at the limits.
const VIEWS_PER_LOOK: u64 = 64;

/// How a view came about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// The view before; none at the start.
    pub parent: Option<u32>,
    /// The step.
    pub step: Step,
}

/// A step of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Start(Choice),
    Own(Choice),
    /// Of actors beside it, by number in the abstraction.
    Beside(usize, Choice),
}

/// What went wrong in a view.
#[derive(Clone, Debug)]
pub(super) enum Alarm {
    /// A property fails.
    Property { view: u32, property: u32 },
    /// Something has no value, or an assertion fails.
    Fault { view: Option<u32>, step: Option<Step>, message: String },
}

/// How the closure ended.
pub(super) enum End {
    Closed,
    Alarm(Alarm),
    Stopped(StopReason),
}

/// The closure while it is computed.
pub(super) struct Closure<'a> {
    system: &'a dyn ParameterizedSystem,
    context: Context<'a>,
    pub space: &'a Space,
    groups: &'a Groups,
    pub views: Numbered,
    pub origins: Vec<Origin>,
    classes: Classes,
    /// The classes of each view, one for each context.
    classes_of: Vec<ClassId>,
    queue: VecDeque<u32>,
    own: Box<dyn Stepper + Send + 'a>,
    beside: Vec<Box<dyn Stepper + Send + 'a>>,
    /// How elements of a view become elements and actors beside another one.
    companies: Vec<(usize, Mapping)>,
    /// The companies of each group and constraint.
    kinds: Vec<Vec<Kind>>,
    out: Successors,
    packed: Vec<u64>,
    room: Vec<u64>,
    pub n_steps: u64,
    pub n_joint: u64,
}

impl<'a> Closure<'a> {
    pub(super) fn new(
        system: &'a dyn ParameterizedSystem,
        (space, groups): (&'a Space, &'a Groups),
        context: Context<'a>,
    ) -> Closure<'a> {
        let limits = context.limits;
        let mut n_kinds = 0;
        let mut kind = || {
            n_kinds += 1;
            Kind(n_kinds - 1)
        };
        let kinds =
            groups.groups.iter().map(|group| group.constraints.iter().map(|_| kind()).collect());
        let kinds: Vec<Vec<Kind>> = kinds.collect();
        let companies = groups.company.iter().enumerate().flat_map(|(idx, set)| {
            let ways = injections(space.n_visible, *set);
            ways.into_iter().map(move |way| (idx, space.mapping(&way)))
        });
        Closure {
            system,
            context,
            space,
            groups,
            views: Numbered::new(space.words),
            origins: Vec::new(),
            classes: Classes::new(&groups.contexts, n_kinds, space.words),
            classes_of: Vec::new(),
            queue: VecDeque::new(),
            own: system.own().stepper(limits),
            beside: (0..system.n_beside())
                .map(|idx| system.beside(idx).system.stepper(limits))
                .collect(),
            companies: companies.collect(),
            kinds,
            out: Successors::new(space.state_words),
            packed: vec![0; space.state_words],
            room: vec![0; 2 * space.words],
            n_steps: 0,
            n_joint: 0,
        }
    }

    /// Computes the closure.
    pub(super) fn run(&mut self) -> End {
        match self.close() {
            Ok(None) => End::Closed,
            Ok(Some(alarm)) => End::Alarm(alarm),
            Err(reason) => End::Stopped(reason),
        }
    }

    fn close(&mut self) -> Result<Option<Alarm>, StopReason> {
        let mut out = std::mem::take(&mut self.out);
        self.own.initial(&mut out)?;
        let alarm = self.take(None, Step::Start, &out);
        self.out = out;
        if alarm.is_some() {
            return Ok(alarm);
        }
        let mut n_done = 0_u64;
        while let Some(view) = self.queue.pop_front() {
            if n_done.is_multiple_of(VIEWS_PER_LOOK) {
                self.context.limits.check()?;
                self.report();
            }
            n_done += 1;
            if let Some(alarm) = self.follow(view)? {
                return Ok(Some(alarm));
            }
        }
        Ok(None)
    }

    fn report(&self) {
        let figures = [
            ("views", self.views.len() as u64),
            ("open", self.queue.len() as u64),
            ("classes", self.classes.len() as u64),
        ];
        let progress = Progress { engine: super::NAME, figures: &figures, n_ahead: None };
        self.context.progress.report(&progress);
    }

    /// All that follows from a view, alone and with those before it.
    fn follow(&mut self, view: u32) -> Result<Option<Alarm>, StopReason> {
        if let Some(alarm) = self.own_steps(view)? {
            return Ok(Some(alarm));
        }
        let words = self.views.get(view).to_vec();
        for (context, set) in self.groups.contexts.iter().enumerate() {
            let elements = masked(&words, self.space.mask(*set));
            let class = self.classes.class(context, &elements);
            self.classes.add_member(class, view);
            self.classes_of[view as usize * self.groups.contexts.len() + context] = class;
        }
        for group in 0..self.groups.groups.len() {
            if let Some(alarm) = self.steps_beside(view, group, None)? {
                return Ok(Some(alarm));
            }
        }
        self.keep_company(&words)
    }

    /// What a view says about actors beside others, and what these then do there.
    fn keep_company(&mut self, view: &[u64]) -> Result<Option<Alarm>, StopReason> {
        let groups = self.groups;
        let mut moved = vec![0; self.space.words];
        for way in 0..self.companies.len() {
            let company = self.companies[way].0;
            let set = groups.company[company];
            self.companies[way].1.apply(view, &mut moved);
            let elements = masked(&moved, self.space.mask(set & self.space.visible()));
            let mut class = None;
            for (number, group) in groups.groups.iter().enumerate() {
                for (idx, constraint) in group.constraints.iter().enumerate() {
                    if constraint.all != set {
                        continue;
                    }
                    let class = *class
                        .get_or_insert_with(|| self.classes.class(constraint.context, &elements));
                    let about = masked(&moved, &constraint.about);
                    let (beside, space) = (&mut self.beside, self.space);
                    let may_step =
                        || may_step(beside, space, (group, constraint), [&elements, &about]);
                    let kind = self.kinds[number][idx];
                    let added = self.classes.add_company((class, kind), &about, may_step)?;
                    let Some(steps) = added.filter(|steps| *steps != 0) else { continue };
                    let mut next = 0;
                    while let Some(member) = self.classes.member(class, next) {
                        next += 1;
                        let alarm =
                            self.steps_beside(member, number, Some((idx, &about, steps)))?;
                        if alarm.is_some() {
                            return Ok(alarm);
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    fn own_steps(&mut self, view: u32) -> Result<Option<Alarm>, StopReason> {
        self.space.pack(self.views.get(view), &mut self.packed);
        let mut judgement = Judgement::default();
        self.own.judge(&self.packed, &mut judgement)?;
        if let Some(property) = judgement.violated.first() {
            return Ok(Some(Alarm::Property { view, property: *property }));
        }
        if let Some((property, fault)) = judgement.faults.first() {
            let name = &self.system.own().properties()[*property as usize].name;
            let message = format!("`{name}` cannot be evaluated: {}", fault.message);
            return Ok(Some(Alarm::Fault { view: Some(view), step: None, message }));
        }
        let mut out = std::mem::take(&mut self.out);
        out.clear();
        self.own.expand(&self.packed, &mut out)?;
        let alarm = self.take(Some(view), Step::Own, &out);
        self.out = out;
        Ok(alarm)
    }

    /// Adds what steps lead to.
    fn take(
        &mut self,
        parent: Option<u32>,
        step: impl Fn(Choice) -> Step,
        out: &Successors,
    ) -> Option<Alarm> {
        if let Some((place, fault)) = out.faults.first() {
            let (model::FaultPlace::Start(choice) | model::FaultPlace::Step(choice)) = place else {
                let message = fault.message.clone();
                return Some(Alarm::Fault { view: parent, step: None, message });
            };
            let message = fault.message.clone();
            return Some(Alarm::Fault { view: parent, step: Some(step(*choice)), message });
        }
        let mut view = vec![0; self.space.words];
        for idx in 0..out.len() {
            self.n_steps += 1;
            self.space.unpack(out.state(idx), &mut view);
            let visible = self.space.mask(self.space.visible());
            view.iter_mut().zip(visible).for_each(|(word, mask)| *word &= mask);
            self.space.make_canonical(&mut view, &mut self.room);
            let (number, is_new) = self.views.insert(&view);
            if is_new {
                self.origins.push(Origin { parent, step: step(out.choice(idx)) });
                self.classes_of.extend(std::iter::repeat_n(0, self.groups.contexts.len()));
                self.queue.push_back(number);
            }
        }
        None
    }

    /// What the actors of a group may do beside a view; with one of their companies given, only
    /// what they do in it.
    fn steps_beside(
        &mut self,
        view: u32,
        group: usize,
        given: Option<(usize, &[u64], StepSet)>,
    ) -> Result<Option<Alarm>, StopReason> {
        let groups = self.groups;
        let mut open = Joint { states: self.views.get(view).to_vec(), steps: vec![StepSet::MAX] };
        let mut order = &groups.groups[group].orders[given.map_or(0, |(first, ..)| first)][..];
        if let Some((_, company, steps)) = given {
            unite(&mut open.states, company);
            open.steps[0] = steps;
            order = &order[1..];
        }
        for meeting in order {
            if open.steps.is_empty() {
                return Ok(None);
            }
            open = self.joined(view, group, meeting, &open);
        }
        for (joint, steps) in open.states.chunks_exact(self.space.words).zip(&open.steps) {
            for joint in self.guesses(group, joint) {
                if let Some(alarm) = self.act(view, group, (&joint, *steps))? {
                    return Ok(Some(alarm));
                }
            }
        }
        Ok(None)
    }

    /// Joint states with one more constraint met.
    fn joined(&mut self, view: u32, group: usize, meeting: &Meeting, open: &Joint) -> Joint {
        let words = self.space.words;
        let constraint = &self.groups.groups[group].constraints[meeting.constraint];
        let n_contexts = self.groups.contexts.len();
        let class = self.classes_of[view as usize * n_contexts + constraint.context];
        let kind = self.kinds[group][meeting.constraint];
        let mut next = Joint::default();
        for (joint, steps) in open.states.chunks_exact(words).zip(&open.steps) {
            let start = next.states.len();
            let known = (meeting.way, &meeting.settled[..]);
            let out = (&mut next.states, &mut next.steps);
            self.classes.agreeing((class, kind), known, (joint, *steps), out);
            next.states[start..].chunks_exact_mut(words).for_each(|one| unite(one, joint));
        }
        next
    }

    /// Completes what no view says: whether a value names an actor or an element of the view.
    fn guesses(&self, group: usize, joint: &[u64]) -> Vec<Vec<u64>> {
        let group = &self.groups.groups[group];
        let mut open = vec![joint.to_vec()];
        for element in &group.elements {
            let element = &self.space.elements[*element];
            let unknown = self.space.named(element, &group.unknown);
            let named = self.space.named(element, joint);
            let names_any = self.space.names_any(element, joint);
            if named.count_ones() > 1 || (named != 0 && !names_any) {
                return Vec::new();
            }
            if unknown == 0 || named != 0 || !names_any {
                continue;
            }
            for idx in 0..open.len() {
                for slot in (0..self.space.n_slots).filter(|slot| unknown >> slot & 1 == 1) {
                    let mut other = open[idx].clone();
                    set_bit(&mut other, element.one_hot + slot);
                    open.push(other);
                }
            }
        }
        open
    }

    /// The steps of actors that are settled.
    fn act(
        &mut self,
        view: u32,
        group: usize,
        (joint, steps): (&[u64], StepSet),
    ) -> Result<Option<Alarm>, StopReason> {
        self.n_joint += 1;
        self.space.pack(joint, &mut self.packed);
        let groups = self.groups;
        let mut out = std::mem::take(&mut self.out);
        for (number, idx) in groups.groups[group].steps.iter().enumerate() {
            if steps >> number & 1 == 0 {
                continue;
            }
            out.clear();
            self.beside[*idx].expand(&self.packed, &mut out)?;
            if let Some(alarm) = self.take(Some(view), |choice| Step::Beside(*idx, choice), &out) {
                return Ok(Some(alarm));
            }
        }
        self.out = out;
        Ok(None)
    }
}

/// States of a view with actors beside it, one behind the other, and the steps that these may
/// take.
#[derive(Default)]
struct Joint {
    states: Vec<u64>,
    steps: Vec<StepSet>,
}

/// The steps of a group that actors may take who are so, as far as that can be told without the
/// view beside which they are.
fn may_step(
    beside: &mut [Box<dyn Stepper + Send + '_>],
    space: &Space,
    (group, constraint): (&Group, &Constraint),
    [elements, about]: [&[u64]; 2],
) -> Result<StepSet, StopReason> {
    if group.actors & !constraint.all != 0 {
        return Ok(StepSet::MAX);
    }
    let mut known = elements.to_vec();
    unite(&mut known, about);
    let mut packed = vec![0; space.state_words];
    space.pack(&known, &mut packed);
    let mut out = Successors::new(space.state_words);
    let mut steps = 0;
    for (number, idx) in group.steps.iter().enumerate() {
        out.clear();
        if group.guarded[number] {
            beside[*idx].expand(&packed, &mut out)?;
        }
        let may = !group.guarded[number] || out.n_enabled > 0 || !out.faults.is_empty();
        steps |= u64::from(may) << number;
    }
    Ok(steps)
}

fn masked(words: &[u64], mask: &[u64]) -> Vec<u64> {
    words.iter().zip(mask).map(|(word, mask)| word & mask).collect()
}

fn unite(words: &mut [u64], others: &[u64]) {
    words.iter_mut().zip(others).for_each(|(word, other)| *word |= other);
}
