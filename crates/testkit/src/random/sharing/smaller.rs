//! Programs a little smaller than one: a statement less, or what is within it in its place.

use super::tree::{Program, Statement};

/// The programs that one change makes of this one, the largest changes first.
pub fn smaller(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    for thread in 0..program.threads.len() {
        for body in smaller_bodies(&program.threads[thread]) {
            let mut changed = program.clone();
            changed.threads[thread] = body;
            found.push(changed);
        }
    }
    found.sort_by_key(n_statements);
    found
}

/// How many statements there are.
fn n_statements(program: &Program) -> usize {
    program.threads.iter().map(|body| count(body)).sum()
}

fn count(body: &[Statement]) -> usize {
    body.iter().map(|statement| 1 + statement.body().map_or(0, |inner| count(inner))).sum()
}

fn smaller_bodies(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut found = Vec::new();
    for at in 0..body.len() {
        let replaced = |by: Vec<Statement>| [&body[..at], &by, &body[at + 1..]].concat();
        found.push(replaced(Vec::new()));
        if at > 0 {
            found.push(body[..at].to_vec());
        }
        let Some(inner) = body[at].body() else { continue };
        found.push(replaced(inner.clone()));
        for smaller in smaller_bodies(inner) {
            let mut statement = body[at].clone();
            if let Some(inner) = statement.body_mut() {
                *inner = smaller;
            }
            found.push(replaced(vec![statement]));
        }
    }
    found
}
