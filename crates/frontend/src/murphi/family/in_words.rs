//! The abstraction as a model of its own, to be read: the CMP method without its lemmas.
//!
//! Some elements of the parameter stay as they are, all others become one, *Other*, of which
//! nothing is kept. Its rules are those of the model with the actors that it stands for: what a
//! guard says of them is taken to be true, what is written to them is dropped, and a value that
//! depends on them is chosen.
//!
//! **Sound for** invariants and assertions. Assertions and `error` are left out of the rules of
//! Other: where the actors are kept elements, the same rule has them too. That is so if enough
//! elements are kept to be all actors of a rule; [`AbstractModel::shows_all_faults`] says if they
//! are.

use std::fmt::Write as _;

use model::{Diagnostic, Span};

use crate::murphi::print::{Parameter, Unprintable, print};
use crate::murphi::typed::{Program, Rule};

use super::find::{
    FamilyRequest, choose, elements_of, independent_of_size, interchangeable, only_claims, read_as,
    resized,
};
use super::functions::Functions;
use super::needs::{n_needed, n_with_actors};
use super::scope::{Elements, Refused};
use super::split::{Actor, PlacedRule, abstract_rule, assemble, claims, placements};

/// Elements that are kept, at the most.
pub const MAX_KEPT: u32 = 9;

/// How much is kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keep {
    /// Elements; as many as properties and rules speak of at once, where no number is given.
    pub n_elements: Option<u32>,
    /// Are the variables of Other taken to have values, whatever the model does?
    pub is_defined: bool,
}

/// A model of a few elements and Other.
#[derive(Clone, Debug)]
pub struct AbstractModel {
    /// The model. The last element of the parameter is Other.
    pub program: Program,
    /// The parameter.
    pub parameter: Parameter,
    /// Its name.
    pub name: String,
    /// The rules of Other.
    pub of_other: Vec<String>,
    /// Rules of Other that change nothing that is kept, and were left out.
    pub without_effect: Vec<String>,
    /// Can all actors of each rule be kept elements?
    pub shows_all_faults: bool,
    /// Were the variables of Other taken to have values?
    pub is_defined: bool,
}

/// Abstracts a model to a few elements and Other.
///
/// # Errors
/// What stands in the way, with its place.
pub fn abstracted(
    request: &FamilyRequest<'_>,
    keep: Keep,
) -> Result<AbstractModel, Vec<Diagnostic>> {
    let reader = read_as(request, None)?;
    let one = |diagnostic: Box<Diagnostic>| vec![*diagnostic];
    only_claims(&reader.program).map_err(one)?;
    let chosen = choose(request, &reader)?;
    let constants = reader.size_constants(&chosen.name);
    independent_of_size(request, &chosen, &constants)?;
    let program = resized(request, &[(&chosen, MAX_KEPT + 1)])?.program;
    interchangeable(&program, &chosen).map_err(one)?;
    let elements = elements_of(&program, &chosen, MAX_KEPT);
    let n_claimed = n_needed(&program, &elements);
    let n_shown = n_claimed.max(n_with_actors(&program, &elements));
    let n_kept = keep.n_elements.unwrap_or(n_shown);
    if n_kept < n_claimed || n_kept > MAX_KEPT {
        let message = match n_kept < n_claimed {
            true => {
                format!("the properties speak of {n_claimed} elements of `{}` at once", chosen.name)
            }
            false => format!("{n_kept} elements of `{}` are too many to keep", chosen.name),
        };
        let help = format!("keep {n_claimed} to {MAX_KEPT} of them, with `--views`");
        return Err(vec![Diagnostic::error("MU023", message, chosen.span).help(help)]);
    }
    let program = resized(request, &[(&chosen, n_kept + 1)])?.program;
    let elements = elements_of(&program, &chosen, n_kept);
    let source = Source { program: &program, elements, is_defined: keep.is_defined };
    let made = source.model(n_shown <= n_kept);
    made.map_err(one)
}

struct Source<'a> {
    program: &'a Program,
    elements: Elements,
    is_defined: bool,
}

impl Source<'_> {
    fn model(&self, shows_all_faults: bool) -> Refused<AbstractModel> {
        let Source { program, elements, is_defined } = *self;
        let mut functions = Functions::of(None);
        let (mut of_other, mut without_effect) = (Vec::new(), Vec::new());
        let (mut starts, mut rules) = (Vec::new(), Vec::new());
        for rule in &program.starts {
            for placed in placements(program, &elements, rule, true)? {
                starts.push(self.rule(&placed, &mut functions)?);
            }
        }
        for rule in &program.rules {
            for mut placed in placements(program, &elements, rule, true)? {
                let is_of_other = placed.actors.iter().any(|(_, actor)| *actor == Actor::Rest);
                placed.is_seen_elsewhere = is_of_other && shows_all_faults;
                placed.is_defined = is_defined;
                let mut made = self.rule(&placed, &mut functions)?;
                if !is_of_other {
                    rules.push(made);
                    continue;
                }
                made.name = name_of(&placed);
                match made.body.is_empty() {
                    true => without_effect.push(made.name),
                    false => {
                        of_other.push(made.name.clone());
                        rules.push(made);
                    }
                }
            }
        }
        let properties = claims(program, elements, &[], &mut functions)?;
        let mut made = assemble(program, elements, elements.n_slots, (starts, rules), functions)?;
        made.properties = properties;
        Ok(AbstractModel {
            program: made,
            parameter: Parameter { ty: elements.ty, n_kept: elements.n_slots },
            name: program.types.get(elements.ty).name.clone(),
            of_other,
            without_effect,
            shows_all_faults,
            is_defined,
        })
    }

    fn rule(&self, placed: &PlacedRule, functions: &mut Functions) -> Refused<Rule> {
        abstract_rule(self.program, self.elements, self.elements.n_slots, (placed, &[]), functions)
    }
}

/// The name of a rule, and which of its actors are Other.
fn name_of(placed: &PlacedRule) -> String {
    let mut name = placed.rule.name.clone();
    for (local, (_, actor)) in placed.locals().into_iter().zip(&placed.actors) {
        if *actor == Actor::Rest {
            let _ = write!(name, ", {} = Other", placed.rule.locals[local.0 as usize].name);
        }
    }
    name
}

impl AbstractModel {
    /// The model as Murphi text, below a comment that says what it is. `origin` is the name of
    /// the model's file.
    ///
    /// # Errors
    /// Unions stand in the way.
    pub fn text(&self, origin: &str, span: Span) -> Result<String, Vec<Diagnostic>> {
        let text =
            print(&self.program, Some(self.parameter)).map_err(|Unprintable::Unions(ty)| {
                let name = &self.program.types.get(ty).name;
                let message = format!("the elements of `{name}` cannot be written as numbers");
                let help =
                    "some unions with them overlap in a way that no order of the members fits";
                vec![Diagnostic::error("MU023", message, span).help(help)]
            })?;
        Ok(format!("{}\n{text}", self.header(origin)))
    }

    fn header(&self, origin: &str) -> String {
        let (name, n_kept) = (&self.name, self.parameter.n_kept);
        let origin: String = origin.chars().filter(|c| !c.is_control()).collect();
        let mut text = format!(
            "-- The abstract model of {origin} for any number of elements of `{name}`, by the CMP\n\
             -- method (Chou, Mannava, Park, FMCAD 2004; Sethi, Talupur et al., SPIN 2012).\n\
             -- {n_kept} of them {} kept. All others are {name}_Other, of which nothing is known: what\n\
             -- a guard says of them is taken to be true, what is written to them is dropped, and\n\
             -- values that depend on them are chosen (chosen_1, ...).\n\
             --\n\
             -- If all properties hold here, they hold for any number of elements. A violation may\n\
             -- be spurious: no lemmas restrain Other. (`threadproof check --threads any` needs\n\
             -- none: its views know what else may be beside the kept elements.)\n\
             -- Deadlocks mean nothing here: check with `--deadlock off`, and with rumur's\n\
             -- `--deadlock-detection off`.\n",
            if n_kept == 1 { "is" } else { "are" },
        );
        if !self.shows_all_faults {
            text.push_str(
                "--\n\
                 -- Some rules have more actors than elements are kept. What holds here is true of the\n\
                 -- properties alone: an evaluation error that takes all of the actors is not seen.\n",
            );
        }
        if self.is_defined {
            text.push_str(
                "--\n\
                 -- The variables of Other are taken to have values. What holds here is true of the\n\
                 -- model if it copies none that has no value (`--defined`).\n",
            );
        }
        list(&mut text, "Rules of Other:", &self.of_other);
        list(&mut text, "Left out, since they change nothing that is kept:", &self.without_effect);
        text
    }
}

/// A heading and what is below it, as comments.
fn list(text: &mut String, heading: &str, names: &[String]) {
    if !names.is_empty() {
        let _ = writeln!(text, "--\n-- {heading}");
    }
    for name in names {
        let _ = writeln!(text, "--   {}", name.replace(['\n', '\r'], " "));
    }
}
