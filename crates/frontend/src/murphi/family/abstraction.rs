//! A Murphi model seen through views of a few elements: the steps of those in the view, and the
//! steps with actors beside it, each as a model of its own.

use model::parameterized::{Cells, ParameterizedSystem, StepsBeside};
use model::symmetry::ScalarsetId;
use model::{Diagnostic, TransitionSystem};

use crate::murphi::MurphiModel;
use crate::murphi::typed::{Program, Rule, TypeId, TypeKind};

use super::cells::cells;
use super::functions::Functions;
use super::reads::reads;
use super::scope::{Elements, Refused};
use super::split::{MAX_OUTSIDE, PlacedRule, abstract_rule, assemble, claims, placements};

/// A model seen through views.
#[derive(Clone, Debug)]
pub struct MurphiAbstraction {
    parameter: String,
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
        let own = own_steps(program, elements, n_visible)?;
        let mut beside = Vec::new();
        for rule in &program.rules {
            for placed in placements(program, &elements, rule, false)? {
                if placed.n_outside > 0 {
                    beside.push(steps_beside(program, elements, n_visible, &placed)?);
                }
            }
        }
        let first = own.program().variables.first();
        let span = first.map_or(model::Span::new(0, 0, 0), |variable| variable.span);
        let cells = cells(own.symmetry(), scalarset(program, elements.ty), span)?;
        let parameter = program.types.get(elements.ty).name.clone();
        Ok(MurphiAbstraction { parameter, n_visible, own, beside, cells, smaller })
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

fn own_steps(program: &Program, elements: Elements, n_visible: u32) -> Refused<MurphiModel> {
    let elements = Elements { n_used: n_visible, ..elements };
    let mut functions = Functions::default();
    let mut made = |rules: &[Rule], is_start: bool| -> Refused<Vec<Rule>> {
        let mut all = Vec::new();
        for rule in rules {
            for placed in placements(program, &elements, rule, is_start)? {
                if placed.n_outside == 0 {
                    all.push(abstract_rule(program, elements, n_visible, &placed, &mut functions)?);
                }
            }
        }
        Ok(all)
    };
    let (starts, rules) = (made(&program.starts, true)?, made(&program.rules, false)?);
    let properties = claims(program, elements, &mut functions)?;
    let mut own = assemble(program, elements, n_visible, (starts, rules), functions)?;
    own.properties = properties;
    modelled(own)
}

fn steps_beside(
    program: &Program,
    elements: Elements,
    n_visible: u32,
    placed: &PlacedRule,
) -> Refused<Beside> {
    let n_used = n_visible + placed.n_outside;
    let mut functions = Functions::default();
    let rule = abstract_rule(program, elements, n_visible, placed, &mut functions)?;
    let name = rule.name.clone();
    let model = assemble(program, elements, n_used, (Vec::new(), vec![rule]), functions)?;
    let model = modelled(model)?;
    let reads = reads(model.program(), model.layouts());
    Ok(Beside { name, n_actors: placed.n_outside, model, reads })
}

fn modelled(program: Program) -> Refused<MurphiModel> {
    MurphiModel::new(program).map_err(Box::<Diagnostic>::new)
}

impl ParameterizedSystem for MurphiAbstraction {
    fn parameter(&self) -> &str {
        &self.parameter
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
        let Beside { name, n_actors, model, reads } = &self.beside[idx];
        StepsBeside { name, system: model, n_actors: *n_actors, reads }
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
