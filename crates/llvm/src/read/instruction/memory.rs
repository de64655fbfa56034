//! Memory, atomics, and members of aggregates and vectors.

use super::Parsed;
use crate::ir::{Op, Ordering, RmwOp, Shape, StructType, Type, TypeId, TypedOperand};
use crate::read::Reader;
use crate::read::cursor::Read;
use crate::read::lex::Token;
use crate::read::types::is_type_word;

fn ordering(word: &str) -> Option<Ordering> {
    Some(match word {
        "unordered" => Ordering::Unordered,
        "monotonic" => Ordering::Monotonic,
        "acquire" => Ordering::Acquire,
        "release" => Ordering::Release,
        "acq_rel" => Ordering::AcquireRelease,
        "seq_cst" => Ordering::SequentiallyConsistent,
        _ => return None,
    })
}

fn rmw_op(word: &str) -> Option<RmwOp> {
    Some(match word {
        "xchg" => RmwOp::Xchg,
        "add" => RmwOp::Add,
        "sub" => RmwOp::Sub,
        "and" => RmwOp::And,
        "nand" => RmwOp::Nand,
        "or" => RmwOp::Or,
        "xor" => RmwOp::Xor,
        "max" => RmwOp::Max,
        "min" => RmwOp::Min,
        "umax" => RmwOp::UMax,
        "umin" => RmwOp::UMin,
        "fadd" => RmwOp::FAdd,
        "fsub" => RmwOp::FSub,
        "fmax" => RmwOp::FMax,
        "fmin" => RmwOp::FMin,
        "uinc_wrap" => RmwOp::UIncWrap,
        "udec_wrap" => RmwOp::UDecWrap,
        _ => return None,
    })
}

impl<'a> Reader<'a> {
    /// `syncscope("name")`: is there one other than that of the whole system?
    fn scope(&mut self) -> Read<bool> {
        if !self.eat_word("syncscope") {
            return Ok(false);
        }
        self.expect(b'(')?;
        let name = self.quoted()?;
        self.expect(b')')?;
        Ok(!name.is_empty())
    }

    fn ordering(&mut self) -> Read<Ordering> {
        let Token::Word(word) = self.token() else {
            return self.expected("an ordering");
        };
        let Some(ordering) = ordering(word) else {
            return self.expected("an ordering");
        };
        self.advance();
        Ok(ordering)
    }

    /// An ordering between all threads.
    fn shared_ordering(&mut self) -> Read<Ordering> {
        if self.scope()? {
            return self.fail("an atomic access that not all threads see in order");
        }
        self.ordering()
    }

    /// `, align 4`, if it stands here; otherwise the comma is passed when metadata
    /// follows it.
    fn align(&mut self) -> Read<Option<u32>> {
        let mut align = None;
        while self.eat(b',') {
            if !self.eat_word("align") {
                break;
            }
            align = Some(self.number()?);
        }
        Ok(align)
    }

    pub(super) fn fence(&mut self) -> Read<Parsed> {
        self.advance();
        let is_local = self.scope()?;
        let ordering = self.ordering()?;
        // A fence towards signals orders nothing between threads.
        let ordering = if is_local { Ordering::Monotonic } else { ordering };
        Ok(Parsed::plain(Op::Fence(ordering)))
    }

    pub(super) fn alloca(&mut self) -> Read<Parsed> {
        self.flags(|_| {})?;
        let ty = self.ty()?;
        let mut count = None;
        let mut align = None;
        while self.eat(b',') {
            match self.token() {
                Token::Word("align") => {
                    self.advance();
                    align = Some(self.number()?);
                }
                Token::Word("addrspace") => {
                    return self.fail("stack memory of another address space");
                }
                Token::NodeName(_) => break,
                _ => count = Some(self.typed_operand()?),
            }
        }
        let pointer = self.common.pointer;
        Ok(Parsed::valued(Op::Alloca { ty, count, align }, pointer))
    }

    /// `atomic volatile` after the opcode.
    fn access_flags(&mut self) -> Read<(bool, bool)> {
        let (mut is_atomic, mut is_volatile) = (false, false);
        self.flags(|flag| match flag {
            "atomic" => is_atomic = true,
            "volatile" => is_volatile = true,
            _ => {}
        })?;
        Ok((is_atomic, is_volatile))
    }

    /// Ordering and alignment after the pointer.
    fn shape(&mut self, (is_atomic, is_volatile): (bool, bool)) -> Read<Shape> {
        let ordering = if is_atomic { Some(self.shared_ordering()?) } else { None };
        let align = self.align()?;
        Ok(Shape { is_volatile, ordering, align })
    }

    pub(super) fn load(&mut self) -> Read<Parsed> {
        let flags = self.access_flags()?;
        let ty = self.ty()?;
        self.expect(b',')?;
        let pointer = self.pointer_operand()?;
        let shape = self.shape(flags)?;
        Ok(Parsed::valued(Op::Load { ty, pointer, shape }, ty))
    }

    pub(super) fn store(&mut self) -> Read<Parsed> {
        let flags = self.access_flags()?;
        let value = self.typed_operand()?;
        self.expect(b',')?;
        let pointer = self.pointer_operand()?;
        let shape = self.shape(flags)?;
        Ok(Parsed::plain(Op::Store { value, pointer, shape }))
    }

    pub(super) fn compare_exchange(&mut self) -> Read<Parsed> {
        let mut is_weak = false;
        self.flags(|flag| is_weak |= flag == "weak")?;
        let pointer = self.pointer_operand()?;
        self.expect(b',')?;
        let TypedOperand { ty, value: expected } = self.typed_operand()?;
        self.expect(b',')?;
        let new = self.typed_operand()?;
        if new.ty != ty {
            return self.fail("the two values have different types");
        }
        let orderings = (self.shared_ordering()?, self.ordering()?);
        self.align()?;
        let members = vec![ty, self.common.bool];
        let pair = Type::Struct(StructType { name: None, members, is_packed: false });
        let pair = self.module.types.intern(pair);
        let values = (expected, new.value);
        Ok(Parsed::valued(Op::CompareExchange { pointer, ty, values, is_weak, orderings }, pair))
    }

    pub(super) fn read_modify_write(&mut self) -> Read<Parsed> {
        self.advance();
        let op = loop {
            match self.token() {
                Token::Word(word) if !is_type_word(word) => match rmw_op(word) {
                    Some(op) => {
                        self.advance();
                        break op;
                    }
                    None if word == "volatile" || word == "elementwise" => self.advance(),
                    None => return self.fail(format!("unknown operation `{word}`")),
                },
                _ => return self.expected("an operation"),
            };
        };
        let pointer = self.pointer_operand()?;
        self.expect(b',')?;
        let value = self.typed_operand()?;
        let ordering = self.shared_ordering()?;
        self.align()?;
        let ty = value.ty;
        Ok(Parsed::valued(Op::ReadModifyWrite { op, pointer, value, ordering }, ty))
    }

    pub(super) fn element(&mut self) -> Read<Parsed> {
        let mut is_inbounds = false;
        self.flags(|flag| is_inbounds |= flag == "inbounds")?;
        let source = self.ty()?;
        self.expect(b',')?;
        let base = self.typed_operand()?;
        let mut ty = base.ty;
        let mut indices = Vec::new();
        while self.eat(b',') {
            if let Token::NodeName(_) = self.token() {
                break;
            }
            self.eat_word("inrange");
            let idx = self.typed_operand()?;
            if let (Type::Vector(n, _), false) = (self.module.types.get(idx.ty), self.is_vector(ty))
            {
                let n = *n;
                ty = self.module.types.intern(Type::Vector(n, ty));
            }
            indices.push(idx);
        }
        Ok(Parsed::valued(Op::Element { source, base, indices, is_inbounds }, ty))
    }

    /// `, 1, 0`: the way to a member.
    fn path(&mut self) -> Read<Vec<u32>> {
        let mut path = Vec::new();
        while self.eat(b',') {
            match self.token() {
                Token::NodeName(_) => break,
                _ => path.push(self.number()?),
            }
        }
        Ok(path)
    }

    /// The type at the end of a path.
    fn member_type(&self, whole: TypeId, path: &[u32]) -> Read<TypeId> {
        let mut ty = whole;
        for &idx in path {
            let member = match self.module.types.get(ty) {
                Type::Array(n, element) if u64::from(idx) < *n => Some(*element),
                Type::Struct(body) => body.members.get(idx as usize).copied(),
                _ => None,
            };
            match member {
                Some(member) => ty = member,
                None => return self.fail(format!("no member {idx} in this type")),
            }
        }
        Ok(ty)
    }

    pub(super) fn extract(&mut self) -> Read<Parsed> {
        self.advance();
        let value = self.typed_operand()?;
        let path = self.path()?;
        let ty = self.member_type(value.ty, &path)?;
        Ok(Parsed::valued(Op::Extract { value, path }, ty))
    }

    pub(super) fn insert(&mut self) -> Read<Parsed> {
        self.advance();
        let into = self.typed_operand()?;
        self.expect(b',')?;
        let value = self.typed_operand()?;
        let path = self.path()?;
        if self.member_type(into.ty, &path)? != value.ty {
            return self.fail("the member has another type");
        }
        let ty = into.ty;
        Ok(Parsed::valued(Op::Insert { into, value, path }, ty))
    }

    pub(super) fn variadic_argument(&mut self) -> Read<Parsed> {
        self.advance();
        let list = self.typed_operand()?;
        self.expect(b',')?;
        let ty = self.ty()?;
        Ok(Parsed::valued(Op::VariadicArgument { list, ty }, ty))
    }

    /// The number of elements of a vector type, and their type.
    fn vector_parts(&self, ty: TypeId) -> Read<(u64, TypeId)> {
        match self.module.types.get(ty) {
            Type::Vector(n, element) => Ok((*n, *element)),
            _ => self.fail("this is no vector"),
        }
    }

    pub(super) fn extract_element(&mut self) -> Read<Parsed> {
        self.advance();
        let vector = self.typed_operand()?;
        self.expect(b',')?;
        let idx = self.typed_operand()?;
        let (_, element) = self.vector_parts(vector.ty)?;
        Ok(Parsed::valued(Op::ExtractElement(vector, idx), element))
    }

    pub(super) fn insert_element(&mut self) -> Read<Parsed> {
        self.advance();
        let vector = self.typed_operand()?;
        self.expect(b',')?;
        let value = self.typed_operand()?;
        self.expect(b',')?;
        let idx = self.typed_operand()?;
        self.vector_parts(vector.ty)?;
        let ty = vector.ty;
        Ok(Parsed::valued(Op::InsertElement(vector, value, idx), ty))
    }

    pub(super) fn shuffle(&mut self) -> Read<Parsed> {
        self.advance();
        let first = self.typed_operand()?;
        self.expect(b',')?;
        let second = self.typed_operand()?;
        self.expect(b',')?;
        let mask = self.typed_constant()?;
        let (_, element) = self.vector_parts(first.ty)?;
        let (n, _) = self.vector_parts(mask.ty)?;
        let ty = self.module.types.intern(Type::Vector(n, element));
        Ok(Parsed::valued(Op::Shuffle(first, second, mask), ty))
    }
}
