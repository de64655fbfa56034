//! Whether two pairs may stand side by side: do all four models speak of the same shared stores?
//!
//! A conclusion depends on it. What the two implementations find at the same time must stand for
//! one store that both specifications know, and whatever one of them leaves must be among the
//! stores that the environment of the other may put there.
//!
//! - Of `.tts` models, equal numbers are the same state, so all have as many states as the model
//!   that they run beside.
//! - Of Boolean programs, variables with the same name are the same. The two specifications have
//!   the same variables in the same order. An implementation may have more: what the other one
//!   does to these is in its environment, where everything is tried, and the specifications do
//!   not see it. Against `.tts` specifications, where variables are digits by their order, the
//!   implementations have the same ones in the same order as well.
//!
//! A start is one of both implementations, so it is one of both specifications where these are
//! refined; that there is one at all is asked here, since otherwise nothing would be said.

use anyhow::{bail, ensure};
use frontend::{BooleanProgram, Model};
use model::ThreadProgram;

use super::correspondence::n_shared_states;
use super::pair::{Models, program};
use crate::input::{Input, Loaded};

/// Refuses pairs that may not.
pub fn check(first: &Models<'_>, second: &Models<'_>, conclude: bool) -> anyhow::Result<()> {
    let specifications = [
        named(first.specification, &first.pair.specification),
        named(second.specification, &second.pair.specification),
    ];
    let implementations = [
        named(first.implementation, &first.pair.implementation),
        named(second.implementation, &second.pair.implementation),
    ];
    let is_by_name = have_same_stores(&specifications, false)?;
    have_same_stores(&implementations, is_by_name)?;
    have_common_start(&implementations)?;
    if conclude { ask_something(&specifications) } else { Ok(()) }
}

/// A model, and what its file is called.
struct Named<'a> {
    model: &'a Loaded,
    input: &'a Input,
}

fn named<'a>(model: &'a Loaded, input: &'a Input) -> Named<'a> {
    Named { model, input }
}

impl Named<'_> {
    fn name(&self) -> &str {
        &self.input.files[0].name
    }
}

/// Do two models that run beside each other have the same shared stores? True if these are
/// variables with names. `may_have_more`: it is enough that variables have names.
fn have_same_stores(models: &[Named<'_>; 2], may_have_more: bool) -> anyhow::Result<bool> {
    let [first, second] = models;
    let names = || format!("`{}` and `{}`", first.name(), second.name());
    match (first.model, second.model) {
        (Loaded::Text(own @ Model::Threads(_)), Loaded::Text(other @ Model::Threads(_))) => {
            let (n_own, n_other) = (n_shared_states(own)?, n_shared_states(other)?);
            ensure!(
                n_own == n_other,
                "{} run side by side and must have as many shared states: {n_own} are not {n_other}",
                names()
            );
            Ok(false)
        }
        (Loaded::Text(Model::Boolean(own)), Loaded::Text(Model::Boolean(other))) => {
            ensure!(
                may_have_more || variables(own) == variables(other),
                "{} run side by side and must have the same shared variables in the same order: \
                 `{}` are not `{}`",
                names(),
                variables(own).join(" "),
                variables(other).join(" ")
            );
            Ok(true)
        }
        _ => bail!("{} run side by side and must be of the same language", names()),
    }
}

fn variables(program: &BooleanProgram) -> Vec<&str> {
    program.graph().shared.iter().map(|variable| variable.name.as_str()).collect()
}

/// Is there a shared store that both start in?
fn have_common_start(implementations: &[Named<'_>; 2]) -> anyhow::Result<()> {
    let [first, second] = implementations;
    let names = || format!("`{}` and `{}` cannot start together", first.name(), second.name());
    if let (Loaded::Text(Model::Boolean(own)), Loaded::Text(Model::Boolean(other))) =
        (first.model, second.model)
    {
        for variable in &own.graph().shared {
            let others = other.graph().shared.iter().find(|other| other.name == variable.name);
            let values = (variable.initial, others.and_then(|other| other.initial));
            if let (Some(own), Some(other)) = values
                && own != other
            {
                let (own, other) = (u8::from(own), u8::from(other));
                bail!("{}: `{}` begins with {own} and with {other}", names(), variable.name);
            }
        }
        return Ok(());
    }
    let (own, other) = (program(first.model, first.input)?, program(second.model, second.input)?);
    let starts = |program: &dyn ThreadProgram| {
        let starts = program.initial_shared();
        let names = starts.iter().map(|store| program.narrator().describe_shared(store.bytes()));
        names.collect::<Vec<String>>().join(", ")
    };
    let others = other.initial_shared();
    ensure!(
        own.initial_shared().iter().any(|store| others.contains(store)),
        "{}: their shared states are {} and {}",
        names(),
        starts(own),
        starts(other)
    );
    Ok(())
}

/// Does one of the specifications say what an error is?
fn ask_something(specifications: &[Named<'_>; 2]) -> anyhow::Result<()> {
    for specification in specifications {
        let program = program(specification.model, specification.input)?;
        if !program.requirements().targets().is_empty()
            || !program.requirements().questions().is_empty()
        {
            return Ok(());
        }
    }
    let [first, second] = specifications;
    bail!("neither `{}` nor `{}` says what an error is", first.name(), second.name())
}
