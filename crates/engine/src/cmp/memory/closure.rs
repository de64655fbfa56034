//! The least set of views with memory that contains the initial ones and that no step leads out
//! of.
//!
//! Each pair of views is composed once: when the later one of the two is looked at. Only views
//! with the same shared part can be composed, and an actor only acts by rules that may matter to
//! others.

use std::collections::VecDeque;

use model::parameterized::ParameterizedSystem;
use model::{Choice, Context, FaultPlace, Judgement, Progress, Stepper, StopReason, Successors};

use super::super::closure::{Alarm, End, Origin, Step};
use super::super::{NAME, store::Numbered};
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
    own: Box<dyn Stepper + Send + 'a>,
    beside: Vec<Box<dyn Stepper + Send + 'a>>,
    effects: Effects<'a>,
    composer: Composer<'a>,
    room: Room,
    /// Work until the limits are looked at.
    until_look: u64,
    pub n_steps: u64,
    pub n_compositions: u64,
}

/// Views that have been looked at, by what they share.
struct Classes {
    all: Numbered,
    members: Vec<Vec<u32>>,
    /// Those among them with steps that may matter to others.
    actors: Vec<Vec<Actor>>,
    /// For each view that has been looked at, its class, and how many samples there were when its
    /// steps were tried.
    known: Vec<(u32, u32, usize)>,
}

/// A view with steps that may matter to others.
#[derive(Debug)]
struct Actor {
    view: u32,
    /// Their numbers.
    rules: Box<[u32]>,
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
            own: system.own().stepper(limits),
            beside: beside.collect(),
            effects: Effects::new(system, layout, limits),
            composer: Composer::new(layout),
            room: Room::new(layout),
            until_look: 0,
            n_steps: 0,
            n_compositions: 0,
        }
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
            ("classes", self.classes.all.len() as u64),
            ("compositions", self.n_compositions),
        ];
        let progress = Progress { engine: NAME, figures: &figures, n_ahead: None };
        self.context.progress.report(&progress);
        Ok(())
    }

    fn start(&mut self) -> Result<(), Halt> {
        self.room.out.clear();
        self.own.initial(&mut self.room.out)?;
        self.take(None, Step::Start, 1)
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
        self.take(Some(view), Step::Own, 1)
    }

    fn halt_for(&self, trouble: Trouble) -> Halt {
        let why = match trouble {
            Trouble::Nodes => format!("{} nodes are too few", self.layout.n_nodes),
            Trouble::Open => "too many values may name an element or not".to_owned(),
        };
        Halt::Stopped(StopReason::Incomplete { why })
    }

    /// Adds what steps lead to, of which so many elements are shown.
    fn take(
        &mut self,
        parent: Option<u32>,
        step: impl Fn(Choice) -> Step,
        n_shown: usize,
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
            self.take_one(idx, Origin { parent, step }, n_shown)?;
        }
        Ok(())
    }

    fn take_one(&mut self, idx: usize, origin: Origin, n_shown: usize) -> Result<(), Halt> {
        self.n_steps += 1;
        let (layout, room) = (self.layout, &mut self.room);
        if !layout.read(room.out.state(idx), &mut room.values) {
            let why = "a state says something that belongs to nobody".to_owned();
            return Err(Halt::Stopped(StopReason::Incomplete { why }));
        }
        let reached = room.walk.go(layout, &room.values, n_shown);
        if let Some(flaw) = room.walk.flaw(layout, &room.values) {
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
        let room = &mut self.room;
        self.layout.read(self.views.get(view), &mut room.values);
        shared_part(self.layout, &room.values, self.reached[view as usize], &mut room.view);
        self.layout.write(&room.view, &mut room.state);
        let class = self.classes.class(&room.state);
        self.classes.members[class].push(view);
        self.read(view, 0);
        let actors = std::mem::take(&mut self.classes.actors[class]);
        for actor in &actors {
            self.read(actor.view, 1);
            self.act(view, actor)?;
        }
        self.classes.actors[class] = actors;
        self.classes.known.push((view, class as u32, self.effects.n_samples()));
        match self.actor(view)? {
            Some(actor) => self.act_beside_all(class, actor),
            None => Ok(()),
        }
    }

    /// Reads a view as the one beside which another acts, or as that other.
    fn read(&mut self, view: u32, role: usize) {
        let seen = &mut self.room.seen[role];
        self.layout.read(self.views.get(view), &mut seen.values);
        seen.reached = self.reached[view as usize];
    }

    /// The view as an actor, if it has steps that may matter to others.
    fn actor(&mut self, view: u32) -> Result<Option<Actor>, Halt> {
        self.read(view, 1);
        self.room.rules.clear();
        self.effects.that_matter(&self.room.seen[1], &mut self.room.rules)?;
        let rules = &self.room.rules;
        Ok((!rules.is_empty()).then(|| Actor { view, rules: rules.as_slice().into() }))
    }

    /// Adds an actor to its class, and lets it act beside all members.
    fn act_beside_all(&mut self, class: usize, actor: Actor) -> Result<(), Halt> {
        self.read(actor.view, 1);
        for number in 0..self.classes.members[class].len() {
            let view = self.classes.members[class][number];
            self.read(view, 0);
            self.act(view, &actor)?;
        }
        let actors = &mut self.classes.actors[class];
        actors.retain(|other| other.view != actor.view);
        actors.push(actor);
        Ok(())
    }

    /// Lets an actor act beside a view; both have been read.
    fn act(&mut self, view: u32, actor: &Actor) -> Result<(), Halt> {
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
            for rule in actor.rules.iter().map(|rule| *rule as usize) {
                let room = &mut self.room;
                room.out.clear();
                let composition = &room.compositions[start..start + words];
                self.beside[rule].expand(composition, &mut room.out)?;
                self.take(Some(view), |choice| Step::Beside(rule, choice), 2)?;
            }
        }
        Ok(())
    }

    /// Tries steps again for which there were fewer samples than there are now. Says how many
    /// views they were of.
    fn try_steps_again(&mut self) -> Result<usize, Halt> {
        let n_samples = self.effects.n_samples();
        let mut n_tried = 0;
        for idx in 0..self.classes.known.len() {
            let (view, class, n_before) = self.classes.known[idx];
            if n_before == n_samples {
                continue;
            }
            n_tried += 1;
            self.look_up(1)?;
            self.classes.known[idx].2 = n_samples;
            let Some(actor) = self.actor(view)? else { continue };
            let mut actors = self.classes.actors[class as usize].iter();
            if !actors.any(|other| other.view == view && other.rules == actor.rules) {
                self.act_beside_all(class as usize, actor)?;
            }
        }
        Ok(n_tried)
    }
}

impl Classes {
    fn new(words: usize) -> Classes {
        Classes {
            all: Numbered::new(words),
            members: Vec::new(),
            actors: Vec::new(),
            known: Vec::new(),
        }
    }

    /// The class of views with this shared part.
    fn class(&mut self, shared: &[u64]) -> usize {
        let (number, is_new) = self.all.insert(shared);
        if is_new {
            self.members.push(Vec::new());
            self.actors.push(Vec::new());
        }
        number as usize
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
        }
    }
}
