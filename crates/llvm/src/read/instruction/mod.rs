//! Instructions: which one it is, its result, and what follows all of them.

mod arith;
mod call;
mod control;
mod memory;
mod record;

pub(super) use arith::{binary_op, cast_op, int_predicate};

use super::Reader;
use super::cursor::Read;
use super::lex::Token;
use super::types::is_type_word;
use crate::ir::{DebugId, Instruction, Op, Operand, Type, TypeId, TypedOperand};

/// What an instruction does, and the type of its value.
pub(super) struct Parsed {
    /// `None` where nothing of it is kept.
    op: Option<Op>,
    /// `None` where it has no value.
    ty: Option<TypeId>,
}

impl Parsed {
    fn valued(op: Op, ty: TypeId) -> Parsed {
        Parsed { op: Some(op), ty: Some(ty) }
    }

    fn plain(op: Op) -> Parsed {
        Parsed { op: Some(op), ty: None }
    }
}

impl<'a> Reader<'a> {
    /// One instruction or debug record.
    pub(super) fn instruction(&mut self) -> Read<()> {
        let line = self.current.line;
        if let Token::Hash(kind) = self.token() {
            return self.debug_record(kind, line);
        }
        let name = match self.token() {
            Token::Local(name) => {
                self.advance();
                self.expect(b'=')?;
                Some(name)
            }
            _ => None,
        };
        let Token::Word(opcode) = self.token() else {
            return self.expected("an instruction");
        };
        let parsed = self.operation(opcode)?;
        let location = self.attachments()?;
        if !self.current.is_first && !self.at(b'}') && self.token() != Token::End {
            return self.expected("the end of the instruction");
        }
        let result = match parsed.ty {
            Some(ty) => Some(self.define_local(name, ty)?),
            None if name.is_some() => return self.fail("this instruction has no value to name"),
            None => None,
        };
        if let Some(op) = parsed.op {
            self.push(Instruction { result, op, line, location });
        }
        Ok(())
    }

    fn push(&mut self, instruction: Instruction) {
        let ends = ends_block(&instruction.op);
        if let Some(block) = self.function.body.blocks.last_mut() {
            block.instructions.push(instruction);
        }
        if ends {
            self.function.is_block_open = false;
        }
    }

    /// `, !dbg !5, !other !6`: the place in the source.
    pub(super) fn attachments(&mut self) -> Read<Option<DebugId>> {
        let mut location = None;
        loop {
            match self.token() {
                Token::NodeName(_) => {
                    let found = self.attachment()?;
                    location = location.or(found);
                }
                Token::Mark(b',') => {
                    self.advance();
                    if !matches!(self.token(), Token::NodeName(_)) {
                        return self.expected("metadata");
                    }
                }
                _ => return Ok(location),
            }
        }
    }

    fn operation(&mut self, opcode: &'a str) -> Read<Parsed> {
        if let Some(op) = binary_op(opcode) {
            return self.binary(op);
        }
        if let Some(op) = cast_op(opcode) {
            return self.cast(op);
        }
        match opcode {
            "ret" => self.ret(),
            "br" => self.branch(),
            "switch" => self.switch(),
            "indirectbr" => self.indirect_branch(),
            "unreachable" => self.unreachable(),
            "resume" => self.resume(),
            "landingpad" => self.landing_pad(),
            "phi" => self.phi(),
            "call" | "invoke" | "tail" | "musttail" | "notail" => self.call(),
            "fneg" => self.negation(),
            "icmp" => self.compare(),
            "fcmp" => self.float_compare(),
            "select" => self.select(),
            "freeze" => self.freeze(),
            "alloca" => self.alloca(),
            "load" => self.load(),
            "store" => self.store(),
            "getelementptr" => self.element(),
            "fence" => self.fence(),
            "cmpxchg" => self.compare_exchange(),
            "atomicrmw" => self.read_modify_write(),
            "extractvalue" => self.extract(),
            "insertvalue" => self.insert(),
            "va_arg" => self.variadic_argument(),
            "extractelement" => self.extract_element(),
            "insertelement" => self.insert_element(),
            "shufflevector" => self.shuffle(),
            _ => self.fail(format!("unknown instruction `{opcode}`")),
        }
    }

    /// Passes the opcode and the flags after it, up to a type; says them one by one.
    fn flags(&mut self, mut note: impl FnMut(&str)) -> Read<()> {
        self.advance();
        while let Token::Word(word) = self.token() {
            if is_type_word(word) {
                break;
            }
            note(word);
            self.skip_attribute(word)?;
        }
        Ok(())
    }

    /// An operand of type `ty`.
    fn operand(&mut self, ty: TypeId) -> Read<Operand> {
        match self.token() {
            Token::Local(name) => Ok(Operand::Local(self.use_local(name, ty)?)),
            _ => Ok(Operand::Constant(self.constant(ty)?)),
        }
    }

    /// A type and an operand of it.
    fn typed_operand(&mut self) -> Read<TypedOperand> {
        let ty = self.ty()?;
        let value = self.operand(ty)?;
        Ok(TypedOperand { ty, value })
    }

    /// Two operands of type `ty` with a comma between them.
    fn operand_pair(&mut self, ty: TypeId) -> Read<(Operand, Operand)> {
        let left = self.operand(ty)?;
        self.expect(b',')?;
        let right = self.operand(ty)?;
        Ok((left, right))
    }

    /// A pointer to memory, with its type, which must be a pointer of the program's
    /// own address space.
    fn pointer_operand(&mut self) -> Read<Operand> {
        let ty = self.ty()?;
        if ty != self.common.pointer {
            return self.fail("this is no pointer to the program's own memory");
        }
        self.operand(ty)
    }

    /// The type of a comparison of two values of type `ty`.
    fn truth_type(&mut self, ty: TypeId) -> TypeId {
        match *self.module.types.get(ty) {
            Type::Vector(n, _) => self.module.types.intern(Type::Vector(n, self.common.bool)),
            _ => self.common.bool,
        }
    }
}

fn ends_block(op: &Op) -> bool {
    match op {
        Op::Call { invoke, .. } => invoke.is_some(),
        Op::Return(_)
        | Op::Jump(_)
        | Op::Branch { .. }
        | Op::Switch { .. }
        | Op::IndirectBranch
        | Op::Unreachable
        | Op::Resume(_) => true,
        _ => false,
    }
}
