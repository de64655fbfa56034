//! A table of objects by number. Numbers of objects that are gone are used again.

use super::object::Object;

/// Objects by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objects {
    /// `None` where a number is free.
    slots: Vec<Option<Object>>,
}

impl Objects {
    /// The object with this number.
    pub fn get(&self, number: u32) -> Option<&Object> {
        self.slots.get(number as usize)?.as_ref()
    }

    /// All objects with their numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Object)> {
        let numbered = (0u32..).zip(&self.slots);
        numbered.filter_map(|(number, slot)| slot.as_ref().map(|object| (number, object)))
    }

    /// How many numbers are in use, with free ones between them.
    pub fn n_numbers(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut Object> {
        self.slots.get_mut(number as usize)?.as_mut()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Object> {
        self.slots.iter_mut().flatten()
    }

    /// Puts an object at the lowest free number, and says which.
    pub(super) fn add(&mut self, object: Object) -> u32 {
        let free = self.slots.iter().position(Option::is_none);
        let idx = free.unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        self.slots[idx] = Some(object);
        idx as u32
    }

    pub(super) fn take(&mut self, number: u32) -> Option<Object> {
        self.slots.get_mut(number as usize)?.take()
    }

    /// Drops objects for which `is_gone`.
    pub(super) fn drop_if(&mut self, is_gone: impl Fn(u32, &Object) -> bool) {
        for (number, slot) in (0u32..).zip(&mut self.slots) {
            if slot.as_ref().is_some_and(|object| is_gone(number, object)) {
                *slot = None;
            }
        }
    }

    /// Gives each object the number that `numbers` has for it; those without one are
    /// dropped. New numbers are those below the count of them.
    pub(super) fn renumber(&mut self, numbers: &[Option<u32>]) {
        let old = std::mem::take(&mut self.slots);
        self.slots.resize_with(numbers.iter().flatten().count(), || None);
        for (object, number) in old.into_iter().zip(numbers) {
            if let Some(number) = number {
                self.slots[*number as usize] = object;
            }
        }
    }

    /// The slots, for encoding.
    pub(super) fn slots(&self) -> &[Option<Object>] {
        &self.slots
    }

    /// The slots, to be decoded into.
    pub(super) fn slots_mut(&mut self) -> &mut Vec<Option<Object>> {
        &mut self.slots
    }
}
