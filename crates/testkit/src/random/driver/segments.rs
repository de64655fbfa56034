//! The segments by which threads use what they share.

use super::Fault;
use super::kit::Kit;
use super::moves::moves;
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
    /// The protocols of a kit.
    pub(super) fn of(kit: Kit) -> Vec<Segment> {
        let mut all = vec![Segment::Completion];
        all.extend(kit.lock.then_some(Segment::Lock));
        all.extend((kit.references > 0).then_some(Segment::Count));
        all.extend(kit.hand_over.then_some(Segment::HandOver));
        all
    }
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
    let config = writer.config();
    writer.line("has_ref := *;");
    writer.line(&format!("if !has_ref then goto {remove}; fi;"));
    take_reference(writer, &refused, fault);
    writer.skips(3);
    writer.all(&format!("assert(!removed);\nsaw1 := {config};"));
    moves(writer);
    writer.all(&format!("assert(!removed & (ref0 | ref1));\nassert(saw1 = {config});"));
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

/// Waits while there are as many references as there can be. In the end there is one more, unless what it
/// refers to is removed.
fn take_reference(writer: &mut Writer<'_>, refused: &str, fault: Option<Fault>) {
    let free = if writer.kit.references == 1 { "!ref0 & !ref1" } else { "!ref1" };
    let up = "ref0, ref1 := !ref0, ref1 ^ ref0;";
    let refuse = format!("if removed then has_ref := 0; goto {refused}; fi;");
    match fault {
        Some(Fault::LateReference) => {
            writer.line(&refuse);
            writer.skips(2);
            writer.all(&format!("atomic_begin;\nassume({free});\n{up}\natomic_end;"));
        }
        Some(Fault::LostUpdate) => {
            writer.all(&format!(
                "atomic_begin;
                 assume({free});
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
                 assume({free});
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
