//! Births, deaths and looks: where facts about addresses come from.

use super::closure::Table;
use super::{Fact, Known, Relation};
use crate::memory::encode::live;
use crate::memory::object::{Kind, Object};
use crate::memory::stores::{Ending, Frame};
use crate::memory::threads::ThreadField;
use crate::memory::{Memory, ThreadIdentity};
use crate::value::{Base, Origin, Value};

/// So many dead local variables are looked through for those that nobody knows.
const MANY: usize = 8;

impl Memory<'_> {
    /// An object of the running thread is born: it may lie where a dead one lay.
    pub(in crate::memory) fn note_new(&mut self, number: u32, kind: Kind) {
        let new = Base::new(Origin::Private(number));
        let watch = self.code.watch;
        let vacant = match kind {
            Kind::Heap if watch.sees_heap => {
                self.access_addresses(false);
                self.dead(Kind::Heap)
            }
            Kind::Stack if watch.compares => {
                if self.left_behind().len() > MANY {
                    self.sweep();
                }
                self.left_behind()
            }
            _ => return,
        };
        let facts = vacant.into_iter().map(|old| Fact::new(Known::Open, old, new));
        self.thread.addresses.extend(facts);
    }

    /// A thread is started: it may get the name of one that nobody can name any more.
    pub(in crate::memory) fn note_new_thread(&mut self, number: u32) {
        if !self.code.watch.sees_threads {
            return;
        }
        self.access_addresses(false);
        let new = Base::new(Origin::Shared(number));
        let gone = self.shared.threads().filter(|&thread| self.shared.is_gone(thread));
        let gone: Vec<u32> = gone.map(|thread| thread.number()).collect();
        let facts = gone.into_iter().map(|old| (Base::new(Origin::Shared(old)), new));
        let facts = facts.map(|(old, new)| Fact::new(Known::Open, old, new));
        self.shared.addresses.extend(facts);
    }

    /// The name of a thread is free for another one, or will be when it ends.
    pub(in crate::memory) fn note_thread_field(&mut self, field: ThreadField) {
        let frees = [ThreadField::HasEnded, ThreadField::IsJoined, ThreadField::IsDetached];
        if self.code.watch.sees_threads && frees.contains(&field) {
            self.access_addresses(true);
        }
    }

    /// An object moves: it may stay where it is.
    pub fn note_moved(&mut self, old: Base, new: Base) {
        if self.code.watch.sees_heap {
            self.thread.addresses.extend([Fact::new(Known::Open, old, new)]);
        }
    }

    /// An object has died: another one may take its place.
    pub(in crate::memory) fn note_dead(&mut self, base: Base) {
        let watch = self.code.watch;
        let kind = self.object(base.origin()).map(Object::kind);
        match (kind, base.origin()) {
            (Some(Kind::Heap), Origin::Shared(_)) if watch.sees_heap => self.access_addresses(true),
            (Some(Kind::Heap), Origin::Private(number))
                if watch.sees_heap && self.is_remembered(base) =>
            {
                self.access_addresses(true);
                self.share(number);
            }
            (Some(Kind::Stack), Origin::Shared(_)) if watch.compares => {
                self.thread.addresses.extend([Fact::new(Known::Left, base, base)]);
            }
            _ => {}
        }
    }

    /// How two objects lie. `None` where that was not followed.
    pub fn relation(&self, left: Base, right: Base) -> Option<Relation> {
        if self.shared.addresses.is_empty() && self.thread.addresses.is_empty() {
            return (!self.may_replace(left, right)).then_some(Relation::Apart);
        }
        let settled = self.settled_with([left, right]);
        let matters = |fact: &&Fact| settled.contains(&fact.low) && settled.contains(&fact.high);
        let table = Table::new(self.facts().filter(matters), [left, right]);
        Some(table.relation(left, right))
    }

    /// Settles how two objects lie.
    pub fn decide(&mut self, left: Base, right: Base, relation: Relation) {
        let mut table = Table::new(self.facts(), [left, right]);
        table.decide(left, right, relation);
        let is_own = |fact: &Fact| is_private(fact.low) || is_private(fact.high);
        let (own, shared): (Vec<Fact>, Vec<Fact>) = table.facts().partition(is_own);
        let left_behind = self.thread.addresses.take_if(|fact| fact.known == Known::Left);
        self.shared.addresses.clear();
        self.shared.addresses.extend(shared);
        self.thread.addresses.clear();
        self.thread.addresses.extend(own.into_iter().chain(left_behind));
    }

    /// Facts about objects that were dropped are about nobody: others get their numbers.
    pub(in crate::memory) fn forget_dropped(&mut self) {
        let objects = &self.thread.objects;
        self.thread.addresses.rename(|base| match base.origin() {
            Origin::Private(number) if objects.get(number).is_none() => None,
            _ => Some(base),
        });
    }

    /// Facts about objects that became shared are no longer the thread's own.
    pub(in crate::memory) fn share_facts(&mut self, name: impl Fn(Base) -> Base) {
        if self.thread.addresses.is_empty() {
            return;
        }
        self.thread.addresses.rename(|base| Some(name(base)));
        let is_shared = |fact: &Fact| {
            fact.known != Known::Left && !is_private(fact.low) && !is_private(fact.high)
        };
        let shared = self.thread.addresses.take_if(is_shared);
        self.shared.addresses.extend(shared);
    }

    /// All facts that the thread can know.
    fn facts(&self) -> impl Iterator<Item = &Fact> + Clone {
        self.shared.addresses.iter().chain(self.thread.addresses.iter())
    }

    /// The objects of which one of two knows that they are equal, or how they are ordered, by
    /// way of others too. What follows for the two follows from these.
    fn settled_with(&self, two: [Base; 2]) -> Vec<Base> {
        let mut met = two.to_vec();
        let mut at = 0;
        while at < met.len() {
            let settled = |fact: &&Fact| matches!(fact.known, Known::Same | Known::Below);
            for fact in self.facts().filter(settled) {
                for (this, other) in [(fact.low, fact.high), (fact.high, fact.low)] {
                    if this == met[at] && !met.contains(&other) {
                        met.push(other);
                    }
                }
            }
            at += 1;
        }
        met
    }

    /// Could one of two objects have taken the place of the other, where nobody has kept
    /// track of that?
    fn may_replace(&self, left: Base, right: Base) -> bool {
        let is_kept = |kind| match kind {
            Kind::Heap => self.code.watch.sees_heap,
            Kind::Stack => self.code.watch.compares,
            Kind::Thread => self.code.watch.sees_threads,
            Kind::Variable | Kind::Symbol => true,
        };
        let (Some(one), Some(other)) = (self.object(left.origin()), self.object(right.origin()))
        else {
            return false;
        };
        let is_dead = |base: Base, object: &Object| match base.origin() {
            Origin::Shared(number) if object.kind == Kind::Thread => {
                self.shared.is_gone(ThreadIdentity::of_object(number))
            }
            _ => !object.is_live,
        };
        one.kind == other.kind
            && !is_kept(one.kind)
            && (is_dead(left, one) || is_dead(right, other))
    }

    /// All dead objects of a kind that the thread can name.
    fn dead(&self, kind: Kind) -> Vec<Base> {
        let is_dead = |object: &Object| object.kind == kind && !object.is_live;
        let shared = self.shared.objects.iter().filter(|(_, object)| is_dead(object));
        let own = self.thread.objects.iter().filter(|(_, object)| is_dead(object));
        let shared = shared.map(|(number, _)| Base::new(Origin::Shared(number)));
        shared.chain(own.map(|(number, _)| Base::new(Origin::Private(number)))).collect()
    }

    /// Dead local variables of the running thread.
    fn left_behind(&self) -> Vec<Base> {
        let is_dead = |object: &Object| object.kind == Kind::Stack && !object.is_live;
        let own = self.thread.objects.iter().filter(|(_, object)| is_dead(object));
        let own = own.map(|(number, _)| Base::new(Origin::Private(number)));
        let known = self.thread.addresses.iter().filter(|fact| fact.known == Known::Left);
        own.chain(known.map(|fact| fact.low)).collect()
    }

    /// May the running thread still use an address after the operation at hand?
    fn is_remembered(&self, base: Base) -> bool {
        let held = |value: &Value| value.base == base;
        let thread = &self.thread;
        let mut frames = thread.frames.iter().rev();
        let top = frames.next().map(|frame| (frame, self.live_behind(frame)));
        let others = frames.map(|frame| (frame, live(self.code, frame, false)));
        let mut registers = top
            .into_iter()
            .chain(others)
            .flat_map(|(frame, live)| live.iter().map(|&reg| &frame.registers[reg as usize]));
        registers.any(held)
            || thread.thread_locals.iter().chain(&thread.specifics).any(held)
            || thread.buffered.iter().any(|store| store.bases().contains(&base))
            || matches!(&thread.ending, Some(Ending::Thread(result)) if held(result))
            || thread.objects.iter().any(|(_, object)| object.bases().any(|it| it == base))
    }

    /// The registers that matter behind the operation that a frame is at.
    fn live_behind(&self, frame: &Frame) -> &[u32] {
        let body = self.code.functions[frame.function as usize].body.as_ref();
        let next = body.and_then(|body| {
            let instr = body.ops.get(frame.pc as usize + 1)?;
            body.live_sets.get(instr.live as usize)
        });
        next.map_or(&[], |live| live)
    }
}

fn is_private(base: Base) -> bool {
    matches!(base.origin(), Origin::Private(_))
}
