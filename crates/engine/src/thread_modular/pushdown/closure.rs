//! The least P and G: what each thread can come to within each call, and what it may do to
//! the shared store.
//!
//! P relates how a procedure was entered to what it can come to; calls are summarised by the
//! edges of P that end in a return (Q of the paper is a caller that waits for an entry). A
//! step outside of atomic sections, or a whole section, adds to G, and whatever is in G
//! happens to every edge whose thread is in no section, if both threads may be where they are
//! at the same time.
//!
//! **Ends** always: worlds, views and entries are finitely many.
//! **Read first** [`Closure::run`].

use std::rc::Rc;

use model::{Limits, PushdownProgram, StepError, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::{Classes, Counts, Members};
use super::start::{self, Number};
use super::tables::{Change, Interned, Listed, New, Numbered, Stores, View, World};

/// Edges that are taken up between two looks at the limits.
const EDGES_BETWEEN_LOOKS: usize = 1024;

/// P, G and the calls, as far as they are known.
pub(super) struct Closure<'p> {
    pub classes: Classes<'p>,
    pub stores: Stores<'p>,
    pub worlds: Interned<World>,
    pub views: Interned<View>,
    facts: Vec<Facts>,
    /// An entry: a world and a view.
    pub entries: Interned<(u32, u32)>,
    calls: Vec<Calls>,
    pub edges: Vec<Edge>,
    known: FxHashSet<(u32, u32, u32)>,
    /// Per world, the edges taken up that end there outside of atomic sections.
    edges_in: Vec<Vec<u32>>,
    pub guarantee: Vec<Pair>,
    known_pairs: FxHashMap<(u32, Members, u32), u32>,
    /// Per world, the pairs that start there.
    pairs_from: Vec<Vec<u32>>,
    /// The first error.
    pub alarm: Option<Alarm>,
}

/// What a view says of its thread.
#[derive(Clone, Copy)]
struct Facts {
    members: Members,
    is_atomic: bool,
    is_returning: bool,
}

/// Who entered a procedure this way, and how it returned.
#[derive(Default)]
struct Calls {
    /// Did a thread start here?
    is_root: bool,
    /// The entries of the callers, with their frames and the edges that called.
    callers: Vec<(u32, u32, u32)>,
    /// The edges that end in a return.
    exits: Vec<u32>,
}

/// An edge of P, and how it came about first.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub entry: u32,
    pub world: u32,
    pub view: u32,
    pub why: Why,
}

/// How an edge came about.
#[derive(Clone, Copy)]
pub(super) enum Why {
    /// A thread starts, or is created.
    Start,
    /// The last edge of the same thread, in this call or in the one that returned.
    Own(u32),
    /// Another thread did what this pair of G says.
    Other { edge: u32, pair: u32 },
}

/// A pair of G, and the edge whose step it was first.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub from: u32,
    pub members: Members,
    pub to: u32,
    pub edge: u32,
    pub label: model::LabelId,
}

/// An error that cannot be excluded.
pub(super) struct Alarm {
    /// Whose next step it is.
    pub edge: u32,
    pub what: What,
}

/// What the next step is.
pub(super) enum What {
    Error(StepError),
    /// It is not known what it does.
    Unknown(String),
}

impl<'p> Closure<'p> {
    /// Nothing but the threads at the start.
    pub fn new(classes: Classes<'p>, numbers: &[Number]) -> Closure<'p> {
        let mut closure = Closure {
            stores: Stores::new(classes.program),
            worlds: Interned::default(),
            views: Interned::default(),
            facts: Vec::new(),
            entries: Interned::default(),
            calls: Vec::new(),
            edges: Vec::new(),
            known: FxHashSet::default(),
            edges_in: Vec::new(),
            guarantee: Vec::new(),
            known_pairs: FxHashMap::default(),
            pairs_from: Vec::new(),
            alarm: None,
            classes,
        };
        closure.start(numbers);
        closure
    }

    fn program(&self) -> &'p dyn PushdownProgram {
        self.classes.program
    }

    fn start(&mut self, numbers: &[Number]) {
        let program = self.program();
        for shared in program.initial_shared() {
            let shared = self.stores.shared.number(shared);
            for counts in start::counts(&self.classes, numbers) {
                for top in start::tops(program, numbers) {
                    let top = self.stores.tops.number(top.clone());
                    let view = self.view(View { top, took: Members::default(), section: None });
                    let members = self.facts[view as usize].members;
                    if self.classes.may_meet(counts, members, Members::default()) {
                        let world = self.world(World { shared, counts });
                        self.enter((world, view), Why::Start, None);
                    }
                }
            }
        }
    }

    /// Adds edges until nothing is new, an error cannot be excluded, or there are `max_edges`.
    pub fn run(&mut self, max_edges: usize, limits: &Limits) -> Result<(), StopReason> {
        let mut next = 0;
        while next < self.edges.len() && self.alarm.is_none() {
            if next.is_multiple_of(EDGES_BETWEEN_LOOKS) {
                limits.check()?;
            }
            if self.edges.len() > max_edges {
                let why = format!("thread by thread, there are more than {max_edges} facts");
                return Err(StopReason::Incomplete { why });
            }
            self.take_up(next as u32);
            next += 1;
        }
        Ok(())
    }

    fn world(&mut self, world: World) -> u32 {
        let number = self.worlds.number(world);
        if number as usize == self.edges_in.len() {
            self.edges_in.push(Vec::new());
            self.pairs_from.push(Vec::new());
        }
        number
    }

    fn view(&mut self, view: View) -> u32 {
        let number = self.views.number(view);
        if number as usize == self.facts.len() {
            let top = self.stores.tops.get(view.top);
            self.facts.push(Facts {
                members: self.classes.members(view.took, top),
                is_atomic: self.program().is_atomic(top.bytes()),
                is_returning: self.program().is_returning(top.bytes()),
            });
        }
        number
    }

    /// A procedure is entered: by a thread that starts, or by a caller that waits.
    fn enter(&mut self, (world, view): (u32, u32), why: Why, caller: Option<(u32, u32, u32)>) {
        let entry = self.entries.number((world, view));
        if entry as usize == self.calls.len() {
            self.calls.push(Calls::default());
        }
        self.add(Edge { entry, world, view, why });
        let calls = &mut self.calls[entry as usize];
        let Some((caller_entry, frame, edge)) = caller else {
            if !std::mem::replace(&mut calls.is_root, true) {
                let exits = calls.exits.clone();
                exits.iter().for_each(|&exit| self.end(exit));
            }
            return;
        };
        let is_new = !calls.callers.iter().any(|known| (known.0, known.1) == (caller_entry, frame));
        if is_new {
            calls.callers.push((caller_entry, frame, edge));
            let exits = calls.exits.clone();
            exits.iter().for_each(|&exit| self.give_back(exit, caller_entry, frame));
        }
    }

    fn add(&mut self, edge: Edge) {
        if self.known.insert((edge.entry, edge.world, edge.view)) {
            self.edges.push(edge);
        }
    }

    /// Takes every step that is possible after an edge.
    fn take_up(&mut self, number: u32) {
        let Edge { entry, world, view, .. } = self.edges[number as usize];
        let facts = self.facts[view as usize];
        if !facts.is_atomic {
            self.edges_in[world as usize].push(number);
            for pair in self.pairs_from[world as usize].clone() {
                self.disturb(number, pair);
            }
        }
        let World { shared, .. } = *self.worlds.get(world);
        let top = self.views.get(view).top;
        let listed = self.stores.steps(shared, top);
        self.take_all(number, entry, &listed);
        if facts.is_returning {
            self.calls[entry as usize].exits.push(number);
            if self.calls[entry as usize].is_root {
                self.end(number);
            }
            for (caller, frame, _) in self.calls[entry as usize].callers.clone() {
                self.give_back(number, caller, frame);
            }
        }
    }

    /// Another thread does what `pair` says, if both can be where they are.
    fn disturb(&mut self, number: u32, pair: u32) {
        let edge = self.edges[number as usize];
        let Pair { from, members, to, .. } = self.guarantee[pair as usize];
        let World { counts, .. } = *self.worlds.get(from);
        let own = self.facts[edge.view as usize].members;
        if self.classes.may_meet(counts, own, members) {
            self.add(Edge { world: to, why: Why::Other { edge: number, pair }, ..edge });
        }
    }

    /// The thread of this edge returns to nobody.
    fn end(&mut self, number: u32) {
        let listed = self.returns(number, None);
        let entry = self.edges[number as usize].entry;
        self.take_all(number, entry, &listed);
    }

    /// The procedure of this edge returns to a caller that was entered as `caller`.
    fn give_back(&mut self, number: u32, caller: u32, frame: u32) {
        let listed = self.returns(number, Some(frame));
        self.take_all(number, caller, &listed);
    }

    fn returns(&mut self, number: u32, frame: Option<u32>) -> Rc<Listed> {
        let Edge { world, view, .. } = self.edges[number as usize];
        let World { shared, .. } = *self.worlds.get(world);
        let top = self.views.get(view).top;
        self.stores.returns(shared, top, frame)
    }

    /// Takes these steps after an edge; what they come to belongs to `entry`.
    fn take_all(&mut self, number: u32, entry: u32, listed: &Listed) {
        if let Some(why) = &listed.incomplete {
            self.raise(number, What::Unknown(why.clone()));
        }
        for step in &listed.steps {
            match &step.step.violation {
                Some(error) => self.raise(number, What::Error(error.clone())),
                None => self.take(number, entry, step),
            }
        }
    }

    fn raise(&mut self, edge: u32, what: What) {
        if self.alarm.is_none() {
            self.alarm = Some(Alarm { edge, what });
        }
    }

    fn take(&mut self, number: u32, entry: u32, step: &Numbered) {
        let Edge { world, view, .. } = self.edges[number as usize];
        let (before, own) = (self.facts[view as usize], *self.views.get(view));
        let World { shared, counts } = *self.worlds.get(world);
        let stores = &self.stores.shared;
        let took = self.classes.took(own.took, stores.get(shared), stores.get(step.shared));
        let after = match step.change {
            Change::Top(top) | Change::Call { top, .. } => {
                Some(self.moved_on(top, took, (world, before.members), own.section))
            }
            Change::Ended => None,
        };
        let born = step.spawned.map(|new| {
            let (New::Fresh(top) | New::Copied(top)) = new;
            self.view(View { top, took: Members::default(), section: None })
        });
        let in_section = after.is_some_and(|after| self.facts[after as usize].is_atomic);
        if born.is_some() && (in_section || before.is_atomic) {
            let why = "a thread is created within an atomic section".to_owned();
            self.raise(number, What::Unknown(why));
            return;
        }
        let members = after.into_iter().chain(born);
        let members: Vec<Members> = members.map(|view| self.facts[view as usize].members).collect();
        for counts in self.classes.moved(counts, Some(before.members), &members) {
            let then = self.arrive(step.shared, counts);
            if !in_section {
                let start = own.section.unwrap_or((world, before.members));
                self.promise(start, then, (number, step.step.label));
            }
            if let Some(after) = after {
                let place = (then, after);
                match step.change {
                    Change::Call { frame, .. } => {
                        self.enter(place, Why::Own(number), Some((entry, frame, number)));
                    }
                    _ => self.add(Edge { entry, world: then, view: after, why: Why::Own(number) }),
                }
            }
            match (step.spawned, born) {
                (Some(New::Fresh(_)), Some(born)) => self.enter((then, born), Why::Start, None),
                // A copy of the frames below: it returns to whom its creator returns to.
                (Some(New::Copied(_)), Some(born)) => {
                    self.add(Edge { entry, world: then, view: born, why: Why::Own(number) });
                }
                _ => {}
            }
        }
    }

    fn arrive(&mut self, shared: u32, counts: Counts) -> u32 {
        self.world(World { shared, counts })
    }

    /// The view after an own step that began in `start` outside of sections, or else where
    /// the section did.
    fn moved_on(
        &mut self,
        top: u32,
        took: Members,
        start: (u32, Members),
        section: Option<(u32, Members)>,
    ) -> u32 {
        let is_atomic = self.program().is_atomic(self.stores.tops.get(top).bytes());
        let section = is_atomic.then_some(section.unwrap_or(start));
        self.view(View { top, took, section })
    }

    /// Adds to G, and has it happen to all whom it can happen to.
    fn promise(&mut self, (from, members): (u32, Members), to: u32, by: (u32, model::LabelId)) {
        if from == to || self.known_pairs.contains_key(&(from, members, to)) {
            return;
        }
        let number = self.guarantee.len() as u32;
        let (edge, label) = by;
        self.guarantee.push(Pair { from, members, to, edge, label });
        self.known_pairs.insert((from, members, to), number);
        self.pairs_from[from as usize].push(number);
        for edge in self.edges_in[from as usize].clone() {
            self.disturb(edge, number);
        }
    }
}
