//! The views of a list: which there are, and which of them may be of elements of one state.

use model::Store;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

use super::composition::common_part;
use super::layout::Layout;
use super::sight::{Reached, View};
use crate::rejection::Rejection;

/// The views of a list, in normal form, each once.
pub(crate) struct Listed {
    pub views: Vec<View>,
    packed: FxHashSet<Box<[u64]>>,
}

/// Views whose common parts are the same, by that part as a state.
pub(crate) type Groups<'a> = BTreeMap<Box<[u64]>, Vec<&'a View>>;

impl Listed {
    /// What is listed is taken as a state, of which slot 0 sees the view that is meant.
    pub(crate) fn new(layout: &Layout, stores: &[Store]) -> Result<Listed, Rejection> {
        let mut listed = Listed { views: Vec::new(), packed: FxHashSet::default() };
        for store in stores {
            let words = store.to_words().filter(|words| words.len() == layout.state_words);
            let words = words.ok_or_else(|| Rejection::malformed("a view has another size"))?;
            let values = layout.read(&words)?;
            let view = Reached::new(layout, &values, 1).view_of_first(layout, &values);
            if listed.packed.insert(layout.packed(&view.values)) {
                listed.views.push(view);
            }
        }
        Ok(listed)
    }

    /// Is a view listed?
    pub(crate) fn has(&self, layout: &Layout, view: &View) -> bool {
        self.packed.contains(&layout.packed(&view.values))
    }

    /// The views, sorted by what they say of the part that all elements see.
    pub(crate) fn groups(&self, layout: &Layout) -> Groups<'_> {
        let mut groups = Groups::new();
        for view in &self.views {
            groups.entry(common_part(layout, view)).or_default().push(view);
        }
        groups
    }
}
