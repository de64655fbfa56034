//! The frames of inlined calls: which procedure, called from where, and where its locals
//! lie in the thread.

use model::Bit;
use rustc_hash::FxHashMap;

use crate::boolprog::code::{Code, Place};

/// Names a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FrameId(u32);

/// A procedure that a thread started with, or that an instruction called.
#[derive(Clone, Debug)]
struct Frame {
    procedure: usize,
    /// The frame of the caller, and the instruction after the call.
    caller: Option<(FrameId, usize)>,
    /// Where the caller wants the results.
    targets: Vec<Place>,
    /// The first of its locals.
    base: u32,
}

/// All frames.
#[derive(Clone, Debug)]
pub(crate) struct Frames {
    frames: Vec<Frame>,
    roots: FxHashMap<usize, FrameId>,
    calls: FxHashMap<(FrameId, usize), FrameId>,
    n_owned: u32,
    n_slots: usize,
    /// Per procedure, the names of its locals.
    locals: Vec<Vec<String>>,
}

impl Frames {
    pub(super) fn new(code: &Code) -> Frames {
        Frames {
            frames: Vec::new(),
            roots: FxHashMap::default(),
            calls: FxHashMap::default(),
            n_owned: code.owned.len() as u32,
            n_slots: code.owned.len(),
            locals: code.procedures.iter().map(|procedure| procedure.locals.clone()).collect(),
        }
    }

    /// The frame of a thread that runs `procedure`.
    pub(super) fn root(&mut self, code: &Code, procedure: usize) -> FrameId {
        if let Some(&known) = self.roots.get(&procedure) {
            return known;
        }
        let base = self.n_owned;
        let id = self.push(code, Frame { procedure, caller: None, targets: Vec::new(), base });
        self.roots.insert(procedure, id);
        id
    }

    /// The frame of the call that instruction `at` of `caller` makes.
    pub(super) fn call(
        &mut self,
        code: &Code,
        (caller, at): (FrameId, usize),
        procedure: usize,
        targets: &[Place],
    ) -> FrameId {
        if let Some(&known) = self.calls.get(&(caller, at)) {
            return known;
        }
        let below = &self.frames[caller.0 as usize];
        let base = below.base + code.procedures[below.procedure].locals.len() as u32;
        let targets = targets.iter().map(|&bit| super::moved_bit(bit, below.base)).collect();
        let frame = Frame { procedure, caller: Some((caller, at + 1)), targets, base };
        let id = self.push(code, frame);
        self.calls.insert((caller, at), id);
        id
    }

    fn push(&mut self, code: &Code, frame: Frame) -> FrameId {
        let top = frame.base as usize + code.procedures[frame.procedure].locals.len();
        self.n_slots = self.n_slots.max(top);
        self.frames.push(frame);
        FrameId(self.frames.len() as u32 - 1)
    }

    pub(super) fn procedure(&self, frame: FrameId) -> usize {
        self.frames[frame.0 as usize].procedure
    }

    pub(super) fn base(&self, frame: FrameId) -> u32 {
        self.frames[frame.0 as usize].base
    }

    /// Where control goes on after the frame, and where its results go.
    pub(super) fn back(&self, frame: FrameId) -> Option<(FrameId, usize, &[Place])> {
        let frame = &self.frames[frame.0 as usize];
        let (caller, instruction) = frame.caller?;
        Some((caller, instruction, &frame.targets))
    }

    /// How often `procedure` is active in a frame and those below it.
    pub(super) fn n_activations(&self, frame: FrameId, procedure: usize) -> usize {
        self.chain(frame).filter(|frame| frame.procedure == procedure).count()
    }

    fn chain(&self, frame: FrameId) -> impl Iterator<Item = &Frame> {
        let first = Some(&self.frames[frame.0 as usize]);
        std::iter::successors(first, |frame| {
            frame.caller.map(|(caller, _)| &self.frames[caller.0 as usize])
        })
    }

    /// All local variables of a thread, those of all frames.
    pub(super) fn n_slots(&self) -> usize {
        self.n_slots
    }

    /// The locals of a thread that starts with `procedure`: it holds no lock, its locals
    /// begin as they are declared, and where no frame is yet nothing matters.
    pub(super) fn initial(&self, code: &Code, procedure: usize) -> Vec<Option<bool>> {
        let held = (0..self.n_owned).map(|_| Some(false));
        let declared = code.procedures[procedure].initial.iter().copied();
        let rest = std::iter::repeat(Some(false));
        held.chain(declared).chain(rest).take(self.n_slots).collect()
    }

    /// What a local variable of a thread is called in a frame; `None` where it is none of
    /// the frame and those below it.
    pub(crate) fn name(&self, frame: FrameId, slot: usize) -> Option<String> {
        let is_outermost = self.frames[frame.0 as usize].caller.is_none();
        self.chain(frame).enumerate().find_map(|(depth, frame)| {
            let locals = &self.locals[frame.procedure];
            let name = locals.get(slot.checked_sub(frame.base as usize)?)?;
            // Callers' variables are told apart from those of the procedure itself.
            Some(match depth == 0 || is_outermost {
                true => name.clone(),
                false => format!("{name} of a caller"),
            })
        })
    }
}

/// The bits of locks that a thread may hold come first.
pub(super) fn held(lock: usize) -> Bit {
    Bit::Local(lock as u32)
}
