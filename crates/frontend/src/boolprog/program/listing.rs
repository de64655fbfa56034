//! The graph that a program became, as text: what is run after calls were inlined and the
//! reductions made.

use std::fmt::Write as _;

use model::{Bit, BitExpr, BitVariable, FlowEdge, LocationId, Multiplicity};

use super::BooleanProgram;

impl BooleanProgram {
    /// One line for each way on from each location: its condition, what it assigns, where it
    /// leads, and the statement that it comes from.
    pub fn listing(&self) -> String {
        let flow = self.graph();
        let mut out = String::new();
        for variable in &flow.shared {
            let _ = writeln!(out, "shared {}", declared(variable));
        }
        for thread in &flow.threads {
            let number = match thread.multiplicity {
                Multiplicity::Any => "any number of threads".to_owned(),
                Multiplicity::Exactly(1) => "one thread".to_owned(),
                Multiplicity::Exactly(n) => format!("{n} threads"),
            };
            let entry = self.place(thread.entry);
            let _ = writeln!(out, "{number} at {entry}{}", self.begins_with(thread));
        }
        for idx in 0..flow.locations.len() as u32 {
            let location = &flow.locations[idx as usize];
            let atomic = if location.is_atomic { ", atomic" } else { "" };
            let _ = writeln!(out, "\n{}{atomic}", self.place(LocationId(idx)));
            for (_, edge) in flow.edges_from(LocationId(idx)) {
                let _ = writeln!(out, "{}", self.edge(edge));
            }
        }
        out
    }

    fn begins_with(&self, thread: &model::FlowThread) -> String {
        let known = thread.locals.iter().enumerate().filter_map(|(idx, value)| {
            let is_live = self.parts.live[thread.entry.0 as usize][idx];
            let value = u8::from((*value)?);
            let name = self.name(Bit::Local(idx as u32), thread.entry);
            is_live.then(|| format!("{name} = {value}"))
        });
        let known: Vec<String> = known.collect();
        if known.is_empty() { String::new() } else { format!(" with {}", known.join(", ")) }
    }

    /// A location: its number, since several may come from one line, and that line.
    fn place(&self, id: LocationId) -> String {
        format!("{} ({})", id.0, self.graph().locations[id.0 as usize].name)
    }

    fn edge(&self, edge: &FlowEdge) -> String {
        let mut parts = Vec::new();
        if edge.guard != BitExpr::TRUE {
            parts.push(format!("[{}]", self.expr(&edge.guard, edge)));
        }
        let ends_in = edge.to.unwrap_or(edge.from);
        let assigned = edge.assigns.iter().map(|(bit, value)| {
            format!("{} := {}", self.name(*bit, ends_in), self.expr(value, edge))
        });
        let passive = edge.passive.iter().map(|(idx, value)| {
            format!("{}$ := {}", self.name(Bit::Local(*idx), edge.from), self.expr(value, edge))
        });
        parts.extend(assigned.chain(passive));
        if edge.constraint != BitExpr::TRUE {
            parts.push(format!("constrain {}", self.expr(&edge.constraint, edge)));
        }
        if let Some(spawn) = &edge.spawn {
            parts.push(format!("a new thread at {}", spawn.to.0));
        }
        parts.push(match (&edge.violation, &edge.incomplete, edge.to) {
            (Some(what), ..) => format!("error: {}", what.message),
            (_, Some(why), _) => format!("not known: {why}"),
            (_, _, Some(to)) => format!("-> {}", to.0),
            (_, _, None) => "the thread ends".to_owned(),
        });
        let label = self.parts.labels.get(edge.label.0 as usize).map_or("", |it| it.text.as_str());
        format!("  {}    // {label}", parts.join(" "))
    }

    /// What a variable is called at a location.
    fn name(&self, bit: Bit, at: LocationId) -> String {
        let built = &self.parts.built;
        match bit {
            Bit::Shared(idx) => built.flow.shared[idx as usize].name.clone(),
            Bit::Local(idx) => {
                let slot = built.slots[idx as usize];
                let named = built.frames.name(built.names[at.0 as usize], slot);
                named.unwrap_or_else(|| built.flow.locals[idx as usize].name.clone())
            }
        }
    }

    fn expr(&self, expr: &BitExpr, edge: &FlowEdge) -> String {
        let both = |left: &BitExpr, sign: &str, right: &BitExpr| {
            format!("({} {sign} {})", self.expr(left, edge), self.expr(right, edge))
        };
        match expr {
            BitExpr::Const(value) => u8::from(*value).to_string(),
            BitExpr::Before(bit) => self.name(*bit, edge.from),
            BitExpr::After(bit) => format!("'{}", self.name(*bit, edge.to.unwrap_or(edge.from))),
            BitExpr::Passive(idx) => format!("{}$", self.name(Bit::Local(*idx), edge.from)),
            BitExpr::Choice(idx) => format!("*{idx}"),
            BitExpr::Not(inner) => format!("!{}", self.expr(inner, edge)),
            BitExpr::And(left, right) => both(left, "&", right),
            BitExpr::Or(left, right) => both(left, "|", right),
            BitExpr::Xor(left, right) => both(left, "^", right),
        }
    }
}

fn declared(variable: &BitVariable) -> String {
    let value =
        variable.initial.map_or_else(|| "*".to_owned(), |value| u8::from(value).to_string());
    format!("{} := {value}", variable.name)
}

#[cfg(test)]
mod tests {
    use model::SourceFile;

    use crate::{Inputs, Language, Model, Reductions, load};

    fn listing(text: &str, reductions: Reductions) -> String {
        let files = [SourceFile { name: "a.bp".to_owned(), text: text.to_owned() }];
        let inputs = Inputs { reductions, ..Inputs::of(&files, Language::BooleanProgram) };
        let (model, diagnostics) = load(&inputs);
        let Some(Model::Boolean(program)) = model else { panic!("{diagnostics:#?}") };
        program.listing()
    }

    const TEXT: &str = "decl g := 0;\nvoid main() begin\n  decl l := 1;\n  l := l & *;\n  \
                        g, l$ := l, 0;\n  assert(!g);\nend\n";

    #[test]
    fn every_way_on_is_a_line() {
        let expected = "\
shared g := 0
any number of threads at 0 (main:4) with l = 1

0 (main:4)
  l := (l & *0) -> 1    // l := l & *

1 (main:5)
  g := l l$ := 0 -> 2    // g, l$ := l, 0

2 (main:6)
  [g] error: `assert(!g)` fails    // assert(!g)
  [!g] -> 3    // assert(!g)

3 (main:7)
  the thread ends    // end
";
        assert_eq!(listing(TEXT, Reductions::NONE), expected);
    }

    #[test]
    fn reductions_are_seen() {
        let all = listing(TEXT, Reductions::ALL);
        assert!(all.len() < listing(TEXT, Reductions::NONE).len(), "{all}");
    }
}
