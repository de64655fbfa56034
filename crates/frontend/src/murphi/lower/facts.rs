//! What is known at a point of the code: which registers hold what lies in memory,
//! which are not zero, and which sums were computed already.
//!
//! A register that is mentioned in a fact is written once on every way to the
//! point, apart from counters of loops, whose facts never leave the turn. So a fact
//! stays true until memory is written where it looks.

use model::rule_code::Reg;

/// Older facts are forgotten beyond this many, which bounds the time that looking
/// them up takes. Guards and bodies of real models stay below.
const MAX_FACTS: usize = 96;

/// Facts, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    all: Vec<Fact>,
}

/// One thing that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// These bits are this.
    Held(Bits, Held),
    /// The register is not zero.
    NonZero(Reg),
    /// `result = (factor + addend) * stride`.
    Scaled {
        /// The factor.
        factor: Reg,
        /// Added first.
        addend: i64,
        /// What it is multiplied by.
        stride: u32,
        /// Where the result is.
        result: Reg,
    },
    /// Element `index + addend` of the array at this bit is noted as written.
    Marked {
        /// First bit of the array in the state.
        array: u32,
        /// The index.
        index: Reg,
        /// Added to it.
        addend: i64,
    },
    /// `result = left + right`.
    Sum {
        /// One summand.
        left: Reg,
        /// The other.
        right: Reg,
        /// Where the result is.
        result: Reg,
    },
}

/// What some bits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// The same as this register.
    Reg(Reg),
    /// This number.
    Const(u64),
}

/// Bits in memory, or a local variable that lives in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bits {
    /// Which memory.
    pub(super) memory: Memory,
    /// The first bit, before `index` is added.
    pub(super) bit: u32,
    /// Added to `bit`.
    pub(super) index: Option<Reg>,
    /// How many.
    pub(super) n: u32,
    /// Whatever `index` is, the bits lie within these.
    pub(super) extent: (u32, u32),
}

/// A memory that the code can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    /// The state that is expanded: never written.
    State,
    /// The state that is made.
    Next,
    /// The memory of this call.
    Frame,
    /// Whatever the register refers to.
    Reference(Reg),
    /// A local variable in this register.
    Local(Reg),
}

impl Facts {
    /// Adds a fact.
    pub(super) fn add(&mut self, fact: Fact) {
        if self.all.len() >= MAX_FACTS {
            self.all.remove(0);
        }
        self.all.push(fact);
    }

    /// What these bits are, where it is known.
    pub(super) fn held(&self, bits: &Bits) -> Option<Held> {
        self.all.iter().rev().find_map(|fact| match fact {
            Fact::Held(at, held) if same(at, bits) => Some(*held),
            _ => None,
        })
    }

    /// Is the register known not to be zero?
    pub(super) fn is_nonzero(&self, reg: Reg) -> bool {
        self.all.contains(&Fact::NonZero(reg))
    }

    /// Where `(factor + addend) * stride` was computed.
    pub(super) fn scaled(&self, of: Reg, plus: i64, by: u32) -> Option<Reg> {
        self.all.iter().find_map(|fact| match fact {
            Fact::Scaled { factor, addend, stride, result } => {
                ((*factor, *addend, *stride) == (of, plus, by)).then_some(*result)
            }
            _ => None,
        })
    }

    /// Where the sum of two registers was computed.
    pub(super) fn sum(&self, one: Reg, other: Reg) -> Option<Reg> {
        self.all.iter().find_map(|fact| match fact {
            Fact::Sum { left, right, result } => {
                ((*left, *right) == (one, other)).then_some(*result)
            }
            _ => None,
        })
    }

    /// These bits are written: forgets what they were.
    pub(super) fn written(&mut self, bits: &Bits) {
        self.all.retain(|fact| match fact {
            Fact::Held(at, _) => are_apart(at, bits),
            _ => true,
        });
    }

    /// Anything but the expanded state may be written.
    pub(super) fn all_written(&mut self) {
        self.all.retain(|fact| match fact {
            Fact::Held(at, _) => at.memory == Memory::State,
            _ => true,
        });
    }

    /// Any memory but the expanded state and local variables in registers may be
    /// written.
    pub(super) fn memory_written(&mut self) {
        self.all.retain(|fact| match fact {
            Fact::Held(at, _) => matches!(at.memory, Memory::State | Memory::Local(_)),
            _ => true,
        });
    }

    /// Is this known?
    pub(super) fn has(&self, fact: &Fact) -> bool {
        self.all.contains(fact)
    }

    /// The new state becomes a copy of the expanded one.
    pub(super) fn begin(&mut self) {
        self.all.retain(|fact| match fact {
            Fact::Held(at, _) => at.memory != Memory::Next,
            Fact::Marked { .. } => false,
            _ => true,
        });
        let copies: Vec<Fact> = self.all.iter().filter_map(in_next).collect();
        for fact in copies {
            self.add(fact);
        }
    }

    /// Keeps what is true here and there.
    pub(super) fn meet(&mut self, other: &Facts) {
        let shared = self.all.iter().zip(&other.all).take_while(|(a, b)| a == b).count();
        let rest = &other.all[shared..];
        let mut idx = 0;
        self.all.retain(|fact| {
            idx += 1;
            idx <= shared || rest.contains(fact)
        });
    }
}

fn in_next(fact: &Fact) -> Option<Fact> {
    match fact {
        Fact::Held(at, held) if at.memory == Memory::State => {
            Some(Fact::Held(Bits { memory: Memory::Next, ..*at }, *held))
        }
        _ => None,
    }
}

fn same(a: &Bits, b: &Bits) -> bool {
    (a.memory, a.bit, a.index, a.n) == (b.memory, b.bit, b.index, b.n)
}

/// Can a write to one not change the other?
fn are_apart(read: &Bits, written: &Bits) -> bool {
    match (read.memory, written.memory) {
        (Memory::State, _) => true,
        (a, b) if a == b => {
            let both = (read.bit, read.bit.saturating_add(read.n));
            let other = (written.bit, written.bit.saturating_add(written.n));
            (read.index == written.index && disjoint(both, other))
                || disjoint(read.extent, written.extent)
        }
        // A reference never refers to a register, nor to the memory of the call
        // that it was given to.
        (Memory::Reference(_), b) => matches!(b, Memory::Local(_) | Memory::Frame),
        (a, Memory::Reference(_)) => matches!(a, Memory::Local(_) | Memory::Frame),
        _ => true,
    }
}

fn disjoint(a: (u32, u32), b: (u32, u32)) -> bool {
    a.1 <= b.0 || b.1 <= a.0
}
