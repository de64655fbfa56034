//! Segments that move predicates around, as most of an abstraction does. Every way through
//! them can be taken.

use super::writer::Writer;

/// Moves predicates of the thread, or those that all threads see.
pub(super) fn moves(writer: &mut Writer<'_>) {
    match writer.rng.below(9) {
        0 | 1 => writer.skips(6),
        2 => changes(writer),
        3 => branch(writer),
        4 => repetition(writer),
        5 => remembered(writer),
        6 => copied(writer),
        7 => pair(writer),
        _ => cases(writer),
    }
}

/// Predicates whose values are lost, kept, or follow from others.
fn changes(writer: &mut Writer<'_>) {
    let (first, second) = writer.two_predicates();
    let third = writer.predicate();
    let config = writer.config();
    let statement = match writer.rng.below(6) {
        0 => format!("{first} := *;"),
        1 => format!("{first}, {second} := *, {first};"),
        2 => format!("{first}, {second} := {second}, schoose[{first}, !{third}];"),
        3 => format!("{first} := {second} & !{third};"),
        4 => format!("{first}, {second} := *, * constrain !('{first} & '{second});"),
        _ => format!("{first} := {config};"),
    };
    writer.line(&statement);
    writer.skips(3);
}

/// Two ways, by a predicate that is chosen before.
fn branch(writer: &mut Writer<'_>) {
    let predicate = writer.predicate();
    let (other, end) = (writer.fresh(), writer.fresh());
    if writer.rng.chance(60) {
        writer.line(&format!("{predicate} := *;"));
    }
    writer.line(&format!("if !{predicate} then goto {other}; fi;"));
    writer.skips(4);
    changes(writer);
    writer.line(&format!("goto {end};"));
    writer.label(&other);
    writer.skips(4);
    writer.label(&end);
    writer.line("skip; // location only");
}

/// A loop that ends whenever it likes.
fn repetition(writer: &mut Writer<'_>) {
    let predicate = writer.predicate();
    let (head, end) = (writer.fresh(), writer.fresh());
    writer.label(&head);
    writer.line("skip; // location only");
    writer.line(&format!("if !(*) then goto {end}; fi;"));
    changes(writer);
    writer.line(&format!("{predicate} := schoose[{predicate}, *];"));
    writer.line(&format!("goto {head};"));
    writer.label(&end);
    writer.line("skip; // location only");
}

/// A predicate that is asserted in the end follows from what was assumed.
fn remembered(writer: &mut Writer<'_>) {
    let (first, second) = writer.two_predicates();
    writer.line(&format!("{first}, {second} := *, *;"));
    writer.line(&format!("assume({first} | {second});"));
    writer.skips(5);
    writer.line(&format!("if {first} then {second} := !{first}; fi;"));
    writer.line(&format!("assert({first} != {second});"));
}

/// A copy stays equal while only others change.
fn copied(writer: &mut Writer<'_>) {
    let (first, second) = writer.two_predicates();
    writer.line(&format!("{first} := *;"));
    writer.line(&format!("{second} := !{first};"));
    writer.skips(5);
    writer.line(&format!("mode := {first};"));
    writer.skips(3);
    writer.line(&format!("assert(mode -> !{second});"));
}

/// Two shared predicates that always change together. What a thread remembers of them can
/// be outdated by another one, so that it remembers something only where the cutoff is
/// above 1.
fn pair(writer: &mut Writer<'_>) {
    let Some((up, down)) = writer.pair() else { return changes(writer) };
    let predicate = writer.predicate();
    let statement = match writer.rng.below(if writer.kit.cutoff() > 1 { 5 } else { 2 }) {
        0 => format!("{up}, {down} := {down}, {up};"),
        1 => format!("{up}, {down} := *, * constrain '{up} != '{down};"),
        2 => format!("{up}, {down} := {predicate}, !{predicate};"),
        3 => format!("{predicate} := {up};"),
        _ => format!("if {up} then {predicate} := 0; fi;"),
    };
    writer.line(&statement);
    writer.skips(3);
    writer.line(&format!("assert({up} != {down});"));
}

/// Several ways to one place.
fn cases(writer: &mut Writer<'_>) {
    let n_cases = writer.rng.between(2, 4);
    let labels: Vec<String> = (0..n_cases).map(|_| writer.fresh()).collect();
    let end = writer.fresh();
    writer.line(&format!("goto {};", labels.join(", ")));
    for label in labels {
        writer.label(&label);
        let predicate = writer.predicate();
        let value = ["0", "1", "*"][writer.rng.below(3) as usize];
        writer.line(&format!("{predicate} := {value};"));
        writer.skips(4);
        writer.line(&format!("goto {end};"));
    }
    writer.label(&end);
    writer.line("skip; // location only");
}
