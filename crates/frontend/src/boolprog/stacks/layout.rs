//! How tops of stacks, frames and whole stacks are packed.

use model::Store;

/// A thread's innermost procedure, and what the thread knows wherever it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Top {
    pub procedure: usize,
    pub instruction: usize,
    /// The procedure that the thread started with.
    pub root: u32,
    /// Atomic sections around it.
    pub depth: u8,
    /// Per lock with an owner, whether the thread has it.
    pub held: Vec<bool>,
    pub locals: Vec<bool>,
}

/// A caller: its procedure, its call, and its locals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub procedure: usize,
    pub instruction: usize,
    pub locals: Vec<bool>,
}

/// Bytes of a top before its bits.
const TOP_HEAD: usize = 13;

/// Bytes of a frame before its bits.
const FRAME_HEAD: usize = 8;

/// The first bytes of a whole stack: no location of a flow has this number.
const STACK_MARK: [u8; 4] = u32::MAX.to_le_bytes();

impl Top {
    pub fn pack(&self) -> Store {
        let mut bytes = Vec::with_capacity(TOP_HEAD + 8);
        bytes.extend((self.procedure as u32).to_le_bytes());
        bytes.extend((self.instruction as u32).to_le_bytes());
        bytes.extend(self.root.to_le_bytes());
        bytes.push(self.depth);
        push_bits(&mut bytes, self.held.iter().chain(&self.locals));
        Store(bytes.into())
    }

    /// The top that [`Top::pack`] made; `n_locals` is asked with its procedure.
    pub fn unpack(
        bytes: &[u8],
        n_held: usize,
        n_locals: impl Fn(usize) -> Option<usize>,
    ) -> Option<Top> {
        let procedure = number(bytes, 0)? as usize;
        let n_locals = n_locals(procedure)?;
        let bits = bytes.get(TOP_HEAD..)?;
        let mut held: Vec<bool> = (0..n_held + n_locals).map(|idx| bit(bits, idx)).collect();
        let locals = held.split_off(n_held);
        let instruction = number(bytes, 4)? as usize;
        Some(Top {
            procedure,
            instruction,
            root: number(bytes, 8)?,
            depth: bytes[12],
            held,
            locals,
        })
    }
}

/// Atomic sections around a packed top, without unpacking it.
pub(super) fn depth(top: &[u8]) -> u8 {
    top.get(12).copied().unwrap_or(0)
}

/// The procedure that the thread of a packed top started with.
pub(super) fn root(top: &[u8]) -> Option<u32> {
    number(top, 8)
}

/// The procedure and the instruction of a packed top.
pub(super) fn place(top: &[u8]) -> Option<(usize, usize)> {
    Some((number(top, 0)? as usize, number(top, 4)? as usize))
}

impl Frame {
    pub fn pack(&self) -> Store {
        let mut bytes = Vec::with_capacity(FRAME_HEAD + 4);
        bytes.extend((self.procedure as u32).to_le_bytes());
        bytes.extend((self.instruction as u32).to_le_bytes());
        push_bits(&mut bytes, self.locals.iter());
        Store(bytes.into())
    }

    pub fn unpack(bytes: &[u8], n_locals: impl Fn(usize) -> Option<usize>) -> Option<Frame> {
        let procedure = number(bytes, 0)? as usize;
        let bits = bytes.get(FRAME_HEAD..)?;
        let locals = (0..n_locals(procedure)?).map(|idx| bit(bits, idx)).collect();
        Some(Frame { procedure, instruction: number(bytes, 4)? as usize, locals })
    }
}

/// A top on frames, the outermost first.
pub(super) fn pack_stack(frames: &[&[u8]], top: &[u8]) -> Store {
    let mut bytes = STACK_MARK.to_vec();
    for part in frames.iter().chain([&top]) {
        bytes.extend((part.len() as u16).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    Store(bytes.into())
}

/// The frames and the top that [`pack_stack`] made one store of.
pub(super) fn unpack_stack(local: &[u8]) -> Option<(Vec<&[u8]>, &[u8])> {
    let mut rest = local.strip_prefix(&STACK_MARK)?;
    let mut parts = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<2>() {
        let (part, after) = after.split_at_checked(u16::from_le_bytes(*length) as usize)?;
        parts.push(part);
        rest = after;
    }
    let top = parts.pop()?;
    Some((parts, top))
}

/// Is it a whole stack?
pub(crate) fn is_stack(local: &[u8]) -> bool {
    local.starts_with(&STACK_MARK)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub(super) fn bit(bytes: &[u8], idx: usize) -> bool {
    bytes.get(idx / 8).is_some_and(|byte| byte >> (idx % 8) & 1 == 1)
}

pub(super) fn bits(bytes: &[u8], n_bits: usize) -> Vec<bool> {
    (0..n_bits).map(|idx| bit(bytes, idx)).collect()
}

pub(super) fn push_bits<'b>(bytes: &mut Vec<u8>, bits: impl Iterator<Item = &'b bool>) {
    let start = bytes.len();
    for (idx, set) in bits.enumerate() {
        if idx % 8 == 0 {
            bytes.push(0);
        }
        bytes[start + idx / 8] |= u8::from(*set) << (idx % 8);
    }
}

#[cfg(test)]
mod tests {
    use super::{Frame, Top, pack_stack, unpack_stack};

    #[test]
    fn what_is_packed_is_unpacked() {
        let (held, locals) = (vec![true, false], vec![false, true, true, false, true, true, true]);
        let top = Top { procedure: 3, instruction: 700, root: 1, depth: 2, held, locals };
        assert_eq!(Top::unpack(top.pack().bytes(), 2, |_| Some(7)), Some(top.clone()));
        let frame = Frame { procedure: 1, instruction: 9, locals: vec![true; 9] };
        assert_eq!(Frame::unpack(frame.pack().bytes(), |_| Some(9)), Some(frame.clone()));
        let (frame, top) = (frame.pack(), top.pack());
        let stack = pack_stack(&[frame.bytes(), frame.bytes()], top.bytes());
        let expected = (vec![frame.bytes(), frame.bytes()], top.bytes());
        assert_eq!(unpack_stack(stack.bytes()), Some(expected));
        assert_eq!(unpack_stack(&stack.bytes()[..stack.0.len() - 1]), None);
    }
}
