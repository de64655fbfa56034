//! What objects are called in messages.

use super::Memory;
use super::object::Kind;
use crate::value::Origin;

impl Memory<'_> {
    /// What an object is called: `` `queue` ``, `the allocation of line 7`.
    pub fn name_of(&self, origin: Origin) -> String {
        let Some(object) = self.object(origin) else { return "memory".into() };
        let place = || match self.code.places.get(object.site as usize) {
            Some(place) if place.line > 0 => format!(" of line {}", place.line),
            _ => String::new(),
        };
        match (object.kind, origin) {
            (Kind::Variable, Origin::Constant(number)) => {
                format!("`{}`", self.code.constants[number as usize].name)
            }
            (Kind::Variable, Origin::Shared(number))
                if (number as usize) < self.code.globals.len() =>
            {
                format!("`{}`", self.code.globals[number as usize].name)
            }
            (Kind::Variable, _) => {
                let variable = self.code.thread_locals.get(object.site as usize);
                format!("`{}`", variable.map_or("?", |variable| &variable.name))
            }
            (Kind::Heap, _) => format!("the allocation{}", place()),
            (Kind::Stack, _) => format!("the local variable{}", place()),
            (Kind::Thread, _) => "a thread".into(),
            (Kind::Symbol, _) => "an input".into(),
        }
    }
}
