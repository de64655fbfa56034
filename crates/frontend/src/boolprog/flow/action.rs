//! The edges of one instruction.

use model::{Bit, BitExpr, FlowEdge, FlowSpawn, LocationId, Rule, StepError};

use super::frames::held;
use super::{Builder, Key, moved, moved_bit, plain};
use crate::boolprog::code::{Action, Instruction, Procedure};

/// Atomic sections around each other that are told apart.
const MAX_ATOMIC_DEPTH: u32 = 8;

/// The location that is expanded.
pub(super) struct Here<'c> {
    id: LocationId,
    pub key: Key,
    base: u32,
    procedure: &'c Procedure,
    instruction: &'c Instruction,
}

impl Here<'_> {
    pub fn expr(&self, expr: &BitExpr) -> BitExpr {
        moved(expr, self.base)
    }

    fn assigns(&self, assigns: &[(Bit, BitExpr)]) -> Vec<(Bit, BitExpr)> {
        let moved = assigns.iter();
        moved.map(|(bit, value)| (moved_bit(*bit, self.base), self.expr(value))).collect()
    }

    pub fn edge(&self, to: Option<LocationId>) -> FlowEdge {
        let mut edge = plain(self.id, to, self.instruction.label);
        edge.n_choices = self.instruction.n_choices;
        edge.constraint = self.expr(&self.procedure.enforced);
        edge
    }

    fn error(&self, guard: BitExpr, rule: Rule, what: String) -> FlowEdge {
        let violation = Some(StepError::new(rule, what));
        let edge = self.edge(None);
        FlowEdge { guard, violation, constraint: BitExpr::TRUE, ..edge }
    }

    pub fn incomplete(&self, why: String) -> FlowEdge {
        FlowEdge { incomplete: Some(why), constraint: BitExpr::TRUE, ..self.edge(None) }
    }
}

impl<'a> Builder<'a> {
    /// Adds the edges that start at a location.
    pub(super) fn expand(&mut self, id: LocationId) {
        let key = self.keys[id.0 as usize];
        let code = self.code;
        if key.is_summary {
            self.give_back_at_once(id, key);
            return;
        }
        let procedure = &code.procedures[self.frames.procedure(key.frame)];
        let instruction = &procedure.instructions[key.instruction];
        let here = Here { id, key, base: self.frames.base(key.frame), procedure, instruction };
        if self.is_full() {
            self.edges.push(here.incomplete("the program has too many places".to_owned()));
            return;
        }
        let n_edges = self.edges.len();
        self.act(&here);
        self.count_leaves(n_edges);
    }

    fn act(&mut self, here: &Here<'a>) {
        match &here.instruction.action {
            Action::Skip => self.go_on(here, |edge| edge),
            Action::Assign { assigns, passive, constraint } => {
                self.go_on(here, |mut edge| {
                    edge.assigns = here.assigns(assigns);
                    let passive = passive.iter();
                    let passive = passive.map(|(idx, value)| (idx + here.base, here.expr(value)));
                    edge.passive = passive.collect();
                    edge.constraint = edge.constraint.and(here.expr(constraint));
                    edge
                });
            }
            Action::Declare { assigns, guard } => {
                let (assigns, guard) = (here.assigns(assigns), here.expr(guard));
                let constraint = BitExpr::TRUE;
                self.go_on(here, |edge| FlowEdge { assigns, guard, constraint, ..edge });
            }
            Action::Goto(targets) => {
                for &to in targets {
                    // The jump to an error is the error, whatever is enforced.
                    if let Action::Error(what) = &here.procedure.instructions[to].action {
                        self.edges.push(here.error(BitExpr::TRUE, Rule::Assertion, what.clone()));
                        continue;
                    }
                    let to = self.at(here, to);
                    self.edges.push(here.edge(Some(to)));
                }
            }
            Action::Test(condition, otherwise) => {
                let condition = here.expr(condition);
                let no = FlowEdge {
                    guard: condition.clone().negated(),
                    ..here.edge(Some(self.at(here, *otherwise)))
                };
                self.go_on(here, |edge| FlowEdge { guard: condition, ..edge });
                self.edges.push(no);
            }
            Action::Assume(condition) => {
                self.go_on(here, |edge| FlowEdge { guard: here.expr(condition), ..edge });
            }
            Action::Assert(condition) => self.assert(here, here.expr(condition)),
            Action::Call { procedure, args, targets } => {
                self.call(here, *procedure, args, targets);
            }
            Action::Return(values) => self.give_back(here, values),
            Action::EndThread => self.edges.push(here.edge(None)),
            Action::StartThread(at) => self.start_thread(here, *at),
            Action::CreateThread(procedure) => self.create_thread(here, *procedure),
            Action::AtomicBegin | Action::AtomicEnd => self.change_depth(here),
            Action::Acquire(lock) => self.acquire(here, *lock),
            Action::Release(lock) => self.release(here, *lock),
            Action::Error(what) => {
                self.edges.push(here.error(BitExpr::TRUE, Rule::Assertion, what.clone()))
            }
            Action::Opaque(why) => self.edges.push(here.incomplete(why.clone())),
        }
    }

    fn assert(&mut self, here: &Here<'_>, condition: BitExpr) {
        let text = &self.code.labels[here.instruction.label as usize].text;
        let fails = condition.clone().negated();
        self.edges.push(here.error(fails, Rule::Assertion, format!("`{text}` fails")));
        self.go_on(here, |edge| FlowEdge { guard: condition, ..edge });
    }

    /// The location of another instruction of the same frame.
    fn at(&mut self, here: &Here<'_>, instruction: usize) -> LocationId {
        self.location(Key { instruction, ..here.key })
    }

    fn go_on(&mut self, here: &Here<'_>, change: impl FnOnce(FlowEdge) -> FlowEdge) {
        let to = self.at(here, here.key.instruction + 1);
        self.edges.push(change(here.edge(Some(to))));
    }

    fn change_depth(&mut self, here: &Here<'_>) {
        let depth = here.key.atomic_depth;
        let begins = matches!(here.instruction.action, Action::AtomicBegin);
        if begins && depth == MAX_ATOMIC_DEPTH {
            let why = format!("atomic sections are nested deeper than {MAX_ATOMIC_DEPTH} levels");
            self.edges.push(here.incomplete(why));
            return;
        }
        let atomic_depth = if begins { depth + 1 } else { depth.saturating_sub(1) };
        let instruction = here.key.instruction + 1;
        let to = self.location(Key { instruction, atomic_depth, ..here.key });
        self.edges.push(here.edge(Some(to)));
    }

    /// A new thread is in no atomic section, even if its creator is.
    fn start_thread(&mut self, here: &Here<'_>, instruction: usize) {
        let to = self.location(Key { instruction, atomic_depth: 0, ..here.key });
        // Locks stay with the creator.
        let held = (0..self.code.owned.len() as u32).map(|lock| (lock, BitExpr::FALSE)).collect();
        let spawn = Some(FlowSpawn { to, assigns: held });
        self.go_on(here, |edge| FlowEdge { spawn, ..edge });
    }

    fn create_thread(&mut self, here: &Here<'_>, procedure: usize) {
        let to = self.entry(procedure);
        let FrameValues { assigns, n_choices } = self.frame_values(here, procedure);
        let spawn = Some(FlowSpawn { to, assigns });
        self.go_on(here, |edge| FlowEdge { spawn, n_choices, ..edge });
    }

    /// The locals of a thread that starts with `procedure`, all of them.
    fn frame_values(&self, here: &Here<'_>, procedure: usize) -> FrameValues {
        let mut n_choices = here.instruction.n_choices;
        let held = self.code.owned.iter().map(|_| Some(false));
        // Frames that are made later need no value: calls assign all their locals.
        let initial = held.chain(self.code.procedures[procedure].initial.iter().copied());
        let values = initial.map(|initial| begun_with(initial, &mut n_choices));
        let assigns = (0..).zip(values).collect();
        FrameValues { assigns, n_choices }
    }

    fn acquire(&mut self, here: &Here<'_>, lock: usize) {
        let bit = Bit::Shared(self.code.owned[lock]);
        let assigns = vec![(bit, BitExpr::TRUE), (held(lock), BitExpr::TRUE)];
        let guard = BitExpr::Before(bit).negated();
        self.go_on(here, |edge| FlowEdge { guard, assigns, ..edge });
    }

    fn release(&mut self, here: &Here<'_>, lock: usize) {
        let shared = self.code.owned[lock];
        let mine = BitExpr::Before(held(lock));
        let name = &self.code.shared[shared as usize].name;
        let what = format!("`{name}` is released by a thread that does not hold it");
        self.edges.push(here.error(mine.clone().negated(), Rule::MutexMisuse, what));
        let assigns = vec![(Bit::Shared(shared), BitExpr::FALSE), (held(lock), BitExpr::FALSE)];
        self.go_on(here, |edge| FlowEdge { guard: mine, assigns, ..edge });
    }
}

/// The value that a local begins with: any is a choice of the edge.
pub(super) fn begun_with(initial: Option<bool>, n_choices: &mut u32) -> BitExpr {
    if let Some(value) = initial {
        return BitExpr::Const(value);
    }
    *n_choices += 1;
    BitExpr::Choice(*n_choices - 1)
}

/// The locals that a new thread gets.
struct FrameValues {
    assigns: Vec<(u32, BitExpr)>,
    n_choices: u32,
}
