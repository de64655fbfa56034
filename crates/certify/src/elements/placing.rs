//! Where the elements of a view may stand: some as elements of another view, some as actors
//! beside it.
//!
//! The views of a state share their elements, so what is said of the common ones must be the
//! same. What a set of elements is, is numbered here: its *kind*.

use rustc_hash::FxHashMap;

use super::reading::{ELEMENT, HIDDEN, REST, Reading, Value, Values, ways};

/// The number of what a set of elements is.
pub(crate) type Kind = u32;

/// The kinds of the elements of a view, one for each placing; `None` if no view has such ones.
pub(crate) type Kinds = Box<[Option<Kind>]>;

/// One way for views to have elements in common with another one.
pub(crate) struct Placing {
    /// All slots that the elements of the view get, as a set.
    pub slots: u32,
    /// Those of them that are in the other view.
    pub elements: u32,
    /// The kind of the common elements, for each view.
    pub kinds: Vec<Kind>,
    /// The slot of each element.
    to: Vec<u32>,
    /// Where the value of each cell comes from.
    from: Vec<Option<usize>>,
}

/// All placings beside a view with some actors.
pub(crate) struct Placings {
    pub all: Vec<Placing>,
    /// For each of them, the kinds by what the common elements are.
    known: Vec<FxHashMap<Values, Kind>>,
}

impl Placings {
    /// Places all `views` (in every order of their elements) in all ways in which one of them at
    /// least becomes one of `n_actors` actors.
    pub(crate) fn new(reading: &Reading, views: &[Values], n_actors: u32) -> Placings {
        let actors = ((1 << n_actors) - 1) << reading.n_visible;
        let mut placings = Placings { all: Vec::new(), known: Vec::new() };
        for to in ways(reading.n_visible, reading.visible() | actors) {
            let slots = to.iter().fold(0, |set, slot| set | 1 << slot);
            if !to.is_sorted() || slots & actors == 0 {
                continue;
            }
            let elements = slots & reading.visible();
            let moves = reading.moves(&to);
            let mut known: FxHashMap<Values, Kind> = FxHashMap::default();
            let kinds = views.iter().map(|view| {
                let common = reading.seen(&reading.moved(view, &moves), elements);
                let next = known.len() as Kind;
                *known.entry(common).or_insert(next)
            });
            let kinds = kinds.collect();
            let from = moves.sources();
            placings.all.push(Placing { slots, elements, kinds, to, from });
            placings.known.push(known);
        }
        // Who all actors are settles most: whether they can step at all.
        let mut order: Vec<usize> = (0..placings.all.len()).collect();
        order.sort_by_key(|idx| (actors & !placings.all[*idx].slots).count_ones());
        let mut pairs: Vec<Option<(Placing, _)>> =
            placings.all.into_iter().zip(placings.known).map(Some).collect();
        let sorted = order.iter().filter_map(|idx| pairs[*idx].take());
        let (all, known) = sorted.unzip();
        Placings { all, known }
    }

    /// The kinds of the elements of `view`.
    pub(crate) fn kinds(&self, reading: &Reading, view: &Values) -> Kinds {
        let kind = |(placing, known): (&Placing, &FxHashMap<Values, Kind>)| {
            known.get(&reading.seen(view, placing.elements)).copied()
        };
        self.all.iter().zip(&self.known).map(kind).collect()
    }
}

impl Placing {
    /// What a view that is placed so says of a cell.
    pub(crate) fn value(&self, view: &Values, cell: usize) -> Value {
        let Some(from) = self.from[cell] else { return HIDDEN };
        match view[from] {
            HIDDEN => HIDDEN,
            REST => REST,
            value if value & ELEMENT != 0 => {
                let slot = (value & !ELEMENT) as usize;
                self.to.get(slot).map_or(REST, |slot| ELEMENT | u64::from(*slot))
            }
            code => code,
        }
    }
}
