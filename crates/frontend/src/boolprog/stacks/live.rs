//! Which locals matter where: the others are false, so that tops that behave alike are equal.
//!
//! The usual backward equations over the instructions of one procedure. What the procedure
//! enforces is asked after each of its steps, so the locals in it matter everywhere.

use model::{Bit, BitExpr};

use crate::boolprog::code::{Action, Code, Procedure};

/// Per procedure and instruction, the locals that matter before it.
pub(super) fn live(code: &Code) -> Vec<Vec<Vec<bool>>> {
    code.procedures.iter().map(of_procedure).collect()
}

fn of_procedure(procedure: &Procedure) -> Vec<Vec<bool>> {
    let mut always = vec![false; procedure.locals.len()];
    add(&procedure.enforced, &mut always);
    let mut live = vec![always; procedure.instructions.len()];
    loop {
        let mut changed = false;
        for at in (0..live.len()).rev() {
            let before = before(procedure, at, &live);
            for (idx, is_live) in before.into_iter().enumerate() {
                changed |= is_live && !std::mem::replace(&mut live[at][idx], true);
            }
        }
        if !changed {
            return live;
        }
    }
}

/// The locals that matter before an instruction, if those after it are right.
fn before(procedure: &Procedure, at: usize, live: &[Vec<bool>]) -> Vec<bool> {
    let action = &procedure.instructions[at].action;
    let mut result = vec![false; procedure.locals.len()];
    for next in successors(action, at) {
        for (idx, is_live) in live.get(next).into_iter().flatten().enumerate() {
            result[idx] |= is_live;
        }
    }
    for bit in assigned(action) {
        if let Bit::Local(idx) = bit {
            result[idx as usize] = false;
        }
    }
    each_expr(action, &mut |expr| add(expr, &mut result));
    result
}

fn successors(action: &Action, at: usize) -> Vec<usize> {
    match action {
        Action::Goto(targets) => targets.clone(),
        Action::Test(_, otherwise) => vec![at + 1, *otherwise],
        Action::StartThread(to) => vec![at + 1, *to],
        Action::Return(_) | Action::EndThread | Action::Error(_) | Action::Opaque(_) => Vec::new(),
        _ => vec![at + 1],
    }
}

fn assigned(action: &Action) -> Vec<Bit> {
    match action {
        Action::Assign { assigns, .. } | Action::Declare { assigns, .. } => {
            assigns.iter().map(|(bit, _)| *bit).collect()
        }
        Action::Call { targets, .. } => targets.clone(),
        _ => Vec::new(),
    }
}

fn each_expr(action: &Action, visit: &mut dyn FnMut(&BitExpr)) {
    match action {
        Action::Assign { assigns, constraint: condition, .. }
        | Action::Declare { assigns, guard: condition } => {
            assigns.iter().for_each(|(_, value)| visit(value));
            visit(condition);
        }
        Action::Test(condition, _) | Action::Assume(condition) | Action::Assert(condition) => {
            visit(condition);
        }
        Action::Call { args: values, .. } | Action::Return(values) => {
            values.iter().for_each(visit);
        }
        _ => {}
    }
}

/// Adds the locals that an expression speaks of, before the step or after it.
fn add(expr: &BitExpr, locals: &mut [bool]) {
    expr.each_leaf(&mut |leaf| {
        if let BitExpr::Before(Bit::Local(idx)) | BitExpr::After(Bit::Local(idx)) = leaf {
            locals[*idx as usize] = true;
        }
    });
}
