//! Gives a `.spec` file its meaning: one control state, a counter per variable.
//!
//! An effect list says for the tokens of every variable where they go: those of a
//! variable that is not assigned stay; those of an assigned one go where its name
//! stands on a right-hand side, or vanish if it stands nowhere. Each token goes to
//! one place, so a name may stand in one place only.

use std::collections::BTreeMap;

use model::{
    Bounds, ControlId, CounterId, CounterSystem, CounterTransition, Diagnostic, InitialZone, Move,
    Span, Target, Zone,
};
use rustc_hash::FxHashMap;

use crate::bounds::{BoundsMap, describe_all};
use crate::sink::Sink;
use crate::source::join;
use crate::spec::ast::{Constraint, Effect, Name, Rule, Spec};
use crate::suggest::did_you_mean;

const NET: ControlId = ControlId(0);

/// A name of a rule shows so many of its effects.
const MAX_EFFECTS_IN_NAME: usize = 6;

/// The counter system of a file; what could not be understood is left out and
/// reported.
pub(crate) fn lower(spec: &Spec<'_>, sink: &mut Sink) -> CounterSystem {
    let mut lowering = Lowering { sink, counters: FxHashMap::default(), names: Vec::new() };
    lowering.declare(&spec.vars);
    let transitions = lowering.rules(&spec.rules);
    let initial = lowering.initial(&spec.init);
    let targets = spec.targets.iter().map(|target| lowering.target(target)).collect();
    let hints = lowering.hints(&spec.invariants);
    CounterSystem {
        control_names: vec![String::new()],
        counter_names: lowering.names.iter().map(|name| name.text.to_owned()).collect(),
        transitions,
        initial: vec![initial],
        targets,
        hints,
    }
}

/// Says which sections are not there. `whole` is the span of the file.
pub(crate) fn report_missing_sections(
    spec: &Spec<'_>,
    whole: Span,
    needs_target: bool,
    sink: &mut Sink,
) {
    let end = Span { start: whole.end, ..whole };
    let sections = [
        ("vars", spec.saw_vars, "declare the variables, for example `vars idle busy`"),
        ("rules", spec.saw_rules, "say what can happen; the section may be empty"),
        ("init", spec.saw_init, "say where runs start, for example `init idle >= 1, busy = 0`"),
        (
            "target",
            !spec.targets.is_empty() || !needs_target,
            "say what must not be reachable: `target busy >= 2`",
        ),
    ];
    for (name, _, help) in sections.into_iter().filter(|(_, seen, _)| !seen) {
        let message = match name {
            "target" if spec.saw_target => "the `target` section is empty".to_owned(),
            _ => format!("there is no `{name}` section"),
        };
        sink.push(Diagnostic::error("SP004", message, end).help(help));
    }
}

struct Lowering<'a, 's> {
    sink: &'s mut Sink,
    counters: FxHashMap<&'a str, CounterId>,
    names: Vec<Name<'a>>,
}

/// The rule can never fire, or has been reported as wrong.
struct LeftOut;

/// What a rule does: moves, then constants.
type Flow = (Vec<Move>, Vec<(CounterId, i64)>);

impl<'a> Lowering<'a, '_> {
    fn declare(&mut self, vars: &[Name<'a>]) {
        for &name in vars {
            if let Some(first) = self.counters.get(name.text) {
                let message = format!("variable `{}` is declared twice", name.text);
                let first = self.names[first.idx()].span;
                self.sink.push(
                    Diagnostic::error("SP007", message, name.span).label(first, "first here"),
                );
                continue;
            }
            let id = CounterId(u32::try_from(self.names.len()).expect("a text is below 4 GiB"));
            self.counters.insert(name.text, id);
            self.names.push(name);
        }
    }

    fn counter(&mut self, name: Name<'a>) -> Option<CounterId> {
        if let Some(&id) = self.counters.get(name.text) {
            return Some(id);
        }
        let message = format!("variable `{}` is not declared", name.text);
        let mut diagnostic = Diagnostic::error("SP006", message, name.span);
        if self.sink.shows_errors() {
            let known = self.names.iter().map(|name| name.text);
            diagnostic.helps.extend(did_you_mean(name.text, known));
        }
        self.sink.push(diagnostic);
        None
    }

    fn rules(&mut self, rules: &[Rule<'a>]) -> Vec<CounterTransition> {
        let mut transitions = Vec::with_capacity(rules.len());
        for (idx, rule) in rules.iter().enumerate() {
            if let Ok(mut transition) = self.rule(rule) {
                transition.name = self.rule_name(idx + 1, &transition);
                transitions.push(transition);
            }
        }
        transitions
    }

    fn rule(&mut self, rule: &Rule<'a>) -> Result<CounterTransition, LeftOut> {
        let guard = self.guard(rule);
        let (moves, delta) = self.effects(&rule.effects, rule.span)?;
        Ok(CounterTransition {
            name: String::new(),
            span: Some(rule.span),
            from: NET,
            to: NET,
            guard: guard?.into_sorted(),
            moves,
            delta,
        })
    }

    fn guard(&mut self, rule: &Rule<'a>) -> Result<BoundsMap, LeftOut> {
        let mut guard = BoundsMap::default();
        for constraint in &rule.guard {
            let Some(counter) = self.counter(constraint.name) else { continue };
            if !guard.constrain(counter, constraint.bounds) {
                let remark = format!("no value of `{}` satisfies the guard", constraint.name.text);
                self.never_fires(rule.span, constraint.span, remark);
                return Err(LeftOut);
            }
        }
        Ok(guard)
    }

    fn effects(&mut self, effects: &[Effect<'a>], rule: Span) -> Result<Flow, LeftOut> {
        let n_errors_before = self.sink.n_errors();
        let mut assigned: BTreeMap<CounterId, &Effect<'a>> = BTreeMap::new();
        let mut uses: BTreeMap<CounterId, (CounterId, Span)> = BTreeMap::new();
        for effect in effects {
            let Some(target) = self.counter(effect.target) else { continue };
            if let Some(first) = assigned.insert(target, effect) {
                self.assigned_twice(effect.target, first.target);
            }
            for &source in &effect.sources {
                let Some(id) = self.counter(source) else { continue };
                if let Some((_, first)) = uses.insert(id, (target, source.span)) {
                    self.copied(source, first, "its tokens already go here");
                }
            }
        }
        // One mistake per rule is enough: a wrong name makes others look copied.
        let is_clean = self.sink.n_errors() == n_errors_before;
        for (id, &(_, span)) in &uses {
            if is_clean && !assigned.contains_key(id) {
                self.copied(Name { text: self.names[id.idx()].text, span }, rule, "");
            }
        }
        if self.sink.n_errors() > n_errors_before {
            return Err(LeftOut);
        }
        self.flow(&assigned, &uses, rule)
    }

    /// Turns checked effects into moves and constants.
    fn flow(
        &mut self,
        assigned: &BTreeMap<CounterId, &Effect<'a>>,
        uses: &BTreeMap<CounterId, (CounterId, Span)>,
        rule: Span,
    ) -> Result<Flow, LeftOut> {
        let mut moves = Vec::new();
        let mut delta = Vec::new();
        for (&counter, effect) in assigned {
            match uses.get(&counter) {
                Some(&(to, _)) if to == counter => {}
                Some(&(to, _)) => moves.push(Move { from: counter, to: vec![to] }),
                None => moves.push(Move { from: counter, to: Vec::new() }),
            }
            if effect.sources.is_empty() && effect.constant < 0 {
                let remark = format!("`{}` would be negative", effect.target.text);
                self.never_fires(rule, effect.target.span, remark);
                return Err(LeftOut);
            }
            if effect.constant != 0 {
                delta.push((counter, effect.constant));
            }
        }
        Ok((moves, delta))
    }

    fn rule_name(&self, number: usize, transition: &CounterTransition) -> String {
        let name = |id: CounterId| self.names[id.idx()].text;
        let mut effects: Vec<String> = Vec::new();
        for Move { from, to } in &transition.moves {
            match to.first() {
                Some(&to) => effects.push(format!("{}→{}", name(*from), name(to))),
                None => effects.push(format!("{}→∅", name(*from))),
            }
        }
        effects.extend(transition.delta.iter().map(|&(id, n)| format!("{}{n:+}", name(id))));
        if effects.len() > MAX_EFFECTS_IN_NAME {
            effects.truncate(MAX_EFFECTS_IN_NAME);
            effects.push("…".to_owned());
        }
        if effects.is_empty() {
            return format!("rule {number}");
        }
        format!("rule {number}: {}", effects.join(" "))
    }

    fn initial(&mut self, init: &[Constraint<'a>]) -> InitialZone {
        let n_errors_before = self.sink.n_errors();
        let bounds = self.conjunction(init);
        // A constraint in error has left no bounds, though it mentions its variable.
        let is_understood = self.sink.n_errors() == n_errors_before;
        let mut open = Vec::new();
        let mut zone = Vec::new();
        for (idx, name) in self.names.iter().enumerate() {
            let counter = CounterId(u32::try_from(idx).expect("a text is below 4 GiB"));
            let of_counter = bounds.get(counter).unwrap_or_else(|| {
                open.push(name.text);
                Bounds::at_least(0)
            });
            if of_counter != Bounds::exactly(0) {
                zone.push((counter, of_counter));
            }
        }
        if let (Some(first), Some(last)) = (init.first(), init.last())
            && is_understood
            && !open.is_empty()
        {
            self.left_open(&open, join(first.span, last.span));
        }
        InitialZone { control: NET, bounds: zone }
    }

    fn target(&mut self, target: &[Constraint<'a>]) -> Target {
        let bounds = self.conjunction(target).into_sorted();
        let name = describe_all(&bounds, |id| self.names[id.idx()].text);
        let span = match (target.first(), target.last()) {
            (Some(first), Some(last)) => Some(join(first.span, last.span)),
            _ => None,
        };
        Target { name, span, zone: Zone { control: NET, bounds } }
    }

    /// A conjunction in `init` or `target`, where nothing to satisfy is an error.
    fn conjunction(&mut self, constraints: &[Constraint<'a>]) -> BoundsMap {
        let mut bounds = BoundsMap::default();
        for constraint in constraints {
            let Some(counter) = self.counter(constraint.name) else { continue };
            if !bounds.constrain(counter, constraint.bounds) {
                let message = format!("no value of `{}` satisfies this", constraint.name.text);
                self.sink.push(Diagnostic::error("SP010", message, constraint.span));
                return BoundsMap::default();
            }
        }
        bounds
    }

    fn hints(&mut self, invariants: &[Vec<Constraint<'a>>]) -> Vec<Vec<(CounterId, i64)>> {
        let mut hints = Vec::new();
        for invariant in invariants {
            let mut weights = BTreeMap::new();
            for constraint in invariant {
                let Some(counter) = self.counter(constraint.name) else { continue };
                if constraint.bounds != Bounds::exactly(constraint.bounds.min) {
                    let message = "the weight of a variable in an invariant is written `x = n`";
                    self.sink.push(Diagnostic::error("SP012", message, constraint.span));
                }
                weights.insert(counter, i64::from(constraint.bounds.min));
            }
            hints.push(weights.into_iter().collect());
        }
        hints
    }

    fn never_fires(&mut self, rule: Span, place: Span, remark: String) {
        let warning = Diagnostic::warning("SP011", "this rule can never fire", rule);
        self.sink.push(warning.label(place, remark).help("it is left out"));
    }

    fn assigned_twice(&mut self, name: Name<'a>, first: Name<'a>) {
        let message = format!("the rule assigns `{}` twice", name.text);
        let diagnostic = Diagnostic::error("SP008", message, name.span);
        self.sink.push(diagnostic.label(first.span, "first here"));
    }

    fn copied(&mut self, name: Name<'a>, other: Span, remark: &str) {
        let message = format!("the tokens of `{}` would be copied", name.text);
        let mut diagnostic = Diagnostic::error("SP009", message, name.span);
        if remark.is_empty() {
            diagnostic = diagnostic.at("they go here and also stay where they are");
            let help = format!("to move them, empty the source as well: `{}' = 0`", name.text);
            diagnostic = diagnostic.help(help);
        } else {
            diagnostic = diagnostic.label(other, remark);
            diagnostic = diagnostic.help("a transfer sends each token to one place");
        }
        self.sink.push(diagnostic);
    }

    fn left_open(&mut self, open: &[&str], place: Span) {
        let shown: Vec<String> = open.iter().take(3).map(|name| format!("`{name}`")).collect();
        let more = if open.len() > 3 { ", …" } else { "" };
        let message = format!("`init` does not mention {}{more}", shown.join(", "));
        let warning = Diagnostic::warning("SP013", message, place);
        self.sink.push(warning.help("such variables may start with any number of tokens"));
    }
}

#[cfg(test)]
mod tests {
    use model::{Bounds, CounterId, CounterSystem, Move, SourceFile};

    use crate::{Inputs, Language, Model, load};

    fn check(text: &str) -> (CounterSystem, Vec<&'static str>) {
        let files = [SourceFile { name: "net.spec".to_owned(), text: text.to_owned() }];
        let inputs = Inputs::of(&files, Language::Spec);
        let (model, diagnostics) = load(&inputs);
        let Some(Model::Counters(system)) = model else { panic!("{diagnostics:#?}") };
        (system, diagnostics.iter().map(|diagnostic| diagnostic.code).collect())
    }

    const X: CounterId = CounterId(0);
    const Y: CounterId = CounterId(1);

    #[test]
    fn effects_become_moves_and_constants() {
        let (system, _) = check(
            "vars x y rules
             true -> x' = y, y' = x;
             x >= 1, x >= 2, y in [0,3] -> x' = x + y - 1, y' = 0;
             -> x' = 3;
             true -> x' = x - 2;
             init x = 1, y = 0 target x >= 2",
        );
        let [swap, transfer, set, take] = system.transitions.as_slice() else { panic!("4 rules") };
        assert_eq!(swap.moves, [Move { from: X, to: vec![Y] }, Move { from: Y, to: vec![X] }]);
        assert!(swap.guard.is_empty() && swap.delta.is_empty());
        let bounds = [(X, Bounds::at_least(2)), (Y, Bounds { min: 0, max: Some(3) })];
        assert_eq!(transfer.guard, bounds);
        assert_eq!(transfer.moves, [Move { from: Y, to: vec![X] }]);
        assert_eq!(transfer.delta, [(X, -1)]);
        assert_eq!((set.moves.len(), set.delta.as_slice()), (1, &[(X, 3)][..]));
        assert!(set.guard.is_empty() && set.moves[0].to.is_empty());
        assert_eq!((take.moves.len(), take.delta.as_slice()), (0, &[(X, -2)][..]));
        assert_eq!(take.name, "rule 4: x-2");
    }

    #[test]
    fn what_init_leaves_out_may_be_any_number_and_targets_stand_side_by_side() {
        let (system, codes) = check("vars x y z rules init x = 0, y >= 1 target x>=1,y>=1 z=2");
        let expected = [(Y, Bounds::at_least(1)), (CounterId(2), Bounds::at_least(0))];
        assert_eq!(system.initial[0].bounds, expected);
        assert_eq!(codes, ["SP013"]);
        let names: Vec<&str> = system.targets.iter().map(|target| target.name.as_str()).collect();
        assert_eq!(names, ["x >= 1, y >= 1", "z = 2"]);
    }

    #[test]
    fn a_variable_that_init_contradicts_is_not_called_unmentioned() {
        let text = "vars x rules init x = 1, x = 2 target x >= 1".to_owned();
        let files = [SourceFile { name: "net.spec".to_owned(), text }];
        let (model, diagnostics) = load(&Inputs::of(&files, Language::Spec));
        assert!(model.is_none());
        assert_eq!(diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["SP010"]);
    }

    #[test]
    fn a_rule_that_can_never_fire_is_left_out_with_a_warning() {
        let (system, codes) = check(
            "vars x rules x >= 2, x = 1 -> ; true -> x' = 0 - 1; true -> ;
             init x = 0 target x >= 1",
        );
        assert_eq!(system.transitions.len(), 1);
        assert_eq!(system.transitions[0].name, "rule 3");
        assert_eq!(codes, ["SP011", "SP011"]);
    }
}
