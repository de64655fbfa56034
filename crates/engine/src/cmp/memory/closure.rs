//! The least set of views with memory that contains the initial ones and that no step leads out
//! of.
//!
//! A view is composed with each company of actors once: when the later one of the two appears.
//! Only those with the same shared part can be composed, and an actor only acts by rules that may
//! matter to others. Of what is its own it has no more than its rule looks at: whether it loses
//! nodes, or reaches those that it takes as unreached, its own steps tell.

use std::collections::VecDeque;
use std::ops::Range;

use model::parameterized::ParameterizedSystem;
use model::{Choice, Context, FaultPlace, Judgement, Progress, Stepper, StopReason, Successors};

use super::super::closure::{Alarm, End, Origin, Step};
use super::super::{NAME, store::Numbered};
use super::classes::Classes;
use super::compose::{Composer, Seen, Trouble};
use super::effects::Effects;
use super::layout::Layout;
use super::shape::{Reached, Walk, shared_part};

/// Views, or compositions, between two looks at the limits.
const WORK_PER_LOOK: u64 = 256;

/// Why the closure ends before it is complete.
enum Halt {
    Alarm(Alarm),
    Stopped(StopReason),
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Halt {
        Halt::Stopped(reason)
    }
}

/// The closure while it is computed.
pub(super) struct MemoryClosure<'a> {
    system: &'a dyn ParameterizedSystem,
    context: Context<'a>,
    layout: &'a Layout,
    /// As states, in normal form.
    pub views: Numbered,
    pub origins: Vec<Origin>,
    /// How many nodes each shows.
    reached: Vec<Reached>,
    queue: VecDeque<u32>,
    classes: Classes,
    /// Views that have been looked at, with their classes, and how many samples there were when
    /// their steps were tried.
    tried: Vec<(u32, usize, usize)>,
    own: Box<dyn Stepper + Send + 'a>,
    beside: Vec<Box<dyn Stepper + Send + 'a>>,
    effects: Effects<'a>,
    composer: Composer<'a>,
    bits_of_view: Vec<u64>,
    room: Room,
    /// Work until the limits are looked at.
    until_look: u64,
    pub n_steps: u64,
    pub n_compositions: u64,
}

/// Whom the states behind a step show.
#[derive(Clone, Copy)]
enum Shown {
    /// The element of a view, which acts.
    One,
    /// It, and an actor beside it, in a composition that starts there.
    Both { composition: usize },
}

/// Working memory.
struct Room {
    walk: Walk,
    values: Vec<u64>,
    view: Vec<u64>,
    state: Vec<u64>,
    out: Successors,
    /// The view beside which another acts, and that other.
    seen: [Seen; 2],
    compositions: Vec<u64>,
    rules: Vec<u32>,
    /// Companies that may act by rules by which they could not before.
    added: Vec<(u32, u32)>,
}

impl<'a> MemoryClosure<'a> {
    pub(super) fn new(
        system: &'a dyn ParameterizedSystem,
        layout: &'a Layout,
        context: Context<'a>,
    ) -> MemoryClosure<'a> {
        let (limits, words) = (context.limits, layout.state_words);
        let beside = (0..system.n_beside()).map(|idx| system.beside(idx).system.stepper(limits));
        MemoryClosure {
            system,
            context,
            layout,
            views: Numbered::new(words),
            origins: Vec::new(),
            reached: Vec::new(),
            queue: VecDeque::new(),
            classes: Classes::new(words),
            tried: Vec::new(),
            own: system.own().stepper(limits),
            beside: beside.collect(),
            effects: Effects::new(system, layout, limits),
            composer: Composer::new(layout),
            bits_of_view: layout.bits_of_slot(0),
            room: Room::new(layout),
            until_look: 0,
            n_steps: 0,
            n_compositions: 0,
        }
    }

    /// What actors may be, as far as their steps look at it.
    pub(super) fn n_companies(&self) -> u64 {
        self.classes.n_companies() as u64
    }

    /// Computes the closure.
    pub(super) fn run(&mut self) -> End {
        match self.close() {
            Ok(()) => End::Closed,
            Err(Halt::Alarm(alarm)) => End::Alarm(alarm),
            Err(Halt::Stopped(reason)) => End::Stopped(reason),
        }
    }

    fn close(&mut self) -> Result<(), Halt> {
        self.start()?;
        loop {
            while let Some(view) = self.queue.pop_front() {
                self.look_up(1)?;
                self.own_steps(view)?;
                self.meet(view)?;
            }
            if self.try_steps_again()? == 0 {
                return Ok(());
            }
        }
    }

    fn look_up(&mut self, work: u64) -> Result<(), Halt> {
        if self.until_look > work {
            self.until_look -= work;
            return Ok(());
        }
        self.until_look = WORK_PER_LOOK;
        self.context.limits.check()?;
        let figures = [
            ("views", self.views.len() as u64),
            ("open", self.queue.len() as u64),
            ("classes", self.classes.len() as u64),
            ("compositions", self.n_compositions),
        ];
        let progress = Progress { engine: NAME, figures: &figures, n_ahead: None };
        self.context.progress.report(&progress);
        Ok(())
    }

    fn start(&mut self) -> Result<(), Halt> {
        self.room.out.clear();
        self.own.initial(&mut self.room.out)?;
        self.take(None, Step::Start, Shown::One)
    }

    fn own_steps(&mut self, view: u32) -> Result<(), Halt> {
        let state = self.views.get(view);
        let mut judgement = Judgement::default();
        self.own.judge(state, &mut judgement)?;
        if let Some(property) = judgement.violated.first() {
            return Err(Halt::Alarm(Alarm::Property { view, property: *property }));
        }
        if let Some((property, fault)) = judgement.faults.first() {
            let name = &self.system.own().properties()[*property as usize].name;
            let message = format!("`{name}` cannot be evaluated: {}", fault.message);
            return Err(Halt::Alarm(Alarm::Fault { view: Some(view), step: None, message }));
        }
        if self.reached[view as usize].seen + self.layout.n_spare > self.layout.n_nodes {
            return Err(self.halt_for(Trouble::Nodes));
        }
        self.room.out.clear();
        self.own.expand(state, &mut self.room.out)?;
        self.take(Some(view), Step::Own, Shown::One)
    }

    fn halt_for(&self, trouble: Trouble) -> Halt {
        let why = match trouble {
            Trouble::Nodes => format!("{} nodes are too few", self.layout.n_nodes),
            Trouble::Open => "too many values may name an element or not".to_owned(),
        };
        Halt::Stopped(StopReason::Incomplete { why })
    }

    /// Adds what steps lead to.
    fn take(
        &mut self,
        parent: Option<u32>,
        step: impl Fn(Choice) -> Step,
        shown: Shown,
    ) -> Result<(), Halt> {
        let out = &mut self.room.out;
        if let Some((place, fault)) = out.faults.first() {
            let choice = match place {
                FaultPlace::Start(choice) | FaultPlace::Step(choice) => Some(*choice),
                FaultPlace::Property(_) | FaultPlace::Proposition => None,
            };
            let (step, message) = (choice.map(step), fault.message.clone());
            return Err(Halt::Alarm(Alarm::Fault { view: parent, step, message }));
        }
        out.take_omissions().none_or_stop()?;
        for idx in 0..self.room.out.len() {
            let step = step(self.room.out.choice(idx));
            self.take_one(idx, Origin { parent, step }, shown)?;
        }
        Ok(())
    }

    fn take_one(&mut self, idx: usize, origin: Origin, shown: Shown) -> Result<(), Halt> {
        self.n_steps += 1;
        let (layout, room) = (self.layout, &mut self.room);
        if !layout.read(room.out.state(idx), &mut room.values) {
            let why = "a state says something that belongs to nobody".to_owned();
            return Err(Halt::Stopped(StopReason::Incomplete { why }));
        }
        let (n_shown, may_be_lost) = match shown {
            Shown::One => (1, 0..layout.n_nodes),
            Shown::Both { composition } => {
                let before = &room.compositions[composition..][..layout.state_words];
                let mut words = before.iter().zip(room.out.state(idx)).zip(&self.bits_of_view);
                let Reached { shared, seen } = room.seen[0].reached;
                let is_changed = words.any(|((before, after), own)| (before ^ after) & own != 0);
                (2, if is_changed { shared..seen } else { 0..0 })
            }
        };
        let reached = room.walk.go(layout, &room.values, n_shown);
        if let Some(flaw) = room.walk.flaw(layout, &room.values, may_be_lost) {
            let message = flaw.words().to_owned();
            let (view, step) = (origin.parent, Some(origin.step));
            return Err(Halt::Alarm(Alarm::Fault { view, step, message }));
        }
        room.walk.view(layout, &room.values, reached, &mut room.view);
        layout.write(&room.view, &mut room.state);
        let (number, is_new) = self.views.insert(&room.state);
        if is_new {
            self.origins.push(origin);
            self.reached.push(reached);
            self.effects.learn(&room.view);
            self.queue.push_back(number);
        }
        Ok(())
    }

    /// Composes a view with all that have been looked at, in both roles.
    fn meet(&mut self, view: u32) -> Result<(), Halt> {
        let reached = self.reached[view as usize];
        let room = &mut self.room;
        self.layout.read(self.views.get(view), &mut room.values);
        shared_part(self.layout, &room.values, reached, &mut room.view);
        self.layout.write(&room.view, &mut room.state);
        let class = self.classes.number(&room.state);
        let added = self.classes.add_member(class, (view, reached), self.layout);
        added.map_err(|trouble| self.halt_for(trouble))?;
        self.read_view(view);
        for number in 0..self.classes.class(class).companies.len() {
            let company = self.classes.class(class).companies[number];
            self.read_company(company);
            let rules = self.classes.rules(company).iter().map(|rule| (company, *rule));
            self.room.added.clear();
            self.room.added.extend(rules);
            self.act(view, 0..self.room.added.len())?;
        }
        self.tried.push((view, class, self.effects.n_samples()));
        self.act_beside_all(view, class)
    }

    /// Reads a view as the one beside which another acts.
    fn read_view(&mut self, view: u32) {
        let seen = &mut self.room.seen[0];
        self.layout.read(self.views.get(view), &mut seen.values);
        seen.reached = self.reached[view as usize];
    }

    /// Reads a company as the actor.
    fn read_company(&mut self, company: u32) {
        let (state, reached) = self.classes.company(company);
        let seen = &mut self.room.seen[1];
        self.layout.read(state, &mut seen.values);
        seen.reached = reached;
    }

    /// Lets the element of a view act beside all members of its class, as far as no other has
    /// done the same before.
    fn act_beside_all(&mut self, view: u32, class: usize) -> Result<(), Halt> {
        self.find_companies(view, class)?;
        let mut end = 0;
        while let Some((company, _)) = self.room.added.get(end).copied() {
            let start = end;
            let rules = &self.room.added[start..];
            end += rules.iter().take_while(|(other, _)| *other == company).count();
            self.read_company(company);
            for number in 0..self.classes.class(class).members.len() {
                let view = self.classes.class(class).members[number];
                self.read_view(view);
                self.act(view, start..end)?;
            }
        }
        Ok(())
    }

    /// What the element of a view is to the rules by which it may act, as far as it is new.
    fn find_companies(&mut self, view: u32, class: usize) -> Result<(), Halt> {
        let (layout, room) = (self.layout, &mut self.room);
        let actor = &mut room.seen[1];
        layout.read(self.views.get(view), &mut actor.values);
        actor.reached = self.reached[view as usize];
        room.rules.clear();
        self.effects.that_matter(actor, &mut room.rules)?;
        room.added.clear();
        for rule in &room.rules {
            room.values.copy_from_slice(&actor.values);
            self.effects.reduce(*rule, &mut room.values);
            let reached = room.walk.go(layout, &room.values, 1);
            room.walk.view(layout, &room.values, reached, &mut room.view);
            layout.write(&room.view, &mut room.state);
            let company = self.classes.add_company(class, (&room.state, reached), *rule);
            room.added.extend(company.map(|company| (company, *rule)));
        }
        room.added.sort_unstable();
        Ok(())
    }

    /// Lets a company act beside a view by some of the rules that were found; both have been
    /// read.
    fn act(&mut self, view: u32, rules: Range<usize>) -> Result<(), Halt> {
        self.room.compositions.clear();
        let [one, two] = &self.room.seen;
        if let Err(trouble) = self.composer.compose(one, two, &mut self.room.compositions) {
            return Err(self.halt_for(trouble));
        }
        let words = self.layout.state_words;
        let n_compositions = self.room.compositions.len() / words;
        self.n_compositions += n_compositions as u64;
        self.look_up(n_compositions as u64)?;
        for start in (0..n_compositions).map(|number| number * words) {
            for number in rules.clone() {
                let room = &mut self.room;
                let rule = room.added[number].1 as usize;
                room.out.clear();
                let composition = &room.compositions[start..start + words];
                self.beside[rule].expand(composition, &mut room.out)?;
                let step = |choice| Step::Beside(rule, choice);
                self.take(Some(view), step, Shown::Both { composition: start })?;
            }
        }
        Ok(())
    }

    /// Tries steps again for which there were fewer samples than there are now. Says how many
    /// views they were of.
    fn try_steps_again(&mut self) -> Result<usize, Halt> {
        let n_samples = self.effects.n_samples();
        let mut n_tried = 0;
        for idx in 0..self.tried.len() {
            let (view, class, n_before) = self.tried[idx];
            if n_before < n_samples {
                n_tried += 1;
                self.look_up(1)?;
                self.tried[idx].2 = n_samples;
                self.act_beside_all(view, class)?;
            }
        }
        Ok(n_tried)
    }
}

impl Room {
    fn new(layout: &Layout) -> Room {
        let values = vec![0; layout.places.len()];
        let seen = Seen { values: values.clone(), reached: Reached::default() };
        Room {
            walk: Walk::new(layout),
            view: values.clone(),
            values,
            state: vec![0; layout.state_words],
            out: Successors::new(layout.state_words),
            seen: [seen.clone(), seen],
            compositions: Vec::new(),
            rules: Vec::new(),
            added: Vec::new(),
        }
    }
}
