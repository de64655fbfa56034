//! Which procedures threads run at the start.
//!
//! With `begin … end`, any number of threads run `main`. With braces, one thread runs
//! `main` and creates the others. `init p;` names the procedures instead. Where there is
//! neither, each procedure that no other calls or lets a thread run is run by one thread, its parameters having
//! any value, and a warning says so.

use model::Diagnostic;

use super::Resolver;
use crate::boolprog::ast::Dialect;
use crate::boolprog::code::{Action, Entry, Procedure};

pub(super) fn entries(resolver: &mut Resolver<'_, '_>, procedures: &[Procedure]) -> Vec<Entry> {
    let program = resolver.program;
    if !program.starts.is_empty() {
        return named(resolver, procedures);
    }
    if let Some(&procedure) = resolver.procedures.get("main") {
        let declared = &program.procedures[procedure];
        if !declared.params.is_empty() {
            resolver.error("BP008", "`main` has parameters", declared.name.span);
        }
        let n_threads = (program.dialect == Dialect::Cuba).then_some(1);
        return vec![Entry { procedure, n_threads }];
    }
    uncalled(resolver, procedures)
}

/// `x$` is a local of the outermost frame of all other threads. It is what it says only if
/// that is a frame of `main` in each of them.
pub(super) fn refuse_broadcasts_beside_others(
    resolver: &mut Resolver<'_, '_>,
    procedures: &[Procedure],
    entries: &[Entry],
) {
    let main = resolver.procedures.get("main").copied();
    let is_other = |procedure: usize| Some(procedure) != main;
    let mut actions = procedures.iter().flat_map(|procedure| &procedure.instructions);
    let starts_others = entries.iter().any(|entry| is_other(entry.procedure));
    let is_disturbing = actions.any(|instruction| match instruction.action {
        Action::CreateThread(procedure) => is_other(procedure),
        Action::Call { procedure, .. } => !is_other(procedure),
        _ => false,
    });
    if !starts_others && !is_disturbing {
        return;
    }
    for (name, span) in std::mem::take(&mut resolver.broadcasts) {
        let message = format!("`{name}$` is no local that all other threads have");
        let help = "all threads must start with `main`, and nobody may call it";
        resolver.sink.push(Diagnostic::error("BP011", message, span).help(help));
    }
}

/// The procedures that `init` names. A warning names those that look as if they were run, but
/// are not.
fn named(resolver: &mut Resolver<'_, '_>, procedures: &[Procedure]) -> Vec<Entry> {
    let mut entries = Vec::new();
    for name in &resolver.program.starts {
        match resolver.procedures.get(name.text.as_str()) {
            Some(&procedure) => entries.push(Entry { procedure, n_threads: Some(1) }),
            None => {
                let message = format!("there is no procedure `{}`", name.text);
                resolver.error("BP005", message, name.span);
            }
        }
    }
    let is_run = |idx: usize| entries.iter().any(|entry| entry.procedure == idx);
    let idle = (0..procedures.len()).filter(|&idx| !is_run(idx) && !is_called(procedures, idx));
    for idx in idle {
        let name = &resolver.program.procedures[idx].name;
        let message = format!("no thread runs `{}`", name.text);
        let help = "`init` names the procedures that are run at the start, one thread each";
        resolver.sink.push(Diagnostic::warning("BP004", message, name.span).help(help));
    }
    entries
}

/// Does another procedure call it, or let a thread run it?
fn is_called(procedures: &[Procedure], callee: usize) -> bool {
    procedures.iter().enumerate().any(|(caller, procedure)| {
        caller != callee
            && procedure.instructions.iter().any(|instruction| match instruction.action {
                Action::Call { procedure, .. } | Action::CreateThread(procedure) => {
                    procedure == callee
                }
                _ => false,
            })
    })
}

fn uncalled(resolver: &mut Resolver<'_, '_>, procedures: &[Procedure]) -> Vec<Entry> {
    let starts = |&idx: &usize| !is_called(procedures, idx);
    let entries: Vec<usize> = (0..procedures.len()).filter(starts).collect();
    let end = resolver.source.span(0, 0);
    if entries.is_empty() {
        resolver.error("BP004", "there is no procedure `main`", end);
        return Vec::new();
    }
    let names: Vec<String> =
        entries.iter().map(|&idx| format!("`{}`", procedures[idx].name)).collect();
    let message =
        format!("there is no procedure `main`: one thread each runs {}", names.join(", "));
    resolver.sink.push(Diagnostic::warning("BP004", message, end));
    entries.into_iter().map(|procedure| Entry { procedure, n_threads: Some(1) }).collect()
}
