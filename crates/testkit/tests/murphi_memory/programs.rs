//! Random programs with a heap: threads take nodes, write to them, hand them on through two
//! shared pointers, and drop them.

use testkit::rng::Rng;

const DECLARATIONS: &str = "\
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES);
  Pointer: union {enum {Nil}, Node}; Owner: union {enum {Nobody}, Thread}; Value: 0..2; Line: 0..2;
var used: array [Node] of boolean; v: array [Node] of Value; next: array [Node] of Pointer;
  o: array [Node] of Owner;
  a: Pointer; b: Pointer; x: Value; last: Owner;
  p: array [Thread] of Pointer; q: array [Thread] of Pointer; pc: array [Thread] of Line;
function reaches(from: Pointer; n: Node): boolean;
var at: Pointer;
begin
  at := from;
  for k: 0..4 do if at != Nil & at != n then at := next[at]; end; end;
  return at = n;
end;
";

const START: &str = "\
startstate
begin
  a := Nil; b := Nil; x := 0; last := Nobody;
  for n: Node do used[n] := false; end;
  for i: Thread do p[i] := Nil; q[i] := Nil; pc[i] := 0; end;
end;
";

/// A program.
pub fn random(rng: &mut Rng) -> String {
    let mut text = format!("{DECLARATIONS}{}{START}", collector(rng));
    let n_rules = rng.between(3, 8);
    text.push_str(&take(rng));
    if rng.chance(20) {
        text.push_str(&take(rng));
    }
    text.push_str("ruleset i: Thread do\n");
    for number in 0..n_rules {
        text.push_str(&rule(rng, number));
    }
    text.push_str(&format!(
        "  rule \"drop\" {}p[i] != Nil ==> p[i] := Nil; q[i] := Nil; collect(); end;\nend;\n",
        at_line(rng, 30)
    ));
    for _ in 0..rng.between(1, 2) {
        text.push_str(&invariant(rng));
    }
    text
}

fn one_of<'a>(rng: &mut Rng, all: &[&'a str]) -> &'a str {
    all[rng.below(all.len() as u32) as usize]
}

fn value(rng: &mut Rng) -> u32 {
    rng.below(3)
}

/// Gives back what nobody reaches; sometimes it forgets a pointer, or a field.
fn collector(rng: &mut Rng) -> String {
    let mut reached = String::from("reaches(a, n)");
    if rng.chance(97) {
        reached.push_str(" | reaches(b, n)");
    }
    let own = ["p[i]", "q[i]"].into_iter().filter(|_| rng.chance(97));
    let own: Vec<String> = own.map(|pointer| format!("reaches({pointer}, n)")).collect();
    if !own.is_empty() {
        let own = own.join(" | ");
        reached.push_str(&format!(" | (exists i: Thread do {own} end)"));
    }
    let mut reset = String::new();
    for statement in ["undefine v[n]; ", "undefine next[n]; ", "undefine o[n]; "] {
        if rng.chance(97) {
            reset.push_str(statement);
        }
    }
    format!(
        "procedure collect();\nvar dead: array [Node] of boolean;\nbegin\n  \
         for n: Node do dead[n] := used[n] & !({reached}); end;\n  \
         for n: Node do if dead[n] then {reset}used[n] := false; end; end;\nend;\n"
    )
}

fn at_line(rng: &mut Rng, percent: u32) -> String {
    match rng.chance(percent) {
        true => format!("pc[i] = {} & ", rng.below(3)),
        false => String::new(),
    }
}

fn take(rng: &mut Rng) -> String {
    let next = one_of(rng, &["Nil", "Nil", "Nil", "a", "q[i]"]);
    let short = match next {
        "Nil" => String::new(),
        next => format!("({next} = Nil | next[{next}] = Nil) & "),
    };
    let to = one_of(rng, &["p[i]", "p[i]", "p[i]", "q[i]", "a"]);
    let owner = one_of(rng, &["Nobody", "i"]);
    let more = one_of(rng, &["", "", "collect(); "]);
    format!(
        "ruleset i: Thread; n: Node do\n  rule \"take\" {}{short}{to} = Nil & !used[n] ==>\n    \
         used[n] := true; v[n] := {}; next[n] := {next}; o[n] := {owner}; {to} := n; {more}\n  \
         end;\nend;\n",
        at_line(rng, 40),
        value(rng)
    )
}

/// A condition about what a thread sees; the pointers in it are not `Nil`.
fn guard(rng: &mut Rng) -> String {
    let k = value(rng);
    match rng.below(14) {
        0 => "p[i] = q[i] & ".to_owned(),
        1 => "p[i] != q[i] & ".to_owned(),
        2 => "q[i] = a & ".to_owned(),
        3 => format!("a != Nil & v[a] = {k} & "),
        4 => format!("q[i] != Nil & v[q[i]] = {k} & "),
        5 => format!("x = {k} & "),
        6 => "q[i] != Nil & o[q[i]] = i & ".to_owned(),
        7 => "q[i] != Nil & o[q[i]] = Nobody & ".to_owned(),
        8 => format!("!(exists j: Thread do pc[j] = {} end) & ", 1 + rng.below(2)),
        9 => "!(exists j: Thread do j != i & q[j] = p[i] end) & ".to_owned(),
        10 => "last = i & ".to_owned(),
        11 => "last = Nobody & ".to_owned(),
        _ => String::new(),
    }
}

/// What a rule does, and what must be true before.
fn act(rng: &mut Rng) -> (String, String) {
    let k = value(rng);
    let shared = one_of(rng, &["a", "a", "b"]);
    let own = one_of(rng, &["p[i]", "q[i]"]);
    let said = |asked: &str, done: &str| (asked.to_owned(), done.to_owned());
    let keeps = match rng.chance(30) {
        true => String::new(),
        false => format!("{own} := Nil; "),
    };
    match rng.below(22) {
        0 | 1 => said(&format!("{own} != Nil & "), &format!("v[{own}] := {k}; ")),
        2 => said(&format!("{own} != Nil & "), &format!("v[{own}] := x; ")),
        3..=6 => said("", &format!("{shared} := {own}; {keeps}")),
        7 => said(&format!("{shared} = Nil & "), &format!("{shared} := {own}; {keeps}")),
        8 => said("", &format!("if a = q[i] then a := p[i]; {keeps}end; ")),
        9 | 10 => said("", &format!("q[i] := {shared}; ")),
        11 => said("p[i] = Nil & ", &format!("p[i] := {shared}; {shared} := Nil; ")),
        12 => said("q[i] != Nil & ", "q[i] := next[q[i]]; "),
        13 => said("", &format!("{shared} := Nil; ")),
        14 => said("", &format!("x := {k}; ")),
        15 => said("a != Nil & ", "x := v[a]; "),
        16 => said(
            &format!("{own} != Nil & "),
            &format!(
                "undefine v[{own}]; undefine next[{own}]; undefine o[{own}]; used[{own}] := false; \
                 {own} := Nil; "
            ),
        ),
        17 => said(
            "",
            &format!(
                "for n: Node do if used[n] & v[n] = {k} then v[n] := {}; end; end; ",
                value(rng)
            ),
        ),
        18 => said("", "for n: Node do if used[n] & o[n] = i then o[n] := Nobody; end; end; "),
        19 => {
            let (from, to) = (rng.below(3), rng.below(3));
            said("", &format!("for j: Thread do if pc[j] = {from} then pc[j] := {to}; end; end; "))
        }
        20 => said(
            &format!("{own} != Nil & "),
            &format!("o[{own}] := {}; ", one_of(rng, &["i", "Nobody", "last"])),
        ),
        _ => said(
            "",
            one_of(
                rng,
                &["last := i; ", "last := Nobody; ", "if a != Nil then last := o[a]; end; "],
            ),
        ),
    }
}

fn rule(rng: &mut Rng, number: u32) -> String {
    let line = if rng.chance(40) { at_line(rng, 100) } else { String::new() };
    let mut asked = match rng.chance(50) {
        true => format!("{line}{}", guard(rng)),
        false => line,
    };
    let mut done = String::new();
    for _ in 0..rng.between(1, 2) {
        let (more_asked, more_done) = act(rng);
        asked.push_str(&more_asked);
        done.push_str(&more_done);
    }
    if rng.chance(40) {
        done.push_str(&format!("pc[i] := {}; ", rng.below(3)));
    }
    if rng.chance(95) {
        done.push_str("collect(); ");
    }
    format!("  rule \"{number}\" {asked}true ==> {done}end;\n")
}

fn invariant(rng: &mut Rng) -> String {
    let k = value(rng);
    let own = one_of(rng, &["p[i]", "q[i]"]);
    let line = rng.below(3);
    let text = match rng.below(22) {
        0 => format!("a = Nil | v[a] != {k}"),
        1 => "a = Nil | a != b".to_owned(),
        2 => format!("forall i: Thread do {own} = Nil | {own} != a end"),
        3 => format!("forall i: Thread do {own} = Nil | v[{own}] != {k} end"),
        4 => format!("forall n: Node do !used[n] | v[n] != {k} end"),
        5 => "forall i: Thread do p[i] = Nil | p[i] != q[i] end".to_owned(),
        6 => format!("forall i: Thread do pc[i] != {line} | {own} = Nil | used[{own}] end"),
        7 => format!("forall i: Thread do {own} = Nil | o[{own}] = i end"),
        8 => "forall n: Node do !used[n] | o[n] = Nobody | pc[o[n]] != 0 end".to_owned(),
        9 => "a = Nil | used[a]".to_owned(),
        10 => "exists n: Node do forall m: Node do !used[m] | m = n end end".to_owned(),
        11 => "exists i: Thread do forall n: Node do !used[n] | p[i] = n end end".to_owned(),
        12 => "exists k: Value do forall n: Node do !used[n] | v[n] != k end end".to_owned(),
        13 => "a = Nil | next[a] = Nil".to_owned(),
        14 => "forall n: Node do used[n] = !isundefined(v[n]) end".to_owned(),
        15 => format!("forall i: Thread do pc[i] != {line} | x != {k} | {own} != Nil end"),
        16 => "forall n: Node do !used[n] | next[n] = Nil | used[next[n]] end".to_owned(),
        17 => {
            "forall n: Node do !used[n] | o[n] = Nobody | p[o[n]] = n | q[o[n]] = n end".to_owned()
        }
        18 => format!("forall i: Thread do {own} = Nil | x != {k} | v[{own}] != {k} end"),
        _ => "true".to_owned(),
    };
    format!("invariant {text};\n")
}
