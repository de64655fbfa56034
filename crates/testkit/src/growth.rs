//! Programs of any size, to measure how what an engine keeps grows with each of the numbers that
//! its cost is said to depend on: shared stores, local stores, procedures.

use std::fmt::Write;

use frontend::Language;

use crate::texts::Texts;

/// Threads that count `n_shared` shared stores up and around, and go around `n_local` local
/// stores: each change of the shared store is one of few.
pub fn counter(n_shared: u32, n_local: u32) -> Texts {
    let step = |shared: u32, local: u32| {
        let (to, next) = ((shared + 1) % n_shared, (local + 1) % n_local);
        format!("{shared} {local} -> {to} {next}\n")
    };
    around(n_shared, n_local, step)
}

/// The same, but a thread in local store 0 may change the shared store into any other one: as
/// many changes as there can be.
pub fn any_change(n_shared: u32, n_local: u32) -> Texts {
    let step = |shared: u32, local: u32| {
        let next = (local + 1) % n_local;
        match local {
            0 => (0..n_shared).map(|to| format!("{shared} {local} -> {to} {next}\n")).collect(),
            _ => format!("{shared} {local} -> {shared} {next}\n"),
        }
    };
    around(n_shared, n_local, step)
}

/// Steps out of each pair of stores; nobody comes to the last local store, which is the error.
fn around(n_shared: u32, n_local: u32, step: impl Fn(u32, u32) -> String) -> Texts {
    let mut text = format!("{n_shared} {}\n", n_local + 1);
    for shared in 0..n_shared {
        (0..n_local).for_each(|local| text.push_str(&step(shared, local)));
    }
    Texts::new(Language::Tts, "growth.tts", &text).with_property(&format!("0|{n_local}\n"))
}

/// A chain of procedures of which each calls the next one, and the last one itself.
pub fn chain(n_procedures: u32) -> Texts {
    let mut text = "decl x := 0;\nlock m;\nvoid main() begin\n  call p1();\nend\n".to_owned();
    for procedure in 1..=n_procedures {
        let call = match procedure == n_procedures {
            true => format!("if * then call p{procedure}(); fi"),
            false => format!("call p{}()", procedure + 1),
        };
        let _ = writeln!(
            text,
            "void p{procedure}() begin\n  acquire(m);\n  assert(!x);\n  x := 1;\n  x := 0;\n  \
             release(m);\n  {call};\nend"
        );
    }
    Texts::new(Language::BooleanProgram, "chain.bp", &text)
}

/// Calls on each other are counted in `n_digits` shared digits, up to as many as they can say.
pub fn digits(n_digits: u32) -> Texts {
    let digit = |idx: u32| format!("c{idx}");
    let all: Vec<String> = (0..n_digits).map(digit).collect();
    // The digits below are all `ones`, or none is.
    let carry = |idx: u32, ones: bool| {
        let below: Vec<String> =
            (0..idx).map(|idx| format!("{}c{idx}", if ones { "" } else { "!" })).collect();
        match below.is_empty() {
            true => format!("!c{idx}"),
            false => format!("c{idx} != ({})", below.join(" & ")),
        }
    };
    let next = |ones: bool| -> Vec<String> { (0..n_digits).map(|idx| carry(idx, ones)).collect() };
    let declared: Vec<String> = all.iter().map(|name| format!("{name} := 0")).collect();
    let text = format!(
        "decl {};\nvoid main() begin\n  {all} := {};\n  if {} then\n    call main();\n  fi;\n  \
         {all} := {};\nend\n",
        declared.join(", "),
        next(true).join(", "),
        all.iter().map(|name| format!("!{name}")).collect::<Vec<_>>().join(" | "),
        next(false).join(", "),
        all = all.join(", "),
    );
    Texts::new(Language::BooleanProgram, "digits.bp", &text)
}

/// A tree of any depth is walked under a lock.
pub fn walk() -> Texts {
    let text = "decl dirty := 0;\nlock m;\nvoid walk() begin\n  if * then\n    call walk();\n    \
                call walk();\n  fi;\n  assert(!dirty);\n  dirty := 1;\n  dirty := 0;\nend\nvoid \
                main() begin\n  acquire(m);\n  call walk();\n  release(m);\nend\n";
    Texts::new(Language::BooleanProgram, "walk.bp", text)
}

/// A lock for up to `n_readers` readers, which are counted in the shared store, or one writer.
pub fn readers_or_a_writer(n_readers: u32) -> Texts {
    let list =
        |name: &dyn Fn(u32) -> String| (0..n_readers).map(name).collect::<Vec<_>>().join(", ");
    let reading = list(&|idx| format!("r{idx}"));
    let one_more = list(&|idx| if idx == 0 { "1".to_owned() } else { format!("r{}", idx - 1) });
    let one_less = list(&|idx| {
        if idx + 1 == n_readers { "0".to_owned() } else { format!("r{}", idx + 1) }
    });
    let text = format!(
        "decl {}, writing := 0, x := 0;\nvoid main() begin\n  while * do\n    if * then\n      \
         {reading} := {one_more} constrain !writing & !r{};\n      assert(!x);\n      {reading} := \
         {one_less};\n    else\n      writing := 1 constrain !writing & !r0;\n      x := 1;\n      \
         x := 0;\n      writing := 0;\n    fi;\n  od;\nend\n",
        list(&|idx| format!("r{idx} := 0")),
        n_readers - 1,
    );
    Texts::new(Language::BooleanProgram, "readers.bp", &text)
}
