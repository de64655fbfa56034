//! The least set of views that contains the initial ones and that no step leads out of.

use std::collections::VecDeque;

use model::parameterized::ParameterizedSystem;
use model::{Choice, Context, Judgement, Progress, Stepper, StopReason, Successors};

use super::classes::{ClassId, Classes, Kind};
use super::groups::Groups;
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
        let kinds = groups.groups.iter().map(|group| group.constraints.iter().map(|_| kind()).collect());
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
            beside: (0..system.n_beside()).map(|idx| system.beside(idx).system.stepper(limits)).collect(),
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
            if let Some(alarm) = self.process(view)? {
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
    fn process(&mut self, view: u32) -> Result<Option<Alarm>, StopReason> {
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
            for (number, group) in groups.groups.iter().enumerate() {
                for (idx, constraint) in group.constraints.iter().enumerate() {
                    if constraint.all != set {
                        continue;
                    }
                    let class = self.classes.class(constraint.context, &elements);
                    let about = masked(&moved, &constraint.about);
                    if !self.classes.add_company(class, self.kinds[number][idx], &about) {
                        continue;
                    }
                    let mut next = 0;
                    while let Some(member) = self.classes.member(class, next) {
                        next += 1;
                        let alarm = self.steps_beside(member, number, Some((idx, &about)))?;
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
        given: Option<(usize, &[u64])>,
    ) -> Result<Option<Alarm>, StopReason> {
        let groups = self.groups;
        let joint = self.views.get(view).to_vec();
        let mut found = Vec::new();
        let order = &groups.groups[group].orders[given.map_or(0, |(first, _)| first)];
        match given {
            Some((_, company)) => {
                let joint = united(&joint, company);
                self.join(view, group, &order[1..], joint, &mut found);
            }
            None => self.join(view, group, order, joint, &mut found),
        }
        for joint in found {
            if let Some(alarm) = self.act(view, group, &joint)? {
                return Ok(Some(alarm));
            }
        }
        Ok(None)
    }

    /// All ways to give the actors what the views allow.
    fn join(
        &self,
        view: u32,
        group: usize,
        order: &[super::groups::Meeting],
        joint: Vec<u64>,
        found: &mut Vec<Vec<u64>>,
    ) {
        let Some((meeting, rest)) = order.split_first() else {
            return self.guess(group, joint, found);
        };
        let constraint = &self.groups.groups[group].constraints[meeting.constraint];
        let n_contexts = self.groups.contexts.len();
        let class = self.classes_of[view as usize * n_contexts + constraint.context];
        let kind = self.kinds[group][meeting.constraint];
        let Some(companies) = self.classes.companies(class, kind) else { return };
        for number in 0..companies.len() as u32 {
            let company = companies.get(number);
            let fits = company.iter().zip(&joint).zip(&meeting.settled);
            if fits.into_iter().all(|((one, other), settled)| (one ^ other) & settled == 0) {
                self.join(view, group, rest, united(&joint, company), found);
            }
        }
    }

    /// Completes what no view says: whether a value names an actor or an element of the view.
    fn guess(&self, group: usize, joint: Vec<u64>, found: &mut Vec<Vec<u64>>) {
        let group = &self.groups.groups[group];
        let mut open = vec![joint];
        for element in &self.space.elements {
            let unknown = self.space.named(element, &group.unknown);
            let mut next = Vec::with_capacity(open.len());
            for joint in open {
                let named = self.space.named(element, &joint);
                if named.count_ones() > 1 || (named != 0 && !self.space.names_any(element, &joint)) {
                    continue;
                }
                if unknown != 0 && named == 0 && self.space.names_any(element, &joint) {
                    for slot in (0..self.space.n_slots).filter(|slot| unknown >> slot & 1 == 1) {
                        let mut other = joint.clone();
                        set_bit(&mut other, element.one_hot + slot);
                        next.push(other);
                    }
                }
                next.push(joint);
            }
            open = next;
        }
        found.extend(open);
    }

    /// The steps of actors that are settled.
    fn act(
        &mut self,
        view: u32,
        group: usize,
        joint: &[u64],
    ) -> Result<Option<Alarm>, StopReason> {
        self.n_joint += 1;
        self.space.pack(joint, &mut self.packed);
        let groups = self.groups;
        let mut out = std::mem::take(&mut self.out);
        for idx in &groups.groups[group].steps {
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

fn masked(words: &[u64], mask: &[u64]) -> Vec<u64> {
    words.iter().zip(mask).map(|(word, mask)| word & mask).collect()
}

fn united(words: &[u64], others: &[u64]) -> Vec<u64> {
    words.iter().zip(others).map(|(word, other)| word | other).collect()
}
