//! The segments that functions are made of.

use super::Fault;
use super::writer::Writer;

/// What uses the shared variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    Lock,
    Count,
    HandOver,
    Completion,
}

impl Segment {
    pub const PROTOCOLS: [Segment; 4] =
        [Segment::Lock, Segment::Count, Segment::HandOver, Segment::Completion];
}

/// A protocol, with the fault if it is one of it.
pub(super) fn protocol(writer: &mut Writer<'_>, segment: Segment, fault: Option<Fault>) {
    match segment {
        Segment::Lock => lock(writer, fault),
        Segment::Count => count(writer, fault),
        Segment::HandOver => hand_over(writer, fault),
        Segment::Completion => completion(writer, fault == Some(Fault::Completion)),
    }
}

/// Moves predicates of the thread around; every way through it can be taken.
pub(super) fn moves(writer: &mut Writer<'_>) {
    match writer.rng.below(8) {
        0 | 1 => writer.skips(6),
        2 => changes(writer),
        3 => branch(writer),
        4 => repetition(writer),
        5 => remembered(writer),
        6 => copied(writer),
        _ => cases(writer),
    }
}

/// Predicates whose values are lost, kept, or follow from others.
fn changes(writer: &mut Writer<'_>) {
    let (first, second) = writer.two_predicates();
    let third = writer.predicate();
    let statement = match writer.rng.below(6) {
        0 => format!("{first} := *;"),
        1 => format!("{first}, {second} := *, {first};"),
        2 => format!("{first}, {second} := {second}, schoose[{first}, !{third}];"),
        3 => format!("{first} := {second} & !{third};"),
        4 => format!("{first}, {second} := *, * constrain !('{first} & '{second});"),
        _ => format!("{first} := config;"),
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

/// Uses the data under the lock, on those ways that need it.
fn lock(writer: &mut Writer<'_>, fault: Option<Fault>) {
    let forgets = fault == Some(Fault::ForgottenLock);
    let changes_mind = fault == Some(Fault::ChangedMind);
    let (without, done) = (writer.fresh(), writer.fresh());
    writer.line("needs_lock := *;");
    writer.skips(3);
    if !forgets {
        writer.all(&format!(
            "if !needs_lock then goto {without}; fi;
             atomic_begin;
             assume(!held);
             held := 1;
             atomic_end;
             {without}:
             skip; // location only"
        ));
    }
    moves(writer);
    let held = if changes_mind { "mode := needs_lock;\nneeds_lock := *;" } else { "" };
    writer.all(held);
    writer.all(&format!("if !needs_lock then goto {done}; fi;"));
    writer.all("assert(data0 = data1);\ndata0 := *;");
    writer.skips(3);
    writer.all("data1 := data0;\nassert(data0 = data1);");
    writer.label(&done);
    let release = match (forgets, changes_mind) {
        (true, _) => "skip; // no predicates changed",
        (false, true) => "if mode then held := 0; fi;",
        (false, false) => "if needs_lock then held := 0; fi;",
    };
    writer.line(release);
}

/// Counts a reference, uses what it refers to, and gives it back; or removes it.
fn count(writer: &mut Writer<'_>, fault: Option<Fault>) {
    let (remove, refused, end) = (writer.fresh(), writer.fresh(), writer.fresh());
    writer.line("has_ref := *;");
    writer.line(&format!("if !has_ref then goto {remove}; fi;"));
    take_reference(writer, &refused, fault);
    writer.skips(3);
    writer.all("assert(!removed);\nsaw1 := config;");
    moves(writer);
    writer.all("assert(!removed & (ref0 | ref1));\nassert(saw1 = config);");
    writer.all(&format!(
        "atomic_begin;
         ref0, ref1 := !ref0, ref1 ^ !ref0;
         atomic_end;
         {refused}:
         has_ref := 0;
         goto {end};
         {remove}:
         atomic_begin;
         assume(!ref0 & !ref1);
         removed := 1;
         atomic_end;
         skip; // location only
         atomic_begin;
         removed := 0;
         atomic_end;
         {end}:
         skip; // location only"
    ));
}

/// Waits while there are three references. In the end there is one more, unless what it
/// refers to is removed.
fn take_reference(writer: &mut Writer<'_>, refused: &str, fault: Option<Fault>) {
    let up = "ref0, ref1 := !ref0, ref1 ^ ref0;";
    let refuse = format!("if removed then has_ref := 0; goto {refused}; fi;");
    match fault {
        Some(Fault::LateReference) => {
            writer.line(&refuse);
            writer.skips(2);
            writer.all(&format!("atomic_begin;\nassume(!ref0 | !ref1);\n{up}\natomic_end;"));
        }
        Some(Fault::LostUpdate) => {
            writer.all(&format!(
                "atomic_begin;
                 assume(!ref0 | !ref1);
                 saw0, saw1, mode := ref0, ref1, removed;
                 atomic_end;
                 if mode then goto {refused}; fi;
                 skip; // no predicates changed
                 ref0, ref1 := !saw0, saw1 ^ saw0;"
            ));
        }
        _ => {
            let (go, out) = (writer.fresh(), writer.fresh());
            writer.all(&format!(
                "atomic_begin;
                 assume(!ref0 | !ref1);
                 saw0 := removed;
                 if saw0 then goto {go}; fi;
                 {up}
                 {go}:
                 atomic_end;
                 if !saw0 then goto {out}; fi;
                 goto {refused};
                 {out}:
                 skip; // location only"
            ));
        }
    }
}

/// One thread at a time has the stage; where it is wrong, each thread once, one after the
/// other, up to the stage that is asserted not to be.
fn hand_over(writer: &mut Writer<'_>, fault: Option<Fault>) {
    let (back, end) = (writer.fresh(), writer.fresh());
    let (step, back_again, claim) = match fault {
        Some(Fault::SecondStage) => {
            ("assume(!advanced & !stage1);", "assume(stage1);", "assert(!stage1);")
        }
        Some(Fault::ThirdStage) => (
            "assume(!advanced & !(stage0 & stage1));",
            "assume(stage0 & stage1);",
            "assert(!(stage0 & stage1));",
        ),
        _ => ("assume(!advanced & !stage0 & !stage1);", "", "assert(stage0 & !stage1);"),
    };
    writer.line("failed := *;");
    writer.line(&format!("if failed then goto {end}; fi;"));
    writer.line(&format!("if advanced then goto {back}; fi;"));
    writer.all(&format!(
        "atomic_begin;
         {step}
         stage0, stage1, advanced := !stage0, stage1 ^ stage0, 1;
         atomic_end;"
    ));
    writer.skips(4);
    writer.all(&format!(
        "{claim}
         goto {end};
         {back}:
         skip; // location only
         {claim}
         atomic_begin;
         {back_again}
         stage0, stage1, advanced := 0, 0, 0;
         atomic_end;
         {end}:
         skip; // location only"
    ));
}

/// A request: all ways through it set `completed`, unless it is wrong.
fn completion(writer: &mut Writer<'_>, is_wrong: bool) {
    let (retry, pending, end) = (writer.fresh(), writer.fresh(), writer.fresh());
    writer.line("completed, failed := 0, *;");
    writer.skips(3);
    writer.line(&format!("if failed then goto {pending}; fi;"));
    moves(writer);
    writer.all(&format!("completed := 1;\ngoto {end};"));
    writer.label(&pending);
    writer.label(&retry);
    writer.skips(3);
    writer.line("mode := *;");
    writer.line(&format!("if mode then goto {retry}; fi;"));
    let last = if is_wrong { "completed := schoose[!failed, 0];" } else { "completed := failed;" };
    writer.line(last);
    writer.label(&end);
    writer.line("assert(completed);");
}
