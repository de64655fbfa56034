//! What the local names of a rule, function or property are called where they are in force.

use std::collections::BTreeMap;

use crate::murphi::typed::{Local, LocalId};

use super::expr::Written;
use super::names::Names;

/// What stands in the place of a name.
#[derive(Clone)]
pub(super) struct Replacement {
    pub written: Written,
    /// Has it always a value?
    pub is_value: bool,
}

/// The local names.
#[derive(Default)]
pub(super) struct Scope<'a> {
    pub locals: &'a [Local],
    /// Aliases that are replaced by what they stand for.
    pub replaced: BTreeMap<LocalId, Replacement>,
    names: Names,
    called: BTreeMap<LocalId, String>,
}

impl<'a> Scope<'a> {
    /// Nothing is bound yet.
    pub(super) fn new(locals: &'a [Local], globals: &Names) -> Scope<'a> {
        Scope { locals, names: globals.clone(), ..Scope::default() }
    }

    /// Brings a name into force. Gives what it is called.
    pub(super) fn bind(&mut self, local: LocalId) -> String {
        let name = self.names.take(&self.locals[local.0 as usize].name);
        self.called.insert(local, name.clone());
        name
    }

    /// Ends the force of a name.
    pub(super) fn unbind(&mut self, local: LocalId) {
        if let Some(name) = self.called.remove(&local) {
            self.names.free(&name);
        }
    }

    /// What a name in force is called.
    pub(super) fn name(&self, local: LocalId) -> String {
        self.called[&local].clone()
    }
}
