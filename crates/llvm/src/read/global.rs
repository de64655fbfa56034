//! Variables, aliases and other entities that begin with `@`.

use super::Reader;
use super::cursor::Read;
use super::lex::{Name, Token};
use crate::ir::{Constant, Definition, Linkage, SymbolId, TypedConstant, Variable};

/// What stands before `global`, `constant`, `alias` or a function's type.
#[derive(Default)]
pub(super) struct Prefix {
    linkage: Option<Linkage>,
    /// Is it only declared (`external`, `extern_weak`)?
    is_external: bool,
    is_thread_local: bool,
}

impl Prefix {
    /// The linkage, which is [`Linkage::External`] where none is written. What has
    /// no name cannot be seen by other modules.
    pub(super) fn linkage(&self, name: Name<'_>) -> Linkage {
        match name {
            Name::Number(_) => Linkage::Internal,
            _ => self.linkage.unwrap_or(Linkage::External),
        }
    }

    /// Notes what a word before the definition says.
    pub(super) fn note(&mut self, word: &str) {
        match word {
            "private" | "internal" => self.linkage = Some(Linkage::Internal),
            "weak"
            | "weak_odr"
            | "linkonce"
            | "linkonce_odr"
            | "common"
            | "available_externally" => self.linkage = Some(Linkage::Weak),
            "external" => self.is_external = true,
            "extern_weak" => {
                self.is_external = true;
                self.linkage = Some(Linkage::Weak);
            }
            "thread_local" => self.is_thread_local = true,
            _ => {}
        }
    }
}

/// What follows a variable, after commas.
#[derive(Default)]
struct Suffix {
    align: Option<u32>,
    debug: Option<crate::ir::DebugId>,
}

impl<'a> Reader<'a> {
    /// `@name = ...`.
    pub(super) fn global(&mut self, name: Name<'a>) -> Read<()> {
        let id = self.symbol(name);
        let line = self.current.line;
        self.require_new(id)?;
        self.advance();
        self.expect(b'=')?;
        let mut prefix = Prefix::default();
        let definition = loop {
            let Token::Word(word) = self.token() else {
                return self.expected("`global`, `constant` or `alias`");
            };
            match word {
                _ if self.current.is_first => {
                    return self.expected("`global`, `constant` or `alias`");
                }
                "global" | "constant" => break self.variable(&prefix, word == "constant")?,
                "alias" | "ifunc" => break self.alias(word == "ifunc")?,
                _ => {
                    prefix.note(word);
                    self.skip_attribute(word)?;
                }
            }
        };
        let symbol = &mut self.module.symbols[id.0 as usize];
        symbol.linkage = prefix.linkage(name);
        symbol.definition = definition;
        symbol.line = line;
        Ok(())
    }

    /// An error if the symbol has a definition already.
    pub(super) fn require_new(&self, id: SymbolId) -> Read<()> {
        let symbol = self.module.symbol(id);
        match symbol.definition {
            Definition::Missing => Ok(()),
            _ => self.fail(format!("symbol `@{}` is defined twice", symbol.name)),
        }
    }

    fn variable(&mut self, prefix: &Prefix, is_constant: bool) -> Read<Definition> {
        self.advance();
        let ty = self.ty()?;
        let initializer = if prefix.is_external { None } else { Some(self.constant(ty)?) };
        let suffix = self.variable_suffix()?;
        Ok(Definition::Variable(Variable {
            ty,
            initializer,
            is_constant,
            is_thread_local: prefix.is_thread_local,
            align: suffix.align,
            debug: suffix.debug,
        }))
    }

    /// `, section "x", comdat, align 4, !dbg !5 #0`.
    fn variable_suffix(&mut self) -> Read<Suffix> {
        let mut suffix = Suffix::default();
        loop {
            match self.token() {
                Token::Hash(_) => {
                    self.advance();
                    continue;
                }
                Token::Mark(b',') => self.advance(),
                _ => return Ok(suffix),
            };
            match self.token() {
                Token::Word("align") => {
                    self.advance();
                    suffix.align = Some(self.number()?);
                }
                Token::NodeName(_) => {
                    let debug = self.attachment()?;
                    suffix.debug = suffix.debug.or(debug);
                }
                Token::Word(word) => {
                    self.skip_attribute(word)?;
                    if let Token::Text(_) = self.token() {
                        self.advance();
                    }
                }
                _ => return self.expected("an attribute of the variable"),
            }
        }
    }

    /// `alias type, pointer`; the target of an `ifunc` is not known before it runs.
    fn alias(&mut self, is_resolved_late: bool) -> Read<Definition> {
        self.advance();
        self.ty()?;
        self.expect(b',')?;
        let mut target = self.alias_target()?;
        if is_resolved_late {
            target.value = Constant::Unsupported("ifunc".to_owned());
        }
        self.variable_suffix()?;
        Ok(Definition::Alias(target))
    }

    /// A typed constant, or a constant expression without a type before it.
    fn alias_target(&mut self) -> Read<TypedConstant> {
        let is_bare =
            matches!(self.token(), Token::Word(word) if super::constant::is_constant_word(word));
        if !is_bare {
            return self.typed_constant();
        }
        let ty = self.common.pointer;
        let value = self.constant(ty)?;
        Ok(TypedConstant { ty, value })
    }
}
