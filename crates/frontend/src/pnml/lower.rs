//! Gives a PNML net its meaning: one control state, a counter per place.
//!
//! An arc in both directions is a read arc: its tokens are demanded by the guard
//! and cancel out in the effect. An inhibitor arc of weight n demands fewer than n
//! tokens; a reset arc empties its place before new tokens arrive.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Bounds, ControlId, CounterId, CounterSystem, CounterTransition, Diagnostic, InitialZone, Move,
    Span, Target, Zone,
};

use crate::bounds::{BoundsMap, describe_all};
use crate::conditions::{self, Condition};
use crate::pnml::ast::{Arc, ArcKind, Net};
use crate::sink::Sink;
use crate::source::{MAX_NUMBER, Source, join};
use crate::suggest::did_you_mean;

const NET: ControlId = ControlId(0);

/// The counter system of a net with its target.
pub(crate) fn lower(
    net: &Net,
    target: Option<Source<'_>>,
    init: Option<Source<'_>>,
    sink: &mut Sink,
) -> CounterSystem {
    let mut lowering = Lowering { net, sink, nodes: BTreeMap::new(), by_name: BTreeMap::new() };
    lowering.declare();
    lowering.resolve_references();
    let counter_names = lowering.place_names();
    CounterSystem {
        control_names: vec![String::new()],
        transitions: lowering.transitions(),
        initial: vec![lowering.initial(init)],
        targets: target.map(|text| lowering.targets(text, &counter_names)).unwrap_or_default(),
        hints: Vec::new(),
        counter_names,
    }
}

struct Lowering<'a, 's> {
    net: &'a Net,
    sink: &'s mut Sink,
    nodes: BTreeMap<&'a str, NodeId>,
    /// Places by name; `None` when several have it.
    by_name: BTreeMap<&'a str, Option<CounterId>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeId {
    Place(CounterId),
    Transition(usize),
}

/// What the arcs around one transition say.
#[derive(Default)]
struct Flow {
    consumed: BTreeMap<CounterId, u64>,
    produced: BTreeMap<CounterId, u64>,
    guard: BoundsMap,
    reset: BTreeSet<CounterId>,
    never: bool,
}

/// A transition without its name and moves.
type GuardAndDelta = (Vec<(CounterId, Bounds)>, Vec<(CounterId, i64)>);

impl<'a> Lowering<'a, '_> {
    fn declare(&mut self) {
        for (idx, place) in self.net.places.iter().enumerate() {
            let id = CounterId(u32::try_from(idx).expect("a text is below 4 GiB"));
            self.add_node(&place.node.id, NodeId::Place(id), place.node.span);
            if let Some(name) = &place.node.name {
                self.by_name.entry(name).and_modify(|known| *known = None).or_insert(Some(id));
            }
        }
        for (idx, transition) in self.net.transitions.iter().enumerate() {
            self.add_node(&transition.id, NodeId::Transition(idx), transition.span);
        }
    }

    fn add_node(&mut self, id: &'a str, node: NodeId, span: Span) {
        if *self.nodes.entry(id).or_insert(node) != node {
            let message = format!("id `{id}` occurs twice");
            self.sink.push(Diagnostic::error("PN006", message, span));
        }
    }

    /// References may point to references, in any order: follow each chain, which
    /// is a cycle when it is longer than their number.
    fn resolve_references(&mut self) {
        let links: BTreeMap<&str, &str> =
            self.net.references.iter().map(|one| (one.id.as_str(), one.to.as_str())).collect();
        let mut resolved: BTreeMap<&str, Option<NodeId>> = BTreeMap::new();
        for reference in &self.net.references {
            let mut path = Vec::new();
            let mut id = reference.id.as_str();
            while let (false, None, Some(&next)) =
                (path.len() > links.len(), resolved.get(id), links.get(id))
            {
                path.push(id);
                id = next;
            }
            let node = resolved.get(id).copied().unwrap_or_else(|| self.nodes.get(id).copied());
            resolved.extend(path.into_iter().map(|id| (id, node)));
            if node.is_none() {
                self.unknown_node(&reference.to, reference.span);
            }
        }
        for reference in &self.net.references {
            if let Some(&Some(node)) = resolved.get(reference.id.as_str()) {
                self.add_node(&reference.id, node, reference.span);
            }
        }
    }

    /// The name of each place if it has one for itself, else its id.
    fn place_names(&self) -> Vec<String> {
        let own = |name: &&String| {
            let unique = self.by_name.get(name.as_str()).is_some_and(Option::is_some);
            unique && !self.nodes.contains_key(name.as_str())
        };
        let places = self.net.places.iter();
        places
            .map(|place| place.node.name.as_ref().filter(own).unwrap_or(&place.node.id).clone())
            .collect()
    }

    fn transitions(&mut self) -> Vec<CounterTransition> {
        let mut flows: Vec<Flow> = Vec::new();
        flows.resize_with(self.net.transitions.len(), Flow::default);
        for arc in &self.net.arcs {
            self.add_arc(arc, &mut flows);
        }
        let mut transitions = Vec::with_capacity(flows.len());
        for (node, mut flow) in self.net.transitions.iter().zip(flows) {
            let Some((guard, delta)) = self.effect(&mut flow, node.span) else { continue };
            let moves = flow.reset.iter().map(|&from| Move { from, to: Vec::new() }).collect();
            transitions.push(CounterTransition {
                name: node.name.clone().unwrap_or_else(|| node.id.clone()),
                span: Some(node.span),
                from: NET,
                to: NET,
                guard,
                moves,
                delta,
            });
        }
        transitions
    }

    fn add_arc(&mut self, arc: &Arc, flows: &mut [Flow]) {
        let (Some(source), Some(target)) =
            (self.node(&arc.source, arc.span), self.node(&arc.target, arc.span))
        else {
            return;
        };
        match (source, target, arc.kind) {
            (NodeId::Place(place), NodeId::Transition(idx), kind) => {
                flows[idx].add_input(place, kind, arc.weight);
            }
            (NodeId::Transition(idx), NodeId::Place(place), ArcKind::Normal) => {
                *flows[idx].produced.entry(place).or_default() += u64::from(arc.weight);
            }
            (NodeId::Transition(_), NodeId::Place(_), _) => {
                let message = "an arc to a place moves tokens; it has no other type";
                self.sink.push(Diagnostic::error("PN010", message, arc.span));
            }
            _ => {
                let message = format!("`{}` and `{}` cannot be joined", arc.source, arc.target);
                let help = "an arc joins a place and a transition";
                self.sink.push(Diagnostic::error("PN008", message, arc.span).help(help));
            }
        }
    }

    /// Guard and effect of a transition; `None` when it can never fire.
    fn effect(&mut self, flow: &mut Flow, span: Span) -> Option<GuardAndDelta> {
        let mut delta: BTreeMap<CounterId, i64> = BTreeMap::new();
        for (&place, &weight) in &flow.consumed {
            let weight = self.weight(weight, span);
            flow.never |= !flow.guard.constrain(place, Bounds::at_least(weight));
            // A reset takes these tokens along with all others.
            if !flow.reset.contains(&place) {
                delta.insert(place, -i64::from(weight));
            }
        }
        for (&place, &weight) in &flow.produced {
            *delta.entry(place).or_default() += i64::from(self.weight(weight, span));
        }
        if flow.never {
            let message = "this transition can never fire";
            let help = "an inhibitor arc forbids the tokens that another arc demands";
            self.sink.push(Diagnostic::warning("PN016", message, span).help(help));
            return None;
        }
        let guard = std::mem::take(&mut flow.guard).into_sorted();
        Some((guard, delta.into_iter().filter(|&(_, n)| n != 0).collect()))
    }

    fn weight(&mut self, weight: u64, span: Span) -> u32 {
        match u32::try_from(weight).ok().filter(|&n| n <= MAX_NUMBER) {
            Some(weight) => weight,
            None => {
                let message = "the weights of parallel arcs add up to too large a number";
                self.sink.push(Diagnostic::error("PN009", message, span));
                0
            }
        }
    }

    fn initial(&mut self, init: Option<Source<'_>>) -> InitialZone {
        let given = init.map(|text| self.init_text(text)).unwrap_or_default();
        let mut bounds = Vec::new();
        for (idx, place) in self.net.places.iter().enumerate() {
            let id = CounterId(u32::try_from(idx).expect("a text is below 4 GiB"));
            let of_place = given.get(id).unwrap_or(Bounds::exactly(place.marking));
            if of_place != Bounds::exactly(0) {
                bounds.push((id, of_place));
            }
        }
        InitialZone { control: NET, bounds }
    }

    fn init_text(&mut self, text: Source<'_>) -> BoundsMap {
        let conjunctions = conditions::parse(text, self.sink);
        if let Some(second) = conjunctions.get(1).and_then(|conjunction| conjunction.first()) {
            let message = "the initial marking is one conjunction";
            self.sink.push(Diagnostic::error("PN012", message, second.span));
        }
        conjunctions.first().map(|first| self.conjunction(first)).unwrap_or_default()
    }

    fn targets(&mut self, text: Source<'_>, names: &[String]) -> Vec<Target> {
        let conjunctions = conditions::parse(text, self.sink);
        conjunctions.iter().map(|conjunction| self.target(conjunction, names)).collect()
    }

    fn target(&mut self, conjunction: &[Condition<'_>], names: &[String]) -> Target {
        let bounds = self.conjunction(conjunction).into_sorted();
        let name = describe_all(&bounds, |id| &names[id.idx()]);
        let span = match (conjunction.first(), conjunction.last()) {
            (Some(first), Some(last)) => Some(join(first.span, last.span)),
            _ => None,
        };
        Target { name, span, zone: Zone { control: NET, bounds } }
    }

    fn conjunction(&mut self, conjunction: &[Condition<'_>]) -> BoundsMap {
        let mut bounds = BoundsMap::default();
        for condition in conjunction {
            let Some(place) = self.place(condition) else { continue };
            if !bounds.constrain(place, condition.bounds) {
                let message = format!("no marking of `{}` satisfies this", condition.name);
                self.sink.push(Diagnostic::error("PN015", message, condition.span));
            }
        }
        bounds
    }

    fn place(&mut self, condition: &Condition<'_>) -> Option<CounterId> {
        let name = condition.name;
        if let Some(&NodeId::Place(id)) = self.nodes.get(name) {
            return Some(id);
        }
        match self.by_name.get(name) {
            Some(&Some(id)) => return Some(id),
            Some(None) => {
                let message = format!("several places are named `{name}`");
                let help = "use the id of the place";
                self.sink.push(Diagnostic::error("PN014", message, condition.span).help(help));
            }
            None => {
                let message = format!("there is no place `{name}`");
                let mut diagnostic = Diagnostic::error("PN013", message, condition.span);
                if self.sink.shows_errors() {
                    let ids = self.net.places.iter().map(|place| place.node.id.as_str());
                    let known = ids.chain(self.by_name.keys().copied());
                    diagnostic.helps.extend(did_you_mean(name, known));
                }
                self.sink.push(diagnostic);
            }
        }
        None
    }

    fn node(&mut self, id: &str, span: Span) -> Option<NodeId> {
        let node = self.nodes.get(id).copied();
        if node.is_none() {
            self.unknown_node(id, span);
        }
        node
    }

    fn unknown_node(&mut self, id: &str, span: Span) {
        let message = format!("`{id}` is not a place or transition of this net");
        let mut diagnostic = Diagnostic::error("PN007", message, span);
        if self.sink.shows_errors() {
            diagnostic.helps.extend(did_you_mean(id, self.nodes.keys().copied()));
        }
        self.sink.push(diagnostic);
    }
}

impl Flow {
    fn add_input(&mut self, place: CounterId, kind: ArcKind, weight: u32) {
        match kind {
            ArcKind::Normal => *self.consumed.entry(place).or_default() += u64::from(weight),
            ArcKind::Read => self.never |= !self.guard.constrain(place, Bounds::at_least(weight)),
            ArcKind::Inhibitor => {
                let bounds = Bounds { min: 0, max: Some(weight.saturating_sub(1)) };
                self.never |= !self.guard.constrain(place, bounds);
            }
            ArcKind::Reset => {
                self.reset.insert(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use model::{Bounds, CounterId, CounterSystem, Move, SourceFile};

    use crate::{Inputs, Language, Model, load};

    fn check(arcs: &str, target: &str) -> CounterSystem {
        let net = format!(
            "<pnml><net id='n'><place id='p'/><place id='q'><name><text>Q</text></name></place>\
             <transition id='t'/>{arcs}</net></pnml>"
        );
        let files = [("net.pnml", net.as_str()), ("--target", target), ("--init", "p>=2")]
            .map(|(name, text)| SourceFile { name: name.to_owned(), text: text.to_owned() });
        let inputs =
            Inputs { init: Some(2), target: Some(1), ..Inputs::of(&files, Language::Pnml) };
        let (model, diagnostics) = load(&inputs);
        let Some(Model::Counters(system)) = model else { panic!("{diagnostics:#?}") };
        system
    }

    const P: CounterId = CounterId(0);
    const Q: CounterId = CounterId(1);

    #[test]
    fn arcs_in_both_directions_demand_tokens_and_keep_them() {
        let system = check(
            "<arc source='p' target='t'/><arc source='p' target='t'/>\
             <arc source='t' target='p'><inscription><text>2</text></inscription></arc>\
             <arc source='t' target='q'/>",
            "Q>=1; p = 3",
        );
        let [step] = system.transitions.as_slice() else { panic!("one transition") };
        assert_eq!(step.guard, [(P, Bounds::at_least(2))]);
        assert_eq!(step.delta, [(Q, 1)]);
        assert_eq!(system.initial[0].bounds, [(P, Bounds::at_least(2))]);
        let names: Vec<&str> = system.targets.iter().map(|target| target.name.as_str()).collect();
        assert_eq!(names, ["Q >= 1", "p = 3"]);
    }

    #[test]
    fn inhibitor_read_and_reset_arcs_test_and_empty_places() {
        let system = check(
            "<arc source='p' target='t' type='inhibitor'/>\
             <arc source='q' target='t'/><arc source='q' target='t' type='reset'/>\
             <arc source='q' target='t'><type value='read'/><inscription><text>3</text>\
             </inscription></arc><arc source='t' target='q'/>",
            "q>=1",
        );
        let [step] = system.transitions.as_slice() else { panic!("one transition") };
        assert_eq!(step.guard, [(P, Bounds::exactly(0)), (Q, Bounds::at_least(3))]);
        assert_eq!(step.moves, [Move { from: Q, to: Vec::new() }]);
        assert_eq!(step.delta, [(Q, 1)]);
    }
}
