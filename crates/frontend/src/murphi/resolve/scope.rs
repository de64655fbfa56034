//! What each name stands for at the place at hand.

use std::collections::BTreeMap;

use model::Span;

use super::super::typed::{FunctionId, LocalId, TypeId};
use super::Ty;
use crate::suggest::did_you_mean;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol {
    /// Its declaration is wrong, which is reported; its uses are not.
    Bad,
    Constant(i64, Ty),
    Type(TypeId),
    Variable(u32),
    Local(LocalId),
    Function(FunctionId),
}

/// The names in force, the innermost scope last.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    /// For each name its meanings, outermost first, with the depth of each.
    meanings: BTreeMap<String, Vec<(usize, Symbol, Span)>>,
    /// The names that each inner scope declares.
    declared: Vec<Vec<String>>,
}

impl Scopes {
    /// Opens a scope.
    pub fn open(&mut self) {
        self.declared.push(Vec::new());
    }

    /// Forgets the names of the innermost scope.
    pub fn close(&mut self) {
        for name in self.declared.pop().unwrap_or_default() {
            if let Some(meanings) = self.meanings.get_mut(&name) {
                meanings.pop();
                if meanings.is_empty() {
                    self.meanings.remove(&name);
                }
            }
        }
    }

    /// Is this the outermost scope?
    pub fn is_outermost(&self) -> bool {
        self.declared.is_empty()
    }

    /// Gives a name a meaning in the innermost scope.
    ///
    /// # Errors
    /// Where the same scope has declared it already.
    pub fn declare(&mut self, name: &str, symbol: Symbol, span: Span) -> Result<(), Span> {
        let depth = self.declared.len();
        let meanings = self.meanings.entry(name.to_owned()).or_default();
        if let Some(last) = meanings.last().filter(|last| last.0 == depth) {
            return Err(last.2);
        }
        meanings.push((depth, symbol, span));
        if let Some(declared) = self.declared.last_mut() {
            declared.push(name.to_owned());
        }
        Ok(())
    }

    /// The meaning of a name.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        Some(self.meanings.get(name)?.last()?.1)
    }

    /// The innermost type of this name, even where another meaning hides it.
    pub fn get_type(&self, name: &str) -> Option<TypeId> {
        self.meanings.get(name)?.iter().rev().find_map(|meaning| match meaning.1 {
            Symbol::Type(ty) => Some(ty),
            _ => None,
        })
    }

    /// A guess which name was meant.
    pub fn suggestion(&self, name: &str) -> Option<String> {
        did_you_mean(name, self.meanings.keys().map(String::as_str))
    }
}
