//! Reads an implementation and its specification, and makes one question of them.

use anyhow::bail;
use frontend::Question;
use model::{Problem, RefinementQuestion, SharedCorrespondence, StopReason, ThreadProgram};

use super::correspondence;
use crate::args::{AskedArgs, LoadArgs, RefineArgs};
use crate::input::{self, Input, Loaded};

/// An implementation and its specification, as they were read.
pub struct Pair {
    pub implementation: Input,
    pub specification: Input,
}

impl Pair {
    /// Reads both; either may have been refused.
    pub fn read(args: &RefineArgs, [own, other]: &[LoadArgs; 2]) -> anyhow::Result<Pair> {
        let asked =
            AskedArgs { keeps_variables: true, any_environment: true, ..AskedArgs::nothing() };
        // Of two specifications it is enough that one says what an error is.
        let needs_property = args.conclude && args.with.is_empty();
        let needed = AskedArgs { needs_property, ..asked.clone() };
        Ok(Pair {
            implementation: input::load(own, &asked, !args.quiet)?,
            specification: input::load(other, &needed, !args.quiet)?,
        })
    }

    /// The models of both; `None` if one was refused.
    pub fn models(&self) -> Option<Models<'_>> {
        let implementation = self.implementation.loaded.as_ref()?;
        let specification = self.specification.loaded.as_ref()?;
        Some(Models { pair: self, implementation, specification })
    }
}

/// The models of a pair.
#[derive(Clone, Copy)]
pub struct Models<'a> {
    pub pair: &'a Pair,
    pub implementation: &'a Loaded,
    pub specification: &'a Loaded,
}

impl<'a> Models<'a> {
    /// The question whether the one refines the other, with its targets if these matter.
    pub fn asked(&self, conclude: bool) -> anyhow::Result<Asked<'a>> {
        let implementation = program(self.implementation, &self.pair.implementation)?;
        let specification = program(self.specification, &self.pair.specification)?;
        let (shared, too_many) =
            match correspondence::shared(self.implementation, self.specification)? {
                Ok(shared) => (shared, None),
                Err(reason) => (SharedCorrespondence::default(), Some(reason)),
            };
        let targets = match conclude {
            true => correspondence::targets(implementation, specification),
            false => Vec::new(),
        };
        Ok(Asked { implementation, specification, shared, targets, too_many })
    }
}

/// What a question is made of.
pub struct Asked<'a> {
    implementation: &'a dyn ThreadProgram,
    specification: &'a dyn ThreadProgram,
    shared: SharedCorrespondence,
    targets: Vec<(usize, usize)>,
    /// Why it is not answered.
    pub too_many: Option<StopReason>,
}

impl Asked<'_> {
    /// The question.
    pub fn question(&self) -> RefinementQuestion<'_> {
        RefinementQuestion {
            implementation: self.implementation,
            specification: self.specification,
            shared: &self.shared,
            targets: &self.targets,
        }
    }
}

/// The thread program of a model.
pub fn program<'a>(loaded: &'a Loaded, input: &Input) -> anyhow::Result<&'a dyn ThreadProgram> {
    match loaded.problem(Question::default()) {
        Problem::Threads(program) => Ok(program),
        _ => bail!(
            "`{}` is not a program that threads run, and refinement is between two of these",
            input.files[0].name
        ),
    }
}
