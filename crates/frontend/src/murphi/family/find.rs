//! Which type of a model is its parameter, and whether a question about any number of its
//! elements makes sense.

use model::{Diagnostic, PropertyKind, Span, Variant};

use crate::murphi::MurphiModel;
use crate::murphi::layout::Layouts;
use crate::murphi::resolve::{ReadOptions, Reader, SizedType, read};
use crate::murphi::symmetry;
use crate::murphi::typed::{Binder, Domain, Program, TypeId, TypeKind};

use super::abstraction::{MurphiAbstraction, n_slots};
use super::needs::n_needed;
use super::scope::{Elements, Refused};

/// Views of more elements are not tried.
const MAX_VISIBLE: u32 = 3;

/// Sizes that are tried for a constant to find one that gives the parameter a certain size.
const MAX_SIZE_TRIED: i64 = 64;

/// What is asked for any number, and of which type.
#[derive(Clone, Copy, Debug)]
pub struct FamilyRequest<'a> {
    /// The text of the model.
    pub text: &'a str,
    /// Its number among the files.
    pub file: u32,
    /// How it is read.
    pub options: &'a ReadOptions,
    /// The parameter; the tool's choice where it is not said.
    pub parameter: Option<&'a str>,
}

/// A model for any number of elements.
#[derive(Clone, Debug)]
pub struct MurphiFamily {
    /// The parameter.
    pub parameter: String,
    /// The constant that says how many elements there are, where one does.
    pub constant: Option<String>,
    /// Views of growing size, the smallest that can show what is asked first.
    pub abstractions: Vec<MurphiAbstraction>,
    /// The model with 1, 2, … elements.
    pub instances: Vec<MurphiModel>,
}

/// A type that may be the parameter.
struct Candidate {
    sized: SizedType,
    /// Rules that bind its elements.
    n_rules: usize,
}

/// Finds the parameter and abstracts the model.
///
/// # Errors
/// What stands in the way, with its place.
pub fn find(
    request: &FamilyRequest<'_>,
    n_instances: u32,
) -> Result<MurphiFamily, Vec<Diagnostic>> {
    let reader = read_as(request, None)?;
    only_claims(&reader.program).map_err(|diagnostic| vec![*diagnostic])?;
    let chosen = choose(request, &reader)?;
    let constants = reader.size_constants(&chosen.name);
    independent_of_size(request, &chosen, &constants)?;
    let largest = n_slots(MAX_VISIBLE) + 1;
    let program = resized(request, &[(&chosen, largest)])?.program;
    interchangeable(&program, &chosen).map_err(|diagnostic| vec![*diagnostic])?;
    let n_visible = {
        let elements = elements_of(&program, &chosen, largest - 1);
        n_needed(&program, &elements)
    };
    if n_visible > MAX_VISIBLE {
        let message =
            format!("the properties speak of {n_visible} elements of `{}` at once", chosen.name);
        let help = format!("views of up to {MAX_VISIBLE} elements are supported");
        return Err(vec![Diagnostic::error("MU023", message, chosen.span).help(help)]);
    }
    let families = Families { request, chosen: &chosen, constants: &constants };
    match families.of_values(n_visible, n_instances) {
        Ok(family) => Ok(family),
        Err(refusals) => match families.with_memory(n_visible, n_instances) {
            None => Err(refusals),
            Some(family) => family,
        },
    }
}

/// What a family is made of.
pub(super) struct Families<'a> {
    pub request: &'a FamilyRequest<'a>,
    pub chosen: &'a SizedType,
    pub constants: &'a [String],
}

impl Families<'_> {
    /// The family of a model without memory.
    fn of_values(&self, n_visible: u32, n_instances: u32) -> Result<MurphiFamily, Vec<Diagnostic>> {
        let Families { request, chosen, constants } = *self;
        let instances = (1..=n_instances.max(MAX_VISIBLE))
            .map(|n| instance(request, chosen, constants, n, None));
        let instances = instances.collect::<Result<Vec<MurphiModel>, Vec<Diagnostic>>>()?;
        let mut abstractions = Vec::new();
        for n_visible in n_visible..=MAX_VISIBLE.min(n_visible + 1) {
            let program = resized(request, &[(chosen, n_slots(n_visible) + 1)])?.program;
            let elements = elements_of(&program, chosen, n_slots(n_visible));
            let smaller = instances[..n_visible as usize - 1].to_vec();
            let made = MurphiAbstraction::new(&program, elements, n_visible, smaller);
            abstractions.push(made.map_err(|diagnostic| vec![*diagnostic])?);
        }
        Ok(self.family(abstractions, instances))
    }

    pub(super) fn family(
        &self,
        abstractions: Vec<MurphiAbstraction>,
        instances: Vec<MurphiModel>,
    ) -> MurphiFamily {
        let (parameter, constant) = (self.chosen.name.clone(), self.constants.first().cloned());
        MurphiFamily { parameter, constant, abstractions, instances }
    }
}

pub(super) fn read_as(
    request: &FamilyRequest<'_>,
    change: Option<&dyn Fn(&mut ReadOptions)>,
) -> Result<Reader, Vec<Diagnostic>> {
    let mut options = request.options.clone();
    if let Some(change) = change {
        change(&mut options);
    }
    let (reader, diagnostics) = read(request.text, request.file, &options);
    reader.ok_or_else(|| diagnostics.into_iter().filter(Diagnostic::is_error).collect())
}

/// The model with types of these sizes, as scalarsets.
pub(super) fn resized(
    request: &FamilyRequest<'_>,
    sizes: &[(&SizedType, u32)],
) -> Result<Reader, Vec<Diagnostic>> {
    read_as(request, Some(&|options| options.resized = named(sizes)))
}

fn named(sizes: &[(&SizedType, u32)]) -> Vec<(String, u32)> {
    sizes.iter().map(|(sized, size)| (sized.name.clone(), *size)).collect()
}

/// Only invariants, assertions and faults are asked of any number.
pub(super) fn only_claims(program: &Program) -> Refused<()> {
    let other = program.properties.iter().find(|one| one.kind != PropertyKind::Invariant);
    let span = match (other, program.covers.first()) {
        (Some(property), _) => property.span,
        (None, Some(cover)) => cover.span,
        (None, None) => return Ok(()),
    };
    let message = "what can be reached is not asked for any number";
    let help =
        "invariants and assertions are; leave out `--threads any` to search the model as it is";
    Err(Box::new(Diagnostic::error("MU023", message, span).help(help)))
}

pub(super) fn choose(
    request: &FamilyRequest<'_>,
    reader: &Reader,
) -> Result<SizedType, Vec<Diagnostic>> {
    let sized = reader.sized_types();
    let start = Span::new(request.file, 0, 0);
    if let Some(wanted) = request.parameter {
        let Some(found) = sized.iter().find(|sized| sized.name == wanted) else {
            let names: Vec<String> = sized.iter().map(|one| format!("`{}`", one.name)).collect();
            let message = format!("no scalarset or subrange is declared as `{wanted}`");
            let help = format!("there are {}", names.join(", "));
            return Err(vec![Diagnostic::error("MU023", message, start).help(help)]);
        };
        if let Err(mut diagnostics) = resized(request, &[(found, n_slots(1) + 1)]) {
            explain(&mut diagnostics, found);
            return Err(diagnostics);
        }
        return Ok(found.clone());
    }
    let mut refusals = Vec::new();
    let mut best: Option<Candidate> = None;
    for sized in sized {
        match resized(request, &[(sized, n_slots(1) + 1)]) {
            Ok(reader) => {
                let candidate = candidate(&reader.program, sized);
                let is_better = best.as_ref().is_none_or(|best| candidate.n_rules > best.n_rules);
                if candidate.n_rules > 0 && is_better {
                    best = Some(candidate);
                }
            }
            Err(mut diagnostics) => {
                explain(&mut diagnostics, sized);
                refusals.extend(diagnostics.into_iter().take(1));
            }
        }
    }
    match best {
        Some(best) => Ok(best.sized),
        None if !refusals.is_empty() => Err(refusals),
        None => {
            let message = "no rule is for all elements of a scalarset or subrange";
            let help =
                "a model for any number has `ruleset i : PROC do rule …`, with PROC a scalarset";
            Err(vec![Diagnostic::error("MU023", message, start).help(help)])
        }
    }
}

/// Says why a mistake that is none in the model as written matters.
fn explain(diagnostics: &mut [Diagnostic], sized: &SizedType) {
    for diagnostic in diagnostics {
        diagnostic.helps.push(format!(
            "for any number of them, the elements of `{}` must be interchangeable, as those of a \
             scalarset are",
            sized.name
        ));
    }
}

fn candidate(program: &Program, sized: &SizedType) -> Candidate {
    let Some(ty) = type_named(program, &sized.name) else {
        return Candidate { sized: sized.clone(), n_rules: 0 };
    };
    let has = |binder: &Binder| matches!(binder, Binder::Each { domain: Domain::Type(bound), .. } if *bound == ty);
    let n_rules = program.rules.iter().filter(|rule| rule.binders.iter().any(has)).count();
    let is_index = program.types.all.iter().any(|one| {
        matches!(&one.kind, TypeKind::Array { index, .. }
            if *index == ty || is_member(program, *index, ty))
    });
    Candidate { sized: sized.clone(), n_rules: if is_index { n_rules } else { 0 } }
}

fn is_member(program: &Program, union: TypeId, ty: TypeId) -> bool {
    matches!(program.types.kind(union), TypeKind::Union { members } if members.contains(&ty))
}

/// A scalarset by the name of its declaration.
fn type_named(program: &Program, name: &str) -> Option<TypeId> {
    let is_it = |ty: &&crate::murphi::typed::Type| {
        ty.name == name && matches!(ty.kind, TypeKind::Scalarset { .. })
    };
    let ids = (0..).map(TypeId);
    ids.zip(&program.types.all).find(|(_, ty)| is_it(ty)).map(|(id, _)| id)
}

pub(super) fn elements_of(program: &Program, chosen: &SizedType, n_slots: u32) -> Elements {
    let ty = type_named(program, &chosen.name).expect("the parameter was read as a scalarset");
    let first = program.types.first_value(ty);
    Elements { ty, first, n_used: n_slots, n_slots, is_range: chosen.is_range }
}

fn size_of(reader: &Reader, chosen: &SizedType) -> Option<u64> {
    let sized = reader.sized_types().iter().find(|sized| sized.name == chosen.name)?;
    Some(reader.program.types.n_values(sized.ty))
}

fn with_constant(
    request: &FamilyRequest<'_>,
    name: &str,
    value: i64,
    sizes: &[(&SizedType, u32)],
) -> Result<Reader, Vec<Diagnostic>> {
    let change = move |options: &mut ReadOptions| {
        options.constants.retain(|(other, _)| other != name);
        options.constants.push((name.to_owned(), value));
        options.resized = named(sizes);
    };
    read_as(request, Some(&change))
}

/// Nothing but the parameter may depend on how many elements there are.
pub(super) fn independent_of_size(
    request: &FamilyRequest<'_>,
    chosen: &SizedType,
    constants: &[String],
) -> Result<(), Vec<Diagnostic>> {
    if !resized(request, &[(chosen, n_slots(1) + 1)])?.depends_on(constants) {
        return Ok(());
    }
    let message = format!(
        "`{}` determines more than the size of `{}`, so that no number of elements stands for any \
         other",
        constants.join("`, `"),
        chosen.name
    );
    Err(vec![Diagnostic::error("MU023", message, chosen.span)])
}

/// Are the elements interchangeable in rules, properties and start states?
pub(super) fn interchangeable(program: &Program, chosen: &SizedType) -> Refused<()> {
    let mut starting = program.clone();
    starting.rules = std::mem::take(&mut starting.starts);
    starting.properties.clear();
    for program in [program, &starting] {
        let Ok(layouts) = Layouts::new(program) else { continue };
        let symmetry = symmetry::symmetry(program, &layouts);
        let parameter = symmetry.scalarsets.iter().find(|one| one.name == chosen.name);
        let Some(why) = parameter.and_then(|one| one.not_symmetric.clone()) else { continue };
        let message = format!("the elements of `{}` are not interchangeable: {why}", chosen.name);
        return Err(Box::new(Diagnostic::error("MU023", message, chosen.span)));
    }
    Ok(())
}

/// The model with `n` elements, as it is written.
pub(super) fn instance(
    request: &FamilyRequest<'_>,
    chosen: &SizedType,
    constants: &[String],
    n: u32,
    nodes: Option<(&SizedType, u32)>,
) -> Result<MurphiModel, Vec<Diagnostic>> {
    let nodes = nodes.as_slice();
    let with_nodes: Vec<(&SizedType, u32)> =
        [(chosen, n)].into_iter().chain(nodes.iter().copied()).collect();
    let reader = match constants.first() {
        None => resized(request, &with_nodes)?,
        Some(name) => {
            let sizes = (0..=MAX_SIZE_TRIED).filter_map(|value| {
                let reader = with_constant(request, name, value, nodes).ok()?;
                (size_of(&reader, chosen) == Some(n.into())).then_some(reader)
            });
            match { sizes }.next() {
                Some(reader) => reader,
                None => resized(request, &with_nodes)?,
            }
        }
    };
    let mut model = MurphiModel::new(reader.program).map_err(|diagnostic| vec![diagnostic])?;
    let elements = if n == 1 { "element" } else { "elements" };
    let mut called = format!("{n} {elements} of `{}`", chosen.name);
    if let Some((nodes, n)) = nodes.first() {
        called.push_str(&format!(", {n} of `{}`", nodes.name));
    }
    model.set_variant(Variant::called(called));
    Ok(model)
}
