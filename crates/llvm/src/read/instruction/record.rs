//! What the compiler says about variables of the source: records (LLVM 19 on) and
//! calls of `llvm.dbg.*` (before).

use super::Parsed;
use crate::ir::{DebugId, Instruction, Op, Operand};
use crate::read::Reader;
use crate::read::cursor::Read;
use crate::read::lex::Token;

impl<'a> Reader<'a> {
    /// `#dbg_value(i32 %x, !12, !DIExpression(), !30)`.
    pub(super) fn debug_record(&mut self, kind: &'a str, line: u32) -> Read<()> {
        let Some(kind) = kind.strip_prefix("dbg_") else {
            return self.expected("an instruction");
        };
        self.advance();
        let (op, location) = self.debug_operands(kind, false)?;
        if let Some(op) = op {
            self.push(Instruction { result: None, op, line, location });
        }
        Ok(())
    }

    /// `@llvm.dbg.value(metadata i32 %x, metadata !12, metadata !DIExpression())`.
    pub(super) fn debug_call(&mut self, kind: &'a str) -> Read<Parsed> {
        self.advance();
        let (op, _) = self.debug_operands(kind, true)?;
        self.skip_attributes(|_| true)?;
        Ok(Parsed { op, ty: None })
    }

    /// The operands of a record or a call; nothing comes of labels and unknown
    /// kinds.
    fn debug_operands(&mut self, kind: &str, is_call: bool) -> Read<(Option<Op>, Option<DebugId>)> {
        let is_address = matches!(kind, "declare" | "addr");
        if !is_address && !matches!(kind, "value" | "assign") {
            self.skip_group()?;
            return Ok((None, None));
        }
        self.expect(b'(')?;
        let value = self.debug_operand(is_call)?;
        self.expect(b',')?;
        self.metadata_keyword(is_call)?;
        let variable = self.node_reference()?;
        self.expect(b',')?;
        self.metadata_keyword(is_call)?;
        let is_whole = self.is_empty_expression()?;
        let mut location = None;
        while self.eat(b',') {
            self.metadata_keyword(is_call)?;
            location = match self.token() {
                Token::Node(_) | Token::NodeName(_) | Token::Mark(b'!') => self.node_reference()?,
                _ => {
                    self.typed_operand()?;
                    None
                }
            };
        }
        self.expect(b')')?;
        let value = if is_whole { value } else { None };
        let op = variable.map(|variable| Op::DebugValue { value, variable, is_address });
        Ok((op, location))
    }

    fn metadata_keyword(&mut self, is_call: bool) -> Read<()> {
        if is_call { self.expect_word("metadata") } else { Ok(()) }
    }

    fn debug_operand(&mut self, is_call: bool) -> Read<Option<Operand>> {
        self.metadata_keyword(is_call)?;
        match self.token() {
            Token::Node(_) | Token::NodeName(_) | Token::Mark(b'!') => {
                self.skip_node()?;
                Ok(None)
            }
            _ => Ok(Some(self.typed_operand()?.value)),
        }
    }

    /// An operand that only describes: a node, or a value of the function.
    pub(super) fn metadata_operand(&mut self) -> Read<()> {
        match self.token() {
            Token::Node(_) | Token::NodeName(_) | Token::Mark(b'!') => self.skip_node(),
            _ => self.typed_operand().map(|_| ()),
        }
    }

    /// Passes an expression; is it the variable as it is?
    pub(in crate::read) fn is_empty_expression(&mut self) -> Read<bool> {
        if self.token() != Token::NodeName("DIExpression") {
            self.skip_node()?;
            return Ok(false);
        }
        self.advance();
        self.expect(b'(')?;
        if self.eat(b')') {
            return Ok(true);
        }
        while !self.at(b')') {
            if self.token() == Token::End {
                return self.expected("`)`");
            }
            self.advance();
        }
        self.advance();
        Ok(false)
    }
}
