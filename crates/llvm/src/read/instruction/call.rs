//! `call` and `invoke`.

use super::Parsed;
use crate::ir::{Assembly, ByValue, Callee, Constant, Op, Operand, Type, TypedOperand};
use crate::read::Reader;
use crate::read::constant::is_constant_word;
use crate::read::cursor::Read;
use crate::read::lex::{Name, Token};

impl<'a> Reader<'a> {
    pub(super) fn call(&mut self) -> Read<Parsed> {
        let is_invoke = self.at_word("invoke");
        if matches!(self.token(), Token::Word("tail" | "musttail" | "notail")) {
            self.advance();
            if !self.at_word("call") {
                return self.expected("`call`");
            }
        }
        self.flags(|_| {})?;
        // Attributes may also be texts.
        self.skip_attributes(crate::read::types::is_type_word)?;
        let written = self.ty()?;
        let result_ty = match self.module.types.get(written) {
            Type::Function { result, .. } => *result,
            _ => written,
        };
        if let Token::Global(Name::Plain(name)) = self.token()
            && let Some(kind) = name.strip_prefix("llvm.dbg.")
        {
            return self.debug_call(kind);
        }
        let callee = self.callee()?;
        let arguments = self.arguments()?;
        self.call_suffix()?;
        let invoke = if is_invoke { Some(self.ways_on()?) } else { None };
        let ty = (result_ty != self.common.void).then_some(result_ty);
        let op = Op::Call { callee, result_ty, arguments, invoke };
        Ok(Parsed { op: Some(op), ty })
    }

    fn callee(&mut self) -> Read<Callee> {
        if !self.at_word("asm") {
            return Ok(Callee::Operand(self.operand(self.common.pointer)?));
        }
        self.advance();
        let mut is_intel = false;
        while let Token::Word(word) = self.token() {
            is_intel |= word == "inteldialect";
            self.advance();
        }
        let text = self.quoted()?;
        self.expect(b',')?;
        let constraints = self.quoted()?;
        // Its operands stand in another order.
        let text = if is_intel { format!("intel: {text}") } else { text };
        Ok(Callee::Assembly(Assembly { text, constraints }))
    }

    fn arguments(&mut self) -> Read<Vec<(TypedOperand, Option<ByValue>)>> {
        self.expect(b'(')?;
        let mut arguments = Vec::new();
        while !self.at(b')') {
            // `...` hands on the caller's own variadic arguments (thunks only).
            if self.at_word("...") {
                return self.fail("a call with its caller's own variadic arguments");
            }
            arguments.push(self.argument()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(arguments)
    }

    fn argument(&mut self) -> Read<(TypedOperand, Option<ByValue>)> {
        let ty = self.ty()?;
        if ty == self.common.metadata {
            let begin = self.current.span.0;
            self.metadata_operand()?;
            let text = Constant::Unsupported(self.text_from(begin));
            return Ok((TypedOperand { ty, value: Operand::Constant(text) }, None));
        }
        let by_value = self.argument_attributes(is_constant_word)?;
        let value = self.operand(ty)?;
        Ok((TypedOperand { ty, value }, by_value))
    }

    /// Attributes and operand bundles after the arguments. They end with the line;
    /// what `invoke` needs begins the next one.
    fn call_suffix(&mut self) -> Read<()> {
        loop {
            match self.token() {
                _ if self.current.is_first => return Ok(()),
                Token::Word("to") => return Ok(()),
                Token::Word(word) => self.skip_attribute(word)?,
                Token::Text(_) | Token::Hash(_) => self.skip_attributes(|_| true)?,
                Token::Mark(b'[') => self.skip_group()?,
                _ => return Ok(()),
            }
        }
    }

    /// `to label %normal unwind label %unwind`.
    fn ways_on(&mut self) -> Read<(crate::ir::BlockId, crate::ir::BlockId)> {
        self.expect_word("to")?;
        let normal = self.label()?;
        self.expect_word("unwind")?;
        let unwind = self.label()?;
        Ok((normal, unwind))
    }
}
