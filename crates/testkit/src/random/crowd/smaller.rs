//! Programs that are smaller in one respect.

use super::tree::{Argument, Expression, Handles, Joins, MutexKind, Program, Statement};

/// All of them, those that are much smaller first.
pub fn smaller(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Program) -> bool| {
        let mut copy = program.clone();
        if change(&mut copy) {
            all.push(copy);
        }
        all.len()
    };
    if program.workers.len() > 1 {
        for idx in 0..program.workers.len() {
            add(&|p| {
                p.workers.remove(idx);
                true
            });
        }
    }
    for site in 0..n_sites(program) {
        let simpler = |list: &mut Vec<Statement>, idx: usize| simpler_number(list, idx);
        for edit in [drop_statement, take_inner, simpler] {
            add(&|p| at_site(p, site, edit));
        }
    }
    add(&|p| std::mem::replace(&mut p.first.joins, Joins::Nobody) != Joins::Nobody);
    add(&|p| std::mem::replace(&mut p.first.handles, Handles::One) != Handles::One);
    add(&|p| std::mem::replace(&mut p.argument, Argument::Null) != Argument::Null);
    add(&|p| std::mem::take(&mut p.first.leaves_threads));
    add(&|p| std::mem::take(&mut p.first.has_loops_of_their_own));
    let uses_semaphore = format!("{program:?}").contains("Semaphore");
    add(&|p| !uses_semaphore && std::mem::take(&mut p.has_semaphore));
    for idx in 0..program.mutexes.len() {
        add(&|p| std::mem::replace(&mut p.mutexes[idx], MutexKind::Plain) != MutexKind::Plain);
    }
    all
}

/// Changes the statement at this position of a list; false if it stays as it is.
type Edit = fn(&mut Vec<Statement>, usize) -> bool;

fn drop_statement(list: &mut Vec<Statement>, idx: usize) -> bool {
    list.remove(idx);
    true
}

fn take_inner(list: &mut Vec<Statement>, idx: usize) -> bool {
    let inner: Vec<Statement> = list[idx].lists().into_iter().flat_map(|it| it.clone()).collect();
    let has_inner = !inner.is_empty();
    if has_inner {
        list.splice(idx..=idx, inner);
    }
    has_inner
}

fn simpler_number(list: &mut [Statement], idx: usize) -> bool {
    let mut is_changed = false;
    for number in list[idx].expressions() {
        let simple = match number {
            Expression::Number(_) => continue,
            Expression::Binary(parts) => parts.0.clone(),
            _ => Expression::Number(1),
        };
        *number = simple;
        is_changed = true;
    }
    is_changed
}

fn lists(program: &mut Program) -> Vec<&mut Vec<Statement>> {
    let first = &mut program.first;
    let of_first = [&mut first.before, &mut first.between, &mut first.meanwhile, &mut first.after];
    program.workers.iter_mut().chain([&mut program.assistant]).chain(of_first).collect()
}

fn n_sites(program: &Program) -> usize {
    fn within(list: &mut [Statement]) -> usize {
        list.iter_mut()
            .map(|it| 1 + it.lists().into_iter().map(|it| within(it)).sum::<usize>())
            .sum()
    }
    lists(&mut program.clone()).into_iter().map(|list| within(list)).sum()
}

fn at_site(program: &mut Program, site: usize, edit: Edit) -> bool {
    let mut left = site;
    lists(program).into_iter().find_map(|list| within(list, &mut left, edit)).unwrap_or(false)
}

/// What an edit says of the statement that so many others come before; `None` if it is not
/// in the list.
fn within(list: &mut Vec<Statement>, left: &mut usize, edit: Edit) -> Option<bool> {
    for idx in 0..list.len() {
        if *left == 0 {
            return Some(edit(list, idx));
        }
        *left -= 1;
        let inner = list[idx].lists().into_iter().find_map(|it| within(it, left, edit));
        if inner.is_some() {
            return inner;
        }
    }
    None
}
