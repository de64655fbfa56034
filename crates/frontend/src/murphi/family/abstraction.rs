//! A Murphi model seen through views of a few elements: the steps of those in the view, and the
//! steps with actors beside it, each as a model of its own.

use model::parameterized::{Cells, ParameterizedSystem, StepsBeside};
use model::symmetry::ScalarsetId;
use model::{Diagnostic, TransitionSystem};

use crate::murphi::MurphiModel;
use crate::murphi::layout::Layouts;
use crate::murphi::typed::{Program, Rule, TypeId, TypeKind};

use super::cells::cells;
use super::forget::{Governed, forgetting, governed};
use super::functions::Functions;
use super::reads::{is_guarded_by, reads};
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
        let governed = governed(program);
        let own = own_steps(program, elements, n_visible, &governed)?;
        let mut beside = Vec::new();
        for rule in &program.rules {
            for placed in placements(program, &elements, rule, false)? {
                if placed.n_outside > 0 {
                    beside.push(steps_beside(program, elements, n_visible, (&placed, &governed))?);
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

fn own_steps(
    program: &Program,
    elements: Elements,
    n_visible: u32,
    governed: &[Governed],
) -> Refused<MurphiModel> {
    let elements = Elements { n_used: n_visible, ..elements };
    let mut functions = Functions::default();
    let mut made = |rules: &[Rule], is_start: bool| -> Refused<Vec<Rule>> {
        let mut all = Vec::new();
        for rule in rules {
            for placed in placements(program, &elements, rule, is_start)? {
                if placed.n_outside == 0 {
                    let placed = (&placed, governed);
                    let mut rule =
                        abstract_rule(program, elements, n_visible, placed, &mut functions)?;
                    forgetting(program, &elements, n_visible, governed, &mut rule);
                    all.push(rule);
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
    (placed, governed): (&PlacedRule, &[Governed]),
) -> Refused<Beside> {
    let n_used = n_visible + placed.n_outside;
    let mut functions = Functions::default();
    let placed_rule = (placed, governed);
    let mut rule = abstract_rule(program, elements, n_visible, placed_rule, &mut functions)?;
    let name = rule.name.clone();
    let n_own = rule.body.len();
    // Only what belongs to the view is forgotten: the actors are, anyway.
    forgetting(program, &elements, n_visible, governed, &mut rule);
    let forgets = rule.body.split_off(n_own);
    let mut model = assemble(program, elements, n_used, (Vec::new(), vec![rule]), functions)?;
    let layouts = Layouts::new(&model).map_err(|_| too_large(placed))?;
    let reads = reads(&model, &layouts);
    model.rules[0].body.extend(forgets);
    let model = modelled(model)?;
    let guarded_by_actors = placed.visible_actors() == 0
        && is_guarded_by(program, &elements, &placed.rule, &placed.locals());
    Ok(Beside { name, n_actors: placed.n_outside, model, guarded_by_actors, reads })
}

fn too_large(placed: &PlacedRule) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("MU090", "the states of a view are too large", placed.rule.span))
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
