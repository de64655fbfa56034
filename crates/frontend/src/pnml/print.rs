//! Writes a plain net as PNML. What the standard's place/transition nets cannot
//! say (transfers, resets, zero tests) is refused.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use model::{Bounds, CounterId, CounterSystem, CounterTransition};
use quick_xml::escape::escape;

use crate::bounds::describe;
use crate::convert::{ConvertError, Converted, names};
use crate::source::MAX_NUMBER;

/// The text with the `--target` to use.
pub(crate) fn print(system: &CounterSystem) -> Result<Converted, ConvertError> {
    let [initial] = system.initial.as_slice() else {
        return Err(ConvertError::new("the net has several initial markings"));
    };
    let mut printer = Printer::new(system);
    let start: BTreeMap<CounterId, Bounds> = initial.bounds.iter().copied().collect();
    for (id, name) in (0..).map(CounterId).zip(&system.counter_names) {
        let marking = start.get(&id).map_or(0, |bounds| bounds.min);
        printer.place(&printer.ids[id.idx()].clone(), name, marking);
    }
    for transition in &system.transitions {
        let (consumed, produced) = weights(transition)?;
        printer.transition(&transition.name, &consumed, &produced);
    }
    for (&id, &bounds) in &start {
        printer.parametric_start(id, bounds);
    }
    let targets: Vec<String> =
        system.targets.iter().map(|target| printer.target(&target.zone.bounds)).collect();
    Ok(Converted {
        text: printer.finish(),
        target: Some(targets.join("; ")),
        remarks: printer.remarks,
        ..Converted::default()
    })
}

struct Printer {
    /// Ids of the places.
    ids: Vec<String>,
    places: String,
    transitions: String,
    arcs: String,
    n_transitions: usize,
    n_arcs: usize,
    remarks: Vec<String>,
}

type Weights = Vec<(CounterId, u32)>;

impl Printer {
    fn new(system: &CounterSystem) -> Printer {
        Printer {
            ids: names::identifiers(&system.counter_names, &[]),
            places: String::new(),
            transitions: String::new(),
            arcs: String::new(),
            n_transitions: 0,
            n_arcs: 0,
            remarks: Vec::new(),
        }
    }

    fn place(&mut self, id: &str, name: &str, marking: u32) {
        let name = escape(name);
        let _ = writeln!(self.places, "      <place id=\"{id}\"><name><text>{name}</text></name>");
        if marking > 0 {
            let _ = writeln!(
                self.places,
                "        <initialMarking><text>{marking}</text></initialMarking>"
            );
        }
        self.places.push_str("      </place>\n");
    }

    fn transition(&mut self, name: &str, consumed: &Weights, produced: &Weights) {
        let id = self.add_transition(name);
        for &(place, weight) in consumed {
            let source = self.ids[place.idx()].clone();
            self.arc(&source, &id, weight);
        }
        for &(place, weight) in produced {
            let target = self.ids[place.idx()].clone();
            self.arc(&id, &target, weight);
        }
    }

    /// Ids with a dot never meet those of places.
    fn add_transition(&mut self, name: &str) -> String {
        self.n_transitions += 1;
        let id = format!("t.{}", self.n_transitions);
        let name = escape(name);
        let _ = writeln!(
            self.transitions,
            "      <transition id=\"{id}\"><name><text>{name}</text></name></transition>"
        );
        id
    }

    fn arc(&mut self, source: &str, target: &str, weight: u32) {
        self.n_arcs += 1;
        let n = self.n_arcs;
        let _ = writeln!(
            self.arcs,
            "      <arc id=\"a.{n}\" source=\"{source}\" target=\"{target}\">\
             <inscription><text>{weight}</text></inscription></arc>"
        );
    }

    /// A plain net can do no less with tokens that arrive early, so tokens that may
    /// exist at the start can as well arrive at any time.
    fn parametric_start(&mut self, id: CounterId, bounds: Bounds) {
        let place = self.ids[id.idx()].clone();
        match bounds.max {
            Some(max) if max <= bounds.min => return,
            Some(max) => {
                let reserve = format!("{place}.reserve");
                self.place(&reserve, &reserve, max - bounds.min);
                let start = self.add_transition(&format!("start {place}"));
                self.arc(&reserve, &start, 1);
                self.arc(&start, &place, 1);
            }
            None => {
                let start = self.add_transition(&format!("start {place}"));
                self.arc(&start, &place, 1);
            }
        }
        self.remarks.push(format!(
            "transition `start {place}` brings the tokens that `{place}` may start with"
        ));
    }

    fn target(&self, bounds: &[(CounterId, Bounds)]) -> String {
        let parts: Vec<String> =
            bounds.iter().map(|&(id, bounds)| describe(&self.ids[id.idx()], bounds)).collect();
        match (parts.is_empty(), self.ids.first()) {
            (true, Some(first)) => describe(first, Bounds::at_least(0)),
            _ => parts.join(", "),
        }
    }

    fn finish(&self) -> String {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
             \x20 <net id=\"net\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n\
             \x20   <page id=\"page\">\n{}{}{}    </page>\n  </net>\n</pnml>\n",
            self.places, self.transitions, self.arcs
        )
    }
}

/// The weights of input and output arcs. A guard without an effect is an arc in
/// both directions.
fn weights(transition: &CounterTransition) -> Result<(Weights, Weights), ConvertError> {
    let refuse = |what: &str| ConvertError::new(format!("`{}` {what}", transition.name));
    if !transition.moves.is_empty() {
        return Err(refuse("moves or removes all tokens of a place, which plain nets cannot do"));
    }
    if transition.has_upper_bounds() {
        return Err(refuse("tests a place for few tokens, which plain nets cannot do"));
    }
    let mut flow: BTreeMap<CounterId, (i64, i64)> =
        transition.delta.iter().map(|&(id, n)| (id, ((-n).max(0), n))).collect();
    for &(id, bounds) in &transition.guard {
        let entry = flow.entry(id).or_default();
        entry.0 = entry.0.max(i64::from(bounds.min));
    }
    let fits = |n: i64| {
        let n = u32::try_from(n).ok().filter(|&n| n <= MAX_NUMBER);
        n.ok_or_else(|| refuse("has too large a weight"))
    };
    let (mut consumed, mut produced) = (Weights::new(), Weights::new());
    for (id, (taken, delta)) in flow {
        consumed.push((id, fits(taken)?));
        produced.push((id, fits(taken + delta)?));
    }
    consumed.retain(|entry| entry.1 > 0);
    produced.retain(|entry| entry.1 > 0);
    Ok((consumed, produced))
}
