//! What elements see of a state: the nodes that they reach, and the view that is left when
//! everything else is forgotten.
//!
//! A view is in *normal form*: the nodes are numbered in the order of one certain walk, first
//! those that the shared values reach, then those that only the element does. So views that
//! differ in the numbers of nodes alone are equal, and views of two elements in one state give
//! the same numbers to the nodes that the shared values reach.

use super::layout::Layout;
use super::values::Value;

/// The nodes that the elements in the first slots of a state reach.
pub(crate) struct Reached {
    /// The nodes, in the order of the walk.
    order: Vec<u32>,
    /// How many of them the shared values reach.
    n_shared: usize,
    /// How many of them the shared values and slot 0 reach.
    n_by_first: usize,
}

/// What one element sees of a state, in normal form.
pub(crate) struct View {
    pub values: Vec<Value>,
    /// The first nodes are those that the shared values reach,
    pub n_shared: usize,
    /// then come those that only the element does. All others are fresh.
    pub n_reached: usize,
}

impl Reached {
    /// Walks through a state that shows `n_shown` elements.
    pub(crate) fn new(layout: &Layout, values: &[Value], n_shown: usize) -> Reached {
        let mut order = Vec::with_capacity(layout.n_nodes);
        // No field belongs to an element, so whoever reaches a node reaches what it names.
        let mut walk = |from: &[usize]| {
            let mut done = order.len();
            visit(&mut order, values, from);
            while done < order.len() {
                let node = order[done] as usize;
                visit(&mut order, values, &layout.nodes[node]);
                done += 1;
            }
            order.len()
        };
        let n_shared = walk(&layout.shared);
        let n_by_first = walk(&layout.owned[0]);
        layout.owned[1..n_shown].iter().for_each(|slot| {
            walk(slot);
        });
        Reached { order, n_shared, n_by_first }
    }

    /// May this be believed after a step? If not, why?
    pub(crate) fn objection(&self, layout: &Layout, values: &[Value]) -> Option<&'static str> {
        for (node, fields) in layout.nodes.iter().enumerate() {
            let is_reached = self.order.contains(&(node as u32));
            for ((idx, fresh), is_doubt) in fields.iter().zip(&layout.fresh).zip(&layout.is_doubt) {
                let is_fresh = values[*idx] == Value::Code(*fresh);
                match (is_reached, is_doubt) {
                    (true, true) if !is_fresh => {
                        return Some("a node that others may reach is taken as unreached");
                    }
                    (false, false) if !is_fresh => {
                        return Some("a node is lost: nobody reaches it, and it is not free");
                    }
                    _ => {}
                }
            }
        }
        None
    }

    /// What the element in slot 0 sees.
    pub(crate) fn view_of_first(&self, layout: &Layout, values: &[Value]) -> View {
        let order = &self.order[..self.n_by_first];
        let mut number = vec![None; layout.n_nodes];
        for (new, old) in order.iter().enumerate() {
            number[*old as usize] = Some(new as u32);
        }
        let seen = |value: Value| match value {
            Value::Element(slot) if slot > 0 => Value::Rest,
            Value::Node(node) => {
                Value::Node(number[node as usize].expect("what is kept names reached nodes only"))
            }
            value => value,
        };
        let mut view = vec![Value::Code(0); values.len()];
        for idx in layout.shared.iter().chain(&layout.owned[0]) {
            view[*idx] = seen(values[*idx]);
        }
        for (new, fields) in layout.nodes.iter().enumerate() {
            for (place, idx) in fields.iter().enumerate() {
                view[*idx] = match order.get(new) {
                    Some(old) => seen(values[layout.nodes[*old as usize][place]]),
                    None => Value::Code(layout.fresh[place]),
                };
            }
        }
        View { values: view, n_shared: self.n_shared, n_reached: order.len() }
    }
}

/// Adds the nodes that these cells name.
fn visit(order: &mut Vec<u32>, values: &[Value], cells: &[usize]) {
    for idx in cells {
        match values[*idx] {
            Value::Node(node) if !order.contains(&node) => order.push(node),
            _ => {}
        }
    }
}
