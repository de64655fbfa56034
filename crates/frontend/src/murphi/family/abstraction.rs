//! A Murphi model seen through views of a few elements: the steps of those in the view, and the
//! steps with actors beside it, each as a model of its own.

use std::rc::Rc;

use model::parameterized::{Cell, Cells, Memory, ParameterizedSystem, StepsBeside};
use model::symmetry::ScalarsetId;
use model::{Diagnostic, Limits, Successors, TransitionSystem};

use crate::murphi::MurphiModel;
use crate::murphi::layout::Layouts;
use crate::murphi::typed::{Program, Rule, TypeId, TypeKind};

use super::cells::cells;
use super::forget::{Governed, forgetting, governed};
use super::functions::Functions;
use super::memory::{NodeType, bits_at};
use super::reads::{is_guarded_by, reads, reads_of_actors};
use super::scope::{Elements, Refused, refuse};
use super::split::{MAX_OUTSIDE, PlacedRule, abstract_rule, assemble, claims, placements};

/// A model seen through views.
#[derive(Clone, Debug)]
pub struct MurphiAbstraction {
    parameter: String,
    nodes: Option<String>,
    n_visible: u32,
    own: MurphiModel,
    beside: Vec<Beside>,
    cells: Cells,
    smaller: Vec<MurphiModel>,
}

/// A rule with actors beside the view.
#[derive(Clone, Debug)]
struct Beside {
    name: String,
    n_actors: u32,
    model: MurphiModel,
    guarded_by_actors: bool,
    reads: Vec<u64>,
}

/// Slots for views of this size: those of actors beside it come behind.
pub(super) fn n_slots(n_visible: u32) -> u32 {
    n_visible + MAX_OUTSIDE
}

impl MurphiAbstraction {
    /// Abstracts `program`, in which the parameter has one element more than there are slots.
    pub(super) fn new(
        program: &Program,
        elements: Elements,
        n_visible: u32,
        smaller: Vec<MurphiModel>,
    ) -> Refused<MurphiAbstraction> {
        let governed = governed(program, &elements);
        let source = Source { program, elements, n_visible, governed, memory: None };
        source.abstraction(smaller)
    }

    /// Abstracts `program` to views of one element and the nodes that it reaches.
    pub(super) fn with_memory(
        program: &Program,
        elements: Elements,
        memory: NodeType,
    ) -> Refused<MurphiAbstraction> {
        let (n_visible, memory) = (1, Some(Rc::new(memory)));
        let governed = Vec::new();
        Source { program, elements, n_visible, governed, memory }.abstraction(Vec::new())
    }

    /// The steps of elements in the view, as a model.
    pub fn own_model(&self) -> &MurphiModel {
        &self.own
    }

    /// The steps with actors beside the view, as models.
    pub fn models_beside(&self) -> impl Iterator<Item = &MurphiModel> {
        self.beside.iter().map(|beside| &beside.model)
    }
}

/// Which of the scalarsets of a model a type is.
fn scalarset(program: &Program, ty: TypeId) -> ScalarsetId {
    let before = program.types.all[..ty.0 as usize].iter();
    ScalarsetId(before.filter(|ty| matches!(ty.kind, TypeKind::Scalarset { .. })).count() as u32)
}

/// What is abstracted, and how.
struct Source<'a> {
    program: &'a Program,
    elements: Elements,
    n_visible: u32,
    governed: Vec<Governed>,
    memory: Option<Rc<NodeType>>,
}

impl Source<'_> {
    fn abstraction(&self, smaller: Vec<MurphiModel>) -> Refused<MurphiAbstraction> {
        let Source { program, elements, n_visible, .. } = *self;
        let own = self.own_steps()?;
        let mut beside = Vec::new();
        for rule in &program.rules {
            for placed in placements(program, &elements, rule, false)? {
                if placed.n_outside > 0 {
                    beside.push(self.steps_beside(&placed)?);
                }
            }
        }
        let first = own.program().variables.first();
        let span = first.map_or(model::Span::new(0, 0, 0), |variable| variable.span);
        let nodes = self.memory.as_ref().map(|memory| scalarset(program, memory.ty));
        let mut cells = cells(own.symmetry(), scalarset(program, elements.ty), nodes, span)?;
        if let Some(memory) = &self.memory {
            cells.memory = Some(described(memory, &own, &cells, span)?);
        }
        let parameter = program.types.get(elements.ty).name.clone();
        let nodes = self.memory.as_ref().map(|memory| memory.name.clone());
        Ok(MurphiAbstraction { parameter, nodes, n_visible, own, beside, cells, smaller })
    }

    fn functions(&self) -> Functions {
        Functions::of(self.memory.clone())
    }

    fn own_steps(&self) -> Refused<MurphiModel> {
        let Source { program, n_visible, .. } = *self;
        let elements = Elements { n_used: n_visible, ..self.elements };
        let mut functions = self.functions();
        let mut made = |rules: &[Rule], is_start: bool| -> Refused<Vec<Rule>> {
            let mut all = Vec::new();
            for rule in rules {
                for placed in placements(program, &elements, rule, is_start)? {
                    if placed.n_outside == 0 {
                        let placed = (&placed, &self.governed[..]);
                        let mut rule =
                            abstract_rule(program, elements, n_visible, placed, &mut functions)?;
                        forgetting(program, &elements, n_visible, &self.governed, &mut rule);
                        all.push(rule);
                    }
                }
            }
            Ok(all)
        };
        let (starts, rules) = (made(&program.starts, true)?, made(&program.rules, false)?);
        let mut properties = claims(program, elements, &self.governed, &mut functions)?;
        if let (Some(memory), Some(rule)) = (&self.memory, program.rules.first()) {
            properties.push(memory.claim(&program.types, rule.span));
        }
        let mut own = assemble(program, elements, n_visible, (starts, rules), functions)?;
        own.properties = properties;
        modelled(own)
    }

    fn steps_beside(&self, placed: &PlacedRule) -> Refused<Beside> {
        let Source { program, elements, n_visible, .. } = *self;
        let n_used = n_visible + placed.n_outside;
        let mut functions = self.functions();
        let placed_rule = (placed, &self.governed[..]);
        let mut rule = abstract_rule(program, elements, n_visible, placed_rule, &mut functions)?;
        let name = rule.name.clone();
        let n_own = rule.body.len();
        // Only what belongs to the view is forgotten: the actors are, anyway.
        forgetting(program, &elements, n_visible, &self.governed, &mut rule);
        let forgets = rule.body.split_off(n_own);
        let mut model = assemble(program, elements, n_used, (Vec::new(), vec![rule]), functions)?;
        let layouts = Layouts::new(&model).map_err(|_| too_large(placed))?;
        let reads = match self.memory {
            Some(_) => reads_of_actors(&model, &layouts),
            None => reads(&model, &layouts),
        };
        model.rules[0].body.extend(forgets);
        let model = modelled(model)?;
        let guarded_by_actors = placed.visible_actors() == 0
            && is_guarded_by(program, &elements, &placed.rule, &placed.locals());
        Ok(Beside { name, n_actors: placed.n_outside, model, guarded_by_actors, reads })
    }
}

/// What the cells of a node are in a fresh one, as the start state has them, and which hold
/// doubts.
fn described(
    memory: &NodeType,
    own: &MurphiModel,
    cells: &Cells,
    span: model::Span,
) -> Refused<Memory> {
    let mut starts = Successors::new(own.state_words());
    let limits = Limits::none();
    if own.stepper(&limits).initial(&mut starts).is_err() || starts.is_empty() {
        return refuse("there is no start state without a fault", span);
    }
    let (n_nodes, start) = (memory_size(cells), starts.state(0));
    let layouts = Layouts::new(own.program()).map_err(|_| too_large_at(span))?;
    if !memory.is_fresh_in(own.program(), &layouts, (start, n_nodes - 1)) {
        let what = format!("the start gives to all of `{}` what is not a constant", memory.name);
        return refuse(what, span);
    }
    let doubts = layouts.variables[memory.doubt as usize]..;
    let mut fresh = Vec::with_capacity(cells.cells.len());
    for cell in &cells.cells {
        let is_last = |other: &&Cell| {
            other.family == cell.family
                && other.slots == cell.slots
                && other.node == Some(n_nodes - 1)
        };
        let like = cell.node.and_then(|_| cells.cells.iter().find(is_last));
        fresh.push(like.map_or(0, |like| bits_at(start, like.bit, like.bits)));
    }
    let numbered = (0..).zip(&cells.cells);
    let doubts = numbered.filter(|(_, cell)| cell.node.is_some() && doubts.contains(&cell.bit));
    let doubts = doubts.map(|(number, _)| number).collect();
    Ok(Memory { n_nodes, n_spare: memory.n_taken, fresh, doubts })
}

fn memory_size(cells: &Cells) -> u32 {
    cells.memory.as_ref().map_or(0, |memory| memory.n_nodes)
}

fn too_large_at(span: model::Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("MU090", "the states of a view are too large", span))
}

fn too_large(placed: &PlacedRule) -> Box<Diagnostic> {
    too_large_at(placed.rule.span)
}

fn modelled(program: Program) -> Refused<MurphiModel> {
    MurphiModel::new(program).map_err(Box::<Diagnostic>::new)
}

impl ParameterizedSystem for MurphiAbstraction {
    fn parameter(&self) -> &str {
        &self.parameter
    }

    fn nodes(&self) -> Option<&str> {
        self.nodes.as_deref()
    }

    fn n_visible(&self) -> u32 {
        self.n_visible
    }

    fn own(&self) -> &dyn TransitionSystem {
        &self.own
    }

    fn n_beside(&self) -> usize {
        self.beside.len()
    }

    fn beside(&self, idx: usize) -> StepsBeside<'_> {
        let Beside { name, n_actors, model, guarded_by_actors, reads } = &self.beside[idx];
        StepsBeside {
            name,
            system: model,
            n_actors: *n_actors,
            guarded_by_actors: *guarded_by_actors,
            reads,
        }
    }

    fn cells(&self) -> &Cells {
        &self.cells
    }

    fn n_smaller(&self) -> usize {
        self.smaller.len()
    }

    fn smaller(&self, idx: usize) -> &dyn TransitionSystem {
        &self.smaller[idx]
    }
}
