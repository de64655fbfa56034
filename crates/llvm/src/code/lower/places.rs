//! Places in the source, each once.

use rustc_hash::FxHashMap;

use crate::code::Place;
use crate::ir::{Debug, DebugId};

/// Scopes that are nested deeper than this end there.
const MAX_SCOPES: u32 = 256;

/// All places so far.
pub(super) struct Places<'a> {
    debug: &'a Debug,
    ids: FxHashMap<Place, u32>,
    known: FxHashMap<DebugId, u32>,
    /// The places, by their number.
    pub places: Vec<Place>,
}

impl<'a> Places<'a> {
    pub fn new(debug: &'a Debug) -> Places<'a> {
        let (ids, known, places) = Default::default();
        Places { debug, ids, known, places }
    }

    /// The place of an instruction of `function`; inlined code stands where it was
    /// written.
    pub fn of(&mut self, location: Option<DebugId>, function: &str) -> u32 {
        let location = location.and_then(|id| Some((id, self.debug.locations.get(&id)?)));
        let Some((id, location)) = location else {
            return self.intern(nowhere(function));
        };
        if let Some(&place) = self.known.get(&id) {
            return place;
        }
        let (file, name) = self.scope(location.scope);
        let place = self.intern(Place {
            file,
            line: location.line,
            column: location.column,
            function: name.unwrap_or_else(|| function.to_owned()),
        });
        self.known.insert(id, place);
        place
    }

    /// The place where a function begins.
    pub fn of_function(&mut self, debug: Option<DebugId>, function: &str) -> u32 {
        let Some(scope) = debug.and_then(|id| self.debug.scopes.get(&id)) else {
            return self.intern(nowhere(function));
        };
        let place = Place {
            file: self.file(scope.file),
            line: scope.line,
            column: 0,
            function: scope.name.clone().unwrap_or_else(|| function.to_owned()),
        };
        self.intern(place)
    }

    /// The file of a scope and the function it is in.
    fn scope(&self, id: DebugId) -> (String, Option<String>) {
        let (mut file, mut next) = (None, Some(id));
        for _ in 0..MAX_SCOPES {
            let Some(scope) = next.and_then(|id| self.debug.scopes.get(&id)) else { break };
            file = file.or(scope.file);
            if scope.name.is_some() {
                return (self.file(file), scope.name.clone());
            }
            next = scope.parent;
        }
        (self.file(file), None)
    }

    fn file(&self, id: Option<DebugId>) -> String {
        let file = id.and_then(|id| self.debug.files.get(&id));
        file.map(|file| file.name.clone()).unwrap_or_default()
    }

    fn intern(&mut self, place: Place) -> u32 {
        if let Some(&id) = self.ids.get(&place) {
            return id;
        }
        let id = self.places.len() as u32;
        self.places.push(place.clone());
        self.ids.insert(place, id);
        id
    }
}

fn nowhere(function: &str) -> Place {
    Place { file: String::new(), line: 0, column: 0, function: function.to_owned() }
}
