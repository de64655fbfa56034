//! A Boolean program that calls itself, with its calls on stacks.
//!
//! The front end's own semantics of recursion: [`PushdownProgram`] says what a step does to
//! the top of a stack, `threads.rs` the same of whole stacks. Nothing is inlined, merged or
//! summarised; locals whose value no longer matters are false.
//!
//! **Only** where inlining would cut recursion off: a recursive procedure touches something
//! shared. **Not for** programs with assignments to the locals of other threads.
//! **Read first** `machine.rs`.

mod layout;
mod live;
mod machine;
mod threads;

use model::{
    Bit, BitExpr, BooleanFlow, Multiplicity, PushdownProgram, PushdownSteps, Span, Store, Template,
    ThreadProgram,
};

use self::layout::Frame;
pub(crate) use self::layout::is_stack;
use self::machine::Machine;
use self::threads::StackThreads;
use super::code::{Action, Code};
use super::flow::Summaries;

/// A program that calls itself.
#[derive(Debug)]
pub(crate) struct Stacks {
    machine: Machine,
    templates: Vec<Template>,
    initial_shared: Vec<Store>,
    /// Per procedure, the number of its first location.
    first_locations: Vec<u32>,
    /// Per location, its name and where it stands.
    locations: Vec<(String, Span)>,
    threads: StackThreads,
}

impl Stacks {
    /// The program with stacks, where it needs them and can have them.
    pub fn of(
        code: &Code,
        summaries: &Summaries,
        initial_shared: Vec<Store>,
        line: &dyn Fn(Span) -> usize,
    ) -> Option<Stacks> {
        let is_cut = (summaries.recursive.iter().zip(&summaries.known))
            .any(|(is_recursive, summary)| *is_recursive && summary.is_none());
        if !is_cut || has_broadcasts(code) {
            return None;
        }
        let machine = Machine { live: live::live(code), code: code.clone() };
        let templates = templates(&machine)?;
        let (mut first_locations, mut locations) = (Vec::new(), Vec::new());
        for procedure in &code.procedures {
            first_locations.push(locations.len() as u32);
            for instruction in &procedure.instructions {
                let span = code.labels[instruction.label as usize].span;
                locations.push((format!("{}:{}", procedure.name, line(span)), span));
            }
        }
        let threads = StackThreads::new(&templates);
        Some(Stacks { machine, templates, initial_shared, first_locations, locations, threads })
    }
}

/// Does a step change the locals of other threads?
/// Does some step change locals of other threads? They may lie below the tops of their stacks.
pub(crate) fn has_broadcasts(code: &Code) -> bool {
    let mut actions = code.procedures.iter().flat_map(|procedure| &procedure.instructions);
    actions.any(|instruction| match &instruction.action {
        Action::Assign { passive, .. } => !passive.is_empty(),
        _ => false,
    })
}

/// Is a shared variable false before any step with this constraint?
fn is_free(variable: u32, constraint: &BitExpr) -> bool {
    match constraint {
        BitExpr::And(left, right) => is_free(variable, left) || is_free(variable, right),
        other => *other == BitExpr::Before(Bit::Shared(variable)).negated(),
    }
}

/// The threads at the start; `None`: their locals begin in too many ways.
fn templates(machine: &Machine) -> Option<Vec<Template>> {
    let of_entry = |entry: &super::code::Entry| {
        let mut initial: Vec<Store> =
            machine.starts(entry.procedure)?.iter().map(|top| top.pack()).collect();
        initial.sort();
        initial.dedup();
        Some(Template {
            name: machine.code.procedures[entry.procedure].name.clone(),
            initial,
            multiplicity: entry.n_threads.map_or(Multiplicity::Any, Multiplicity::Exactly),
        })
    };
    machine.code.entries.iter().map(of_entry).collect()
}

/// The shared stores in which a program starts that has these variables, if they are few.
pub(crate) fn initial_shared(flow: &BooleanFlow, code: &Code) -> Option<Vec<Store>> {
    let is_same = flow.shared.len() == code.shared.len();
    let values: Vec<Option<bool>> = code.shared.iter().map(|variable| variable.initial).collect();
    let n_free = values.iter().filter(|value| value.is_none()).count();
    (is_same && n_free <= super::program::MAX_FREE_BITS).then(|| {
        super::program::all_values(&values)
            .map(|values| flow.shared_store(&values, false))
            .collect()
    })
}

impl PushdownProgram for Stacks {
    fn initial_shared(&self) -> Vec<Store> {
        self.initial_shared.clone()
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], top: &[u8], out: &mut PushdownSteps) {
        if let Some(top) = self.machine.unpack(top) {
            self.machine.steps(shared, &top, out);
        }
    }

    fn returns(&self, shared: &[u8], top: &[u8], frame: Option<&[u8]>, out: &mut PushdownSteps) {
        let Some(top) = self.machine.unpack(top) else { return };
        let Some(frame) = frame else {
            self.machine.returns(shared, &top, None, out);
            return;
        };
        let n_locals = |procedure| self.machine.n_locals(procedure);
        if let Some(frame) = Frame::unpack(frame, n_locals) {
            self.machine.returns(shared, &top, Some(&frame), out);
        }
    }

    fn is_returning(&self, top: &[u8]) -> bool {
        layout::place(top).is_some_and(|(procedure, instruction)| {
            let procedure = self.machine.code.procedures.get(procedure);
            let instruction = procedure.and_then(|it| it.instructions.get(instruction));
            instruction.is_some_and(|it| matches!(it.action, Action::Return(_)))
        })
    }

    fn is_atomic(&self, top: &[u8]) -> bool {
        layout::depth(top) > 0
    }

    fn root(&self, top: &[u8]) -> u32 {
        layout::root(top).unwrap_or(u32::MAX)
    }

    fn location(&self, top: &[u8]) -> u32 {
        let number = layout::place(top).and_then(|(procedure, instruction)| {
            Some(self.first_locations.get(procedure)? + instruction as u32)
        });
        number.unwrap_or(u32::MAX)
    }

    fn n_variables(&self) -> u32 {
        self.machine.code.shared.len() as u32
    }

    fn variable(&self, shared: &[u8], idx: u32) -> bool {
        layout::bit(shared, idx as usize)
    }

    /// Locks with an owner, and variables that a step takes which waits until they are false.
    fn locks(&self) -> Vec<u32> {
        let code = &self.machine.code;
        let mut locks = code.owned.clone();
        for instruction in code.procedures.iter().flat_map(|procedure| &procedure.instructions) {
            if let Action::Assign { assigns, constraint, .. } = &instruction.action {
                locks.extend(assigns.iter().filter_map(|assign| match assign {
                    (Bit::Shared(idx), BitExpr::Const(true)) if is_free(*idx, constraint) => {
                        Some(*idx)
                    }
                    _ => None,
                }));
            }
        }
        locks.sort_unstable();
        locks.dedup();
        locks
    }

    fn variable_name(&self, idx: u32) -> String {
        let variable = self.machine.code.shared.get(idx as usize);
        variable.map_or_else(|| format!("?{idx}"), |variable| variable.name.clone())
    }

    fn root_name(&self, root: u32) -> String {
        let procedure = self.machine.code.procedures.get(root as usize);
        procedure.map_or_else(|| format!("?{root}"), |procedure| procedure.name.clone())
    }

    fn location_name(&self, location: u32) -> String {
        let known = self.locations.get(location as usize);
        known.map_or_else(|| format!("?{location}"), |(name, _)| name.clone())
    }

    fn threads(&self) -> &dyn ThreadProgram {
        // A view of this very program: see `threads.rs`.
        self
    }

    fn depth(&self, local: &[u8]) -> usize {
        layout::unpack_stack(local).map_or(0, |(frames, _)| frames.len())
    }
}
