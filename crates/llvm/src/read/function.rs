//! Functions: what they take and return, and their blocks.

use super::Reader;
use super::cursor::Read;
use super::global::Prefix;
use super::lex::{Name, Token};
use super::types::is_type_word;
use crate::ir::{ByValue, DebugId, Definition, Function, Linkage, Parameter, SymbolId, TypeId};

/// What stands before a body.
struct Head<'a> {
    id: SymbolId,
    linkage: Linkage,
    line: u32,
    result: TypeId,
    parameters: Vec<(Parameter, Option<Name<'a>>)>,
    is_variadic: bool,
    debug: Option<DebugId>,
}

impl<'a> Reader<'a> {
    /// `declare ...`.
    pub(super) fn function_declaration(&mut self) -> Read<()> {
        let head = self.head()?;
        self.add_function(head, None);
        Ok(())
    }

    /// `define ... { ... }`.
    pub(super) fn function_definition(&mut self) -> Read<()> {
        let head = self.head()?;
        self.function.clear();
        for (parameter, name) in &head.parameters {
            self.define_local(*name, parameter.ty)?;
        }
        if !self.at(b'{') {
            return self.expected("`{`");
        }
        self.is_in_body = true;
        self.advance();
        self.blocks()?;
        let body = self.finish_body()?;
        self.advance();
        self.is_in_body = false;
        self.add_function(head, Some(body));
        Ok(())
    }

    fn add_function(&mut self, head: Head<'a>, body: Option<crate::ir::FunctionBody>) {
        let symbol = &mut self.module.symbols[head.id.0 as usize];
        symbol.linkage = head.linkage;
        symbol.line = head.line;
        symbol.definition = Definition::Function(Function {
            result: head.result,
            parameters: head.parameters.into_iter().map(|(parameter, _)| parameter).collect(),
            is_variadic: head.is_variadic,
            body,
            debug: head.debug,
        });
    }

    fn head(&mut self) -> Read<Head<'a>> {
        let line = self.current.line;
        self.advance();
        let mut debug = self.attachments()?;
        let mut prefix = Prefix::default();
        loop {
            match self.token() {
                Token::Word(word) if !is_type_word(word) => {
                    prefix.note(word);
                    self.skip_attribute(word)?;
                }
                Token::Text(_) => self.skip_attributes(|_| true)?,
                _ => break,
            }
        }
        let result = self.ty()?;
        let Token::Global(name) = self.token() else {
            return self.expected("a function's name");
        };
        let id = self.symbol(name);
        self.require_new(id)?;
        self.advance();
        let (parameters, is_variadic) = self.parameters()?;
        debug = self.head_suffix()?.or(debug);
        let linkage = prefix.linkage(name);
        Ok(Head { id, linkage, line, result, parameters, is_variadic, debug })
    }

    #[expect(clippy::type_complexity, reason = "used in one place, a step above")]
    fn parameters(&mut self) -> Read<(Vec<(Parameter, Option<Name<'a>>)>, bool)> {
        self.expect(b'(')?;
        let mut parameters = Vec::new();
        let mut is_variadic = false;
        while !self.at(b')') {
            if self.eat_word("...") {
                is_variadic = true;
            } else {
                let ty = self.ty()?;
                let by_value = self.argument_attributes(|_| false)?.map(|passed| passed.ty);
                let name = match self.token() {
                    Token::Local(name) => {
                        self.advance();
                        Some(name)
                    }
                    _ => None,
                };
                parameters.push((Parameter { ty, by_value }, name));
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok((parameters, is_variadic))
    }

    /// Attributes of a parameter or an argument; `byval` is kept, with its alignment.
    pub(super) fn argument_attributes(
        &mut self,
        stops: impl Fn(&str) -> bool + Copy,
    ) -> Read<Option<ByValue>> {
        let (mut by_value, mut align) = (None, None);
        loop {
            self.skip_attributes(|word| matches!(word, "byval" | "align") || stops(word))?;
            if self.eat_word("byval") {
                self.expect(b'(')?;
                by_value = Some(self.ty()?);
                self.expect(b')')?;
            } else if self.at_word("align") {
                self.advance();
                let is_enclosed = self.eat(b'(');
                align = Some(self.number()?);
                if is_enclosed {
                    self.expect(b')')?;
                }
            } else {
                return Ok(by_value.map(|ty| ByValue { ty, align }));
            }
        }
    }

    /// What stands between the parameters and the body.
    fn head_suffix(&mut self) -> Read<Option<DebugId>> {
        let mut debug = None;
        let is_declared = !self.current.is_first;
        loop {
            match self.token() {
                Token::Word("prefix" | "prologue" | "personality") => {
                    self.advance();
                    self.typed_constant()?;
                }
                Token::Word(word) if is_declared && !self.current.is_first => {
                    self.skip_attribute(word)?;
                }
                Token::Text(_) | Token::Hash(_) => self.skip_attributes(|_| true)?,
                Token::NodeName(_) if !self.current.is_first => {
                    debug = self.attachment()?.or(debug);
                }
                _ => return Ok(debug),
            }
        }
    }

    /// All blocks, up to the closing brace.
    fn blocks(&mut self) -> Read<()> {
        loop {
            match self.token() {
                Token::Mark(b'}') => break,
                Token::Label(name) => {
                    self.define_block(Some(name))?;
                    self.advance();
                }
                Token::Word("uselistorder" | "uselistorder_bb") => self.skip_line(),
                _ => {
                    if !self.function.is_block_open {
                        self.define_block(None)?;
                    }
                    self.instruction()?;
                }
            }
        }
        if self.function.is_block_open {
            return self.fail("the last block does not say where it goes on");
        }
        if self.function.body.blocks.is_empty() {
            return self.expected("a block");
        }
        Ok(())
    }
}
