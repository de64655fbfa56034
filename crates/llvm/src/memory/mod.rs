//! Memory behind one door: objects and their bytes, who can reach them, and what a step
//! did to them.
//!
//! A step works on two stores: what all threads share ([`SharedStore`]) and what the
//! running thread has to itself ([`ThreadStore`]). [`Memory`] holds both while the step
//! runs, and nobody else changes an object. Registers belong to the thread's store,
//! because they hold addresses and inputs like memory does: publishing an object or
//! settling an input rewrites them wherever they are.
//!
//! Every access to a shared object goes through [`Memory::locate`] or an atomic update,
//! and leaves a trace in the step's footprint (`footprint.rs`), from which reductions,
//! race detection and happens-before live. So a memory model is a matter of this module:
//! where a read gets its value, when a write becomes visible, and what both order.
//!
//! **Read first** `object.rs`, `stores.rs`, `access.rs`; then `escape.rs`,
//! `happens_before.rs`, `history.rs`, `store_buffer.rs`, `addresses`, `forget.rs`.

mod access;
mod addresses;
mod after_end;
mod atomic;
mod encode;
mod escape;
mod footprint;
mod forget;
mod hand_over;
mod happens_before;
mod history;
mod holders;
mod identity;
mod lifetime;
mod map;
mod names;
mod object;
mod objects;
mod operation;
mod progression;
mod registry;
mod store_buffer;
mod stores;
mod symbols;
mod threads;

pub use access::{AccessMode, Location};
pub use addresses::Relation;
pub use atomic::Update;
pub(crate) use encode::live;
pub use footprint::StepFootprint;
pub(crate) use identity::OWNER;
pub use identity::{Owner, ThreadIdentity};
pub use map::{Map, View};
pub use object::{Kind, Mark, MarkKind, Object};
pub use objects::Objects;
pub use operation::Operation;
pub use progression::Progression;
pub use registry::Key;
pub use stores::{Ending, Frame, SharedStore, ThreadStore};
pub use threads::ThreadField;

use happens_before::Event;
use history::Deed;

use crate::code::{Code, Reg, Src};
use crate::machine::{MemoryModel, Options};
use crate::value::{Origin, Value, mask};

/// The accesses of which happens-before is kept, at some moment.
#[derive(Debug)]
pub struct KnownAccesses(Vec<Event>);

/// The two stores of a step, and what the step did to them.
#[derive(Debug)]
pub struct Memory<'p> {
    code: &'p Code,
    /// Variables that cannot be written, as objects.
    constants: &'p [Object],
    options: &'p Options,
    shared: SharedStore,
    thread: ThreadStore,
    footprint: StepFootprint,
    /// How deep the thread is in sections that are one step for others.
    section_depth: u32,
    /// Did the present operation fail to get what it tried for, so that it orders nothing?
    is_unordered: bool,
    /// What the present operation has done, where happens-before is kept.
    history: Vec<Deed>,
}

impl<'p> Memory<'p> {
    /// Memory of a program, with working memory to be used again.
    pub fn new(
        code: &'p Code,
        constants: &'p [Object],
        options: &'p Options,
        (shared, thread): (SharedStore, ThreadStore),
    ) -> Memory<'p> {
        Memory {
            code,
            constants,
            options,
            shared,
            thread,
            footprint: StepFootprint::default(),
            section_depth: 0,
            is_unordered: false,
            history: Vec::new(),
        }
    }

    /// The two stores, for whoever has use for their working memory.
    pub fn into_stores(self) -> (SharedStore, ThreadStore) {
        (self.shared, self.thread)
    }

    /// Takes up the two stores that a step starts from.
    pub fn load(&mut self, shared: &[u8], thread: &[u8]) {
        self.thread.decode(self.code, thread);
        self.load_shared(shared);
    }

    /// Takes up a shared store, to look at it without a thread.
    pub fn load_shared(&mut self, shared: &[u8]) {
        self.shared.decode(shared);
        self.footprint.clear();
        self.section_depth = 0;
        self.is_unordered = false;
        self.history.clear();
    }

    /// What all threads see.
    pub fn shared(&self) -> &SharedStore {
        &self.shared
    }

    /// What the running thread has to itself.
    pub fn thread(&self) -> &ThreadStore {
        &self.thread
    }

    /// The bytes of the shared store.
    pub fn encode_shared(&self, out: &mut Vec<u8>) {
        self.shared.encode(out);
    }

    /// The bytes of the thread's store; gives where memory was allocated that is lost. The
    /// step has come to its end: names of private objects are not what they were.
    pub fn encode_thread(&mut self, out: &mut Vec<u8>) -> Option<u32> {
        let tidied = self.thread.encode(self.code, out);
        let (me, events) = (self.me(), &mut self.shared.events);
        if !events.is_empty() {
            let number = |old| tidied.numbers.get(&old).copied();
            happens_before::renumber_private(events, me, number);
        }
        tidied.leak
    }

    /// The bytes of the store of a thread that the step has made.
    pub fn encode_spawned(&mut self, mut thread: ThreadStore, out: &mut Vec<u8>) {
        self.swap_thread(&mut thread);
        self.encode_thread(out);
        self.swap_thread(&mut thread);
    }

    /// What the step has accessed of the shared store so far.
    pub fn footprint(&self) -> &StepFootprint {
        &self.footprint
    }

    /// Forgets all but the first `n` accesses, as if the step had not come to them.
    pub fn forget_accesses_from(&mut self, n: usize) {
        self.footprint.truncate(n);
    }

    /// The accesses of which happens-before is kept, to come back to them.
    pub fn known_accesses(&self) -> KnownAccesses {
        KnownAccesses(self.shared.events.clone())
    }

    /// Comes back to the accesses of which happens-before was kept.
    pub fn restore_known_accesses(&mut self, known: KnownAccesses) {
        self.shared.events = known.0;
    }

    /// The object with this origin.
    pub fn object(&self, origin: Origin) -> Option<&Object> {
        match origin {
            Origin::Shared(number) => self.shared.objects.get(number),
            Origin::Private(number) => self.thread.objects.get(number),
            Origin::Constant(number) => self.constants.get(number as usize),
            _ => None,
        }
    }

    /// The object with this origin, to be changed; not for constants.
    fn object_mut(&mut self, origin: Origin) -> Option<&mut Object> {
        match origin {
            Origin::Shared(number) => self.shared.objects.get_mut(number),
            Origin::Private(number) => self.thread.objects.get_mut(number),
            _ => None,
        }
    }

    /// Lets another thread run; `thread` is the one that ran, afterwards.
    pub fn swap_thread(&mut self, thread: &mut ThreadStore) {
        std::mem::swap(&mut self.thread, thread);
    }

    /// The frames of the running thread, the running one last.
    pub fn frames(&self) -> &[Frame] {
        &self.thread.frames
    }

    /// The frame that runs.
    ///
    /// # Panics
    /// If the thread's function has ended.
    pub fn frame(&self) -> &Frame {
        self.thread.frames.last().expect("the thread's function has not ended")
    }

    /// The frame that runs.
    ///
    /// # Panics
    /// If the thread's function has ended.
    pub fn frame_mut(&mut self) -> &mut Frame {
        self.thread.frames.last_mut().expect("the thread's function has not ended")
    }

    /// Starts a function.
    pub fn push_frame(&mut self, mut frame: Frame) {
        self.forget_registers(&mut frame);
        self.thread.frames.push(frame);
    }

    /// The value of an operand of the running function.
    pub fn operand(&self, src: Src) -> Value {
        match src {
            Src::Reg(reg) => self.frame().registers[reg as usize],
            Src::Value(value) => match value.base.origin() {
                Origin::ThreadLocal(number) => {
                    let own = self.thread.thread_locals[number as usize];
                    let bits = own.bits.wrapping_add(value.bits);
                    Value { bits: bits & mask(self.code.pointer_bytes * 8), ..own }
                }
                _ => value,
            },
        }
    }

    /// Sets a register of the running function; nothing is held of one that is forgotten.
    pub fn set_register(&mut self, reg: Reg, value: Value) {
        let value = match self.options.forgotten.is_empty() {
            true => value,
            false => self.held(self.frame().function, reg, value),
        };
        self.frame_mut().registers[reg as usize] = value;
    }

    /// What the running thread comes to, once its function has ended.
    pub fn ending(&self) -> Option<Ending> {
        self.thread.ending
    }

    /// Says what the running thread comes to.
    pub fn set_ending(&mut self, ending: Ending) {
        self.thread.ending = Some(ending);
    }

    /// Begins a section that is one step for other threads.
    pub fn enter_section(&mut self) {
        self.section_depth += 1;
    }

    /// Ends such a section; false if there was none.
    pub fn leave_section(&mut self) -> bool {
        let was_inside = self.section_depth > 0;
        self.section_depth = self.section_depth.saturating_sub(1);
        was_inside
    }

    /// Is the thread in a section that is one step for others?
    pub fn is_in_section(&self) -> bool {
        self.section_depth > 0
    }

    fn keeps_happens_before(&self) -> bool {
        self.options.memory_model == MemoryModel::HappensBefore
    }
}
