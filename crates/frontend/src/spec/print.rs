//! Writes a counter system with one control state as a `.spec` file.
//!
//! A move with several destinations has no notation there and is refused.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use model::{Bounds, CounterId, CounterSystem, CounterTransition, Move};

use crate::bounds::describe;
use crate::convert::{ConvertError, names};

/// The text, and remarks on what it could not keep.
pub(crate) fn print(system: &CounterSystem) -> Result<(String, Vec<String>), ConvertError> {
    let [initial] = system.initial.as_slice() else {
        return Err(ConvertError::new("a `.spec` file has exactly one initial conjunction"));
    };
    let printer = Printer { names: names::identifiers(&system.counter_names, RESERVED) };
    let mut remarks = Vec::new();
    let mut text = format!("vars\n  {}\nrules\n", printer.names.join(" "));
    for transition in &system.transitions {
        match printer.rule(transition)? {
            Some(rule) => writeln!(text, "  {rule}"),
            None => {
                remarks.push(format!("`{}` can never fire and is left out", transition.name));
                Ok(())
            }
        }
        .expect("writing to a string succeeds");
    }
    let start: BTreeMap<_, _> = initial.bounds.iter().copied().collect();
    let all = (0..printer.names.len()).map(|idx| CounterId(idx as u32));
    let init = all.map(|id| (id, start.get(&id).copied().unwrap_or(Bounds::exactly(0))));
    let _ = writeln!(text, "init\n  {}", printer.conjunction(init));
    text.push_str("target\n");
    for target in &system.targets {
        let _ = writeln!(text, "  {}", printer.target(&target.zone.bounds)?);
    }
    if !system.hints.is_empty() {
        text.push_str(&printer.invariants(&system.hints)?);
    }
    Ok((text, remarks))
}

const RESERVED: &[&str] = &["vars", "rules", "init", "target", "invariants", "true", "in"];

struct Printer {
    names: Vec<String>,
}

impl Printer {
    fn name(&self, counter: CounterId) -> &str {
        &self.names[counter.idx()]
    }

    fn conjunction(&self, bounds: impl Iterator<Item = (CounterId, Bounds)>) -> String {
        let parts: Vec<String> = bounds.map(|(id, b)| describe(self.name(id), b)).collect();
        parts.join(", ")
    }

    /// `None` when the transition can never fire.
    fn rule(&self, transition: &CounterTransition) -> Result<Option<String>, ConvertError> {
        let guard = match transition.guard.as_slice() {
            [] => "true".to_owned(),
            bounds => self.conjunction(bounds.iter().copied()),
        };
        let mut effects = Vec::new();
        for (target, (sources, constant)) in sums(transition)? {
            if sources.is_empty() && constant < 0 {
                return Ok(None);
            }
            effects.push(self.effect(target, &sources, constant));
        }
        Ok(Some(format!("{guard} -> {};", effects.join(", "))))
    }

    fn effect(&self, target: CounterId, sources: &[CounterId], constant: i64) -> String {
        let sum: Vec<&str> = sources.iter().map(|&id| self.name(id)).collect();
        let value = match (sum.is_empty(), constant) {
            (true, n) => n.to_string(),
            (false, 0) => sum.join(" + "),
            (false, n) if n < 0 => format!("{} - {}", sum.join(" + "), n.unsigned_abs()),
            (false, n) => format!("{} + {n}", sum.join(" + ")),
        };
        format!("{}' = {value}", self.name(target))
    }

    fn target(&self, bounds: &[(CounterId, Bounds)]) -> Result<String, ConvertError> {
        if !bounds.is_empty() {
            return Ok(self.conjunction(bounds.iter().copied()));
        }
        // A conjunction has at least one constraint: take one that says nothing.
        match self.names.first() {
            Some(name) => Ok(describe(name, Bounds::at_least(0))),
            None => Err(ConvertError::new("a net without places has no target to write")),
        }
    }

    fn invariants(&self, hints: &[Vec<(CounterId, i64)>]) -> Result<String, ConvertError> {
        let mut text = "invariants\n".to_owned();
        for hint in hints {
            if hint.iter().any(|&(_, weight)| weight < 0) {
                return Err(ConvertError::new("a `.spec` invariant has no negative weights"));
            }
            let weights: Vec<String> =
                hint.iter().map(|&(id, weight)| format!("{} = {weight}", self.name(id))).collect();
            let _ = writeln!(text, "  {}", weights.join(", "));
        }
        Ok(text)
    }
}

/// For each counter that changes: whose tokens it holds afterwards, and what is
/// added.
type Sums = BTreeMap<CounterId, (Vec<CounterId>, i64)>;

fn sums(transition: &CounterTransition) -> Result<Sums, ConvertError> {
    let moved = |id: CounterId| transition.moves.binary_search_by_key(&id, |one| one.from).is_ok();
    let mut sums = Sums::new();
    let touched = transition.moves.iter().flat_map(|one| one.to.iter().copied());
    for id in touched.chain(transition.delta.iter().map(|entry| entry.0)) {
        let own = if moved(id) { Vec::new() } else { vec![id] };
        sums.entry(id).or_insert((own, 0));
    }
    for Move { from, to } in &transition.moves {
        sums.entry(*from).or_default();
        match to.as_slice() {
            [] => {}
            [to] => sums.entry(*to).or_default().0.push(*from),
            _ => {
                return Err(ConvertError::new(format!(
                    "`{}` lets each token choose where to go, which a `.spec` rule cannot say",
                    transition.name
                )));
            }
        }
    }
    for &(id, n) in &transition.delta {
        sums.entry(id).or_default().1 = n;
    }
    Ok(sums)
}
