//! Functions as rules call them in an abstraction: one for each meaning of the arguments.
//!
//! A function does not choose. Where it would have to, its result is unknown if it has no
//! effects, and the model is refused if it has.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use model::Span;

use crate::murphi::typed::{Argument, Function, FunctionId, LocalKind};

use super::memory::NodeType;
use super::scope::{Meaning, Refused, Scope, refuse};
use super::truth::{Known, Value, number};

/// The functions of an abstraction.
#[derive(Default)]
pub(super) struct Functions {
    /// What they have become.
    pub made: Vec<Function>,
    /// The nodes that elements share, where a model has such.
    pub memory: Option<Rc<NodeType>>,
    /// Those that give back nodes in doubt, after which nothing may happen.
    pub doubtful: BTreeSet<FunctionId>,
    /// Which one stands for which, with these arguments; `None` while it is unknown what it gives.
    known: BTreeMap<(u32, Vec<u8>), Option<FunctionId>>,
}

/// A function as it is called, with its arguments, and when these are known.
pub(super) type Called = (FunctionId, Vec<Argument>, Known);

impl Functions {
    /// None yet, of a model with this memory.
    pub(super) fn of(memory: Option<Rc<NodeType>>) -> Functions {
        Functions { memory, ..Functions::default() }
    }
}

impl Scope<'_> {
    /// The function that is called with these arguments. `None` where nothing is known of what
    /// it gives.
    pub(super) fn arguments(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        span: Span,
    ) -> Refused<Option<Called>> {
        let called = &self.program.functions[function.0 as usize];
        let mut known = Known::Always;
        let mut meanings = Vec::with_capacity(arguments.len());
        let mut made = Vec::with_capacity(arguments.len());
        for (argument, parameter) in arguments.iter().zip(&called.locals) {
            let (argument, of_argument, meaning) = self.argument_of(argument)?;
            if matches!(of_argument, Known::Never) {
                return match called.has_effects || parameter.kind == LocalKind::Reference {
                    true => refuse("a call with what belongs to elements beside", span),
                    false => Ok(None),
                };
            }
            known = known.and(of_argument);
            meanings.push(meaning);
            made.push(argument);
        }
        let specialised = self.specialised(function, &meanings)?;
        Ok(specialised.map(|function| (function, made, known)))
    }

    fn argument_of(&mut self, argument: &Argument) -> Refused<(Argument, Known, Meaning)> {
        match argument {
            Argument::Value(value) => {
                let Value { expr, known } = self.value(value)?;
                let meaning = if self.may_be_rest(&expr) { Meaning::Known } else { Meaning::Slot };
                Ok((Argument::Value(expr), known, meaning))
            }
            Argument::Place(place) => match self.name_of(place) {
                Some(Meaning::Rest) => {
                    let rest = number(self.elements.rest(), place.span);
                    Ok((Argument::Value(rest), Known::Always, Meaning::Known))
                }
                named => {
                    let (place, known) = self.place(place)?;
                    let meaning = named.unwrap_or(Meaning::Known);
                    Ok((Argument::Place(place), known, meaning))
                }
            },
        }
    }

    /// The function for arguments with these meanings.
    fn specialised(&mut self, id: FunctionId, meanings: &[Meaning]) -> Refused<Option<FunctionId>> {
        let key = (id.0, meanings.iter().map(|meaning| *meaning as u8).collect::<Vec<u8>>());
        if let Some(known) = self.functions.known.get(&key) {
            return Ok(*known);
        }
        let function = self.program.functions[id.0 as usize].clone();
        // Its number is known before its body, which may call it.
        let made = FunctionId(self.functions.made.len() as u32);
        self.functions.made.push(function.clone());
        self.functions.known.insert(key.clone(), Some(made));
        let mut inner =
            Scope::new(self.program, self.elements, &function.locals, &mut *self.functions);
        for (idx, meaning) in meanings.iter().enumerate() {
            inner.meanings[idx] = *meaning;
        }
        match inner.block(&function.body) {
            Ok(body) => {
                let (locals, doubts) = (inner.locals, inner.doubts);
                if doubts {
                    self.functions.doubtful.insert(made);
                }
                self.functions.made[made.0 as usize] = Function { body, locals, ..function };
                Ok(Some(made))
            }
            Err(_) if !function.has_effects && function.returns.is_some() => {
                // Its number is taken, and nobody calls it.
                self.functions.made[made.0 as usize].body = Vec::new();
                self.functions.known.insert(key, None);
                Ok(None)
            }
            Err(refusal) => Err(refusal),
        }
    }
}
