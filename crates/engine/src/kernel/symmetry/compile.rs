//! Finds the places of a state that permutations touch.
//!
//! Walks the shapes of a [`Symmetry`] and lists columns: a field together with the
//! axes along which it is repeated. Shapes that no permutation touches are plain
//! bits, whatever they are made of. `assemble` makes the plan of the columns.

use model::Symmetry;
use model::symmetry::{CodeSegment, IndexSegment, Placed, Scalarset, ScalarsetId, Shape};

use super::assemble;
use super::plan::{Domain, SymmetryPlan};

/// Shapes nest no deeper than this; front ends stay far below.
const MAX_DEPTH: u32 = 100;
/// Shapes visited, and later places listed one by one, at most. Chosen so that a
/// plan stays below a few hundred megabytes.
pub(super) const MAX_PLACES: usize = 1 << 21;

/// A field and its repetitions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Column {
    /// Along which it is repeated, outermost first.
    pub(super) axes: Vec<Axis>,
    /// Where it lies when the indices of all axes are zero.
    pub(super) origin: u32,
    /// At most 64.
    pub(super) width: u32,
    /// First code and domain of each segment; none for plain bits.
    pub(super) segments: Vec<(u64, u32)>,
}

/// A repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Axis {
    /// By the elements of a domain.
    Element { domain: u32, stride: u32 },
    /// By the slots of a multiset.
    Slot { multiset: u32, stride: u32, n: u32 },
}

/// A multiset that holds something permuted.
#[derive(Clone, Debug)]
pub(super) struct Multiset {
    /// Along which it is repeated.
    pub(super) axes: Vec<Axis>,
    pub(super) origin: u32,
    pub(super) stride: u32,
    pub(super) n_slots: u32,
}

/// What a walk finds.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) state_words: usize,
    pub(super) domains: Vec<Domain>,
    pub(super) columns: Vec<Column>,
    /// Outer ones before inner ones.
    pub(super) multisets: Vec<Multiset>,
}

/// The plan for a system, if anything can be permuted and the description fits.
pub(super) fn compile(symmetry: &Symmetry, state_words: usize) -> Option<SymmetryPlan> {
    let n_bits = u32::try_from(state_words.checked_mul(64)?).ok()?;
    let mut walk = ShapeWalk::new(symmetry, n_bits)?;
    if !symmetry.state.iter().all(|placed| is_shallow(&placed.shape, MAX_DEPTH)) {
        return None;
    }
    walk.parts(&symmetry.state, 0)?;
    let columns = Columns {
        state_words,
        domains: walk.domains,
        columns: merged(walk.columns),
        multisets: walk.multisets,
    };
    if columns.columns.is_empty() { None } else { assemble::assemble(columns) }
}

fn is_shallow(shape: &Shape, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match shape {
        Shape::Plain { .. } | Shape::Value { .. } => true,
        Shape::Record { parts } => parts.iter().all(|part| is_shallow(&part.shape, depth)),
        Shape::Array { element, .. } | Shape::Multiset { element, .. } => {
            is_shallow(element, depth)
        }
    }
}

/// The state of a walk. Functions return nothing where the description does not
/// fit.
struct ShapeWalk<'a> {
    scalarsets: &'a [Scalarset],
    /// By scalarset.
    domain_of: Vec<Option<u32>>,
    domains: Vec<Domain>,
    n_bits: u32,
    axes: Vec<Axis>,
    columns: Vec<Column>,
    multisets: Vec<Multiset>,
    n_visits_left: usize,
}

impl<'a> ShapeWalk<'a> {
    fn new(symmetry: &'a Symmetry, n_bits: u32) -> Option<ShapeWalk<'a>> {
        let (mut domains, mut domain_of, mut first) = (Vec::new(), Vec::new(), 0u32);
        for scalarset in &symmetry.scalarsets {
            domain_of.push(scalarset.is_permuted().then_some(domains.len() as u32));
            if scalarset.is_permuted() {
                let n = scalarset.n_elements;
                domains.push(Domain { first, n, exact: false, unrelated: true });
                first = first.checked_add(n).filter(|&n| n as usize <= MAX_PLACES)?;
            }
        }
        Some(ShapeWalk {
            scalarsets: &symmetry.scalarsets,
            domain_of,
            domains,
            n_bits,
            axes: Vec::new(),
            columns: Vec::new(),
            multisets: Vec::new(),
            n_visits_left: MAX_PLACES,
        })
    }

    fn parts(&mut self, parts: &[Placed], at: u32) -> Option<()> {
        parts.iter().try_for_each(|part| self.shape(&part.shape, at.checked_add(part.bit)?))
    }

    fn shape(&mut self, shape: &Shape, at: u32) -> Option<()> {
        self.n_visits_left = self.n_visits_left.checked_sub(1)?;
        if !self.is_touched(shape) {
            return self.plain(at, size(shape)?);
        }
        match shape {
            Shape::Plain { bits } => self.plain(at, *bits),
            Shape::Value { bits, segments } => self.value(at, *bits, segments),
            Shape::Record { parts } => self.parts(parts, at),
            Shape::Array { stride, n_elements, segments, element } => {
                self.array((at, *stride, *n_elements), segments, element)
            }
            Shape::Multiset { stride, n_slots, element } => {
                self.multiset((at, *stride, *n_slots), element)
            }
        }
    }

    /// Can a permutation change anything within, other than by moving the whole?
    fn is_touched(&self, shape: &Shape) -> bool {
        let is_domain = |id: ScalarsetId| self.domain(id).is_some();
        match shape {
            Shape::Plain { .. } => false,
            Shape::Value { segments, .. } => segments.iter().any(|s| is_domain(s.scalarset)),
            Shape::Record { parts } => parts.iter().any(|part| self.is_touched(&part.shape)),
            Shape::Array { segments, element, .. } => {
                segments.iter().any(|s| is_domain(s.scalarset)) || self.is_touched(element)
            }
            Shape::Multiset { element, .. } => self.is_touched(element),
        }
    }

    fn domain(&self, id: ScalarsetId) -> Option<u32> {
        self.domain_of.get(id.0 as usize).copied().flatten()
    }

    /// Plain bits matter only where something moves them.
    fn plain(&mut self, at: u32, bits: u32) -> Option<()> {
        if self.axes.is_empty() {
            return Some(());
        }
        let mut done = 0;
        while done < bits {
            self.n_visits_left = self.n_visits_left.checked_sub(1)?;
            let width = (bits - done).min(64);
            self.column(at.checked_add(done)?, width, Vec::new())?;
            done += width;
        }
        Some(())
    }

    fn value(&mut self, at: u32, bits: u32, segments: &[CodeSegment]) -> Option<()> {
        let domain = |s: &CodeSegment| self.domain(s.scalarset).map(|domain| (s.first, domain));
        let segments: Vec<(u64, u32)> = segments.iter().filter_map(domain).collect();
        let fits = |&(first, domain): &(u64, u32)| {
            let last = first.checked_add(u64::from(self.domains[domain as usize].n - 1));
            last.is_some_and(|last| last <= super::bits::mask(bits))
        };
        if bits > 64 || !segments.iter().all(fits) {
            return None;
        }
        self.column(at, bits, segments)
    }

    fn array(
        &mut self,
        (at, stride, n_elements): (u32, u32, u32),
        segments: &[IndexSegment],
        element: &Shape,
    ) -> Option<()> {
        let mut next = 0;
        for segment in segments {
            let n = self.scalarsets.get(segment.scalarset.0 as usize)?.n_elements;
            let Some(domain) = self.domain(segment.scalarset) else { continue };
            self.fixed(at, stride, next..segment.first, element)?;
            self.axes.push(Axis::Element { domain, stride });
            self.shape(element, at.checked_add(segment.first.checked_mul(stride)?)?)?;
            self.axes.pop();
            next = segment.first.checked_add(n).filter(|&end| end <= n_elements)?;
        }
        self.fixed(at, stride, next..n_elements, element)
    }

    /// Elements of an array that stay where they are.
    fn fixed(
        &mut self,
        at: u32,
        stride: u32,
        mut indices: std::ops::Range<u32>,
        element: &Shape,
    ) -> Option<()> {
        if self.axes.is_empty() && !self.is_touched(element) {
            return Some(());
        }
        indices.try_for_each(|idx| self.shape(element, at.checked_add(idx.checked_mul(stride)?)?))
    }

    fn multiset(&mut self, (at, stride, n): (u32, u32, u32), element: &Shape) -> Option<()> {
        let used_bit = at.checked_add(stride.checked_sub(1)?)?;
        let multiset = self.multisets.len() as u32;
        let axes = self.axes.clone();
        self.multisets.push(Multiset { axes, origin: at, stride, n_slots: n });
        self.axes.push(Axis::Slot { multiset, stride, n });
        if n > 0 {
            self.shape(element, at)?;
            self.plain(used_bit, 1)?;
        }
        self.axes.pop();
        Some(())
    }

    /// Notes a column that lies within the state.
    fn column(&mut self, origin: u32, width: u32, segments: Vec<(u64, u32)>) -> Option<()> {
        let mut end = u64::from(origin) + u64::from(width);
        for axis in &self.axes {
            let (stride, n) = match *axis {
                Axis::Element { domain, stride } => (stride, self.domains[domain as usize].n),
                Axis::Slot { stride, n, .. } => (stride, n),
            };
            end = end.checked_add(u64::from(stride) * u64::from(n - 1))?;
        }
        if end > u64::from(self.n_bits) {
            return None;
        }
        self.columns.push(Column { axes: self.axes.clone(), origin, width, segments });
        Some(())
    }
}

/// How many bits a shape spans.
fn size(shape: &Shape) -> Option<u32> {
    match shape {
        Shape::Plain { bits } | Shape::Value { bits, .. } => Some(*bits),
        Shape::Record { parts } => parts
            .iter()
            .try_fold(0u32, |end, part| Some(end.max(part.bit.checked_add(size(&part.shape)?)?))),
        Shape::Array { n_elements: 0, .. } => Some(0),
        Shape::Array { stride, n_elements, element, .. } => {
            stride.checked_mul(n_elements - 1)?.checked_add(size(element)?)
        }
        Shape::Multiset { stride, n_slots, .. } => stride.checked_mul(*n_slots),
    }
}

/// Joins plain columns that lie side by side.
fn merged(mut columns: Vec<Column>) -> Vec<Column> {
    columns.sort_unstable();
    columns.dedup_by(|column, previous| {
        let joins = column.axes == previous.axes
            && column.segments.is_empty()
            && previous.segments.is_empty()
            && column.origin == previous.origin + previous.width
            && column.width + previous.width <= 64;
        if joins {
            previous.width += column.width;
        }
        joins
    });
    columns
}
