//! Where control goes, and values that depend on where it came from.

use super::Parsed;
use crate::ir::{BlockId, Catches, Constant, Op, Operand, TypedOperand};
use crate::read::Reader;
use crate::read::cursor::Read;
use crate::read::lex::Token;

impl<'a> Reader<'a> {
    pub(super) fn ret(&mut self) -> Read<Parsed> {
        self.advance();
        // A function pointer's type may begin with `void` as well.
        let ty = self.ty()?;
        if ty == self.common.void {
            return Ok(Parsed::plain(Op::Return(None)));
        }
        let value = self.operand(ty)?;
        Ok(Parsed::plain(Op::Return(Some(TypedOperand { ty, value }))))
    }

    /// `label %name`.
    pub(super) fn label(&mut self) -> Read<BlockId> {
        self.expect_word("label")?;
        self.block_name()
    }

    fn block_name(&mut self) -> Read<BlockId> {
        let Token::Local(name) = self.token() else {
            return self.expected("a block");
        };
        let block = self.mention(name);
        self.advance();
        Ok(block)
    }

    pub(super) fn branch(&mut self) -> Read<Parsed> {
        self.advance();
        if self.at_word("label") {
            return Ok(Parsed::plain(Op::Jump(self.label()?)));
        }
        let condition = self.typed_operand()?;
        if condition.ty != self.common.bool {
            return self.fail("the condition is no `i1`");
        }
        self.expect(b',')?;
        let yes = self.label()?;
        self.expect(b',')?;
        let no = self.label()?;
        Ok(Parsed::plain(Op::Branch { condition: condition.value, targets: (yes, no) }))
    }

    pub(super) fn switch(&mut self) -> Read<Parsed> {
        self.advance();
        let value = self.typed_operand()?;
        self.expect(b',')?;
        let default = self.label()?;
        self.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.at(b']') {
            let case = self.typed_constant()?;
            self.expect(b',')?;
            let target = self.label()?;
            let Constant::Int(number) = case.value else {
                return self.fail("the case is no number of at most 128 bits");
            };
            cases.push((number, target));
        }
        self.expect(b']')?;
        Ok(Parsed::plain(Op::Switch { value, cases, default }))
    }

    /// `indirectbr ptr %target, [label %a, label %b]`; it is refused when it runs.
    pub(super) fn indirect_branch(&mut self) -> Read<Parsed> {
        self.advance();
        self.typed_operand()?;
        self.expect(b',')?;
        self.expect(b'[')?;
        while self.at_word("label") {
            self.label()?;
            self.eat(b',');
        }
        self.expect(b']')?;
        Ok(Parsed::plain(Op::IndirectBranch))
    }

    pub(super) fn unreachable(&mut self) -> Read<Parsed> {
        self.advance();
        Ok(Parsed::plain(Op::Unreachable))
    }

    pub(super) fn resume(&mut self) -> Read<Parsed> {
        self.advance();
        let value = self.typed_operand()?;
        Ok(Parsed::plain(Op::Resume(value)))
    }

    /// `landingpad type cleanup catch type constant filter type constant`.
    pub(super) fn landing_pad(&mut self) -> Read<Parsed> {
        self.advance();
        let ty = self.ty()?;
        let is_cleanup = self.eat_word("cleanup");
        let mut catches = Catches::Nothing;
        while self.at_word("catch") || self.at_word("filter") {
            let is_catch = self.at_word("catch");
            self.advance();
            let clause = self.typed_operand()?.value;
            let is_any = is_catch && clause == Operand::Constant(Constant::Null);
            if catches == Catches::Nothing {
                catches = if is_any { Catches::Everything } else { Catches::SomeTypes };
            }
        }
        Ok(Parsed::valued(Op::LandingPad { is_cleanup, catches }, ty))
    }

    pub(super) fn phi(&mut self) -> Read<Parsed> {
        self.flags(|_| {})?;
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.expect(b'[')?;
            let value = self.operand(ty)?;
            self.expect(b',')?;
            let block = self.block_name()?;
            self.expect(b']')?;
            incoming.push((value, block));
            if !self.eat(b',') || !self.at(b'[') {
                break;
            }
        }
        Ok(Parsed::valued(Op::Phi { ty, incoming }, ty))
    }
}
