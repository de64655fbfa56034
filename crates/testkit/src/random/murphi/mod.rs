//! Random Murphi models as text, small and rich in features, so that the front end
//! is on the tested path as well.
//!
//! Models are well typed by construction. Functions may change the state, meet a false
//! `assume` or give records, and stand in indices, headers of rules and properties. Most of them are careful (no fault can
//! happen but by undefined scalarset values); the others take risks now and then.

pub mod expr;
pub mod stmt;
pub mod world;

use crate::rng::Rng;
use expr::{Name, Role, Signature, Writer};
use stmt::Lines;
use world::{Kind, TypeIdx, World, pick};

/// A random model.
#[derive(Clone, Debug)]
pub struct MurphiText {
    /// The model.
    pub text: String,
    /// Conditions on its states, for formulas.
    pub propositions: Vec<String>,
}

/// Which models are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Anything.
    Any,
    /// No loop depends on the order of a scalarset.
    Symmetric,
}

/// Percent of risky choices in models that take risks.
const RISK: u32 = 6;

/// A random model.
pub fn random(rng: &mut Rng, style: Style) -> MurphiText {
    write(rng, style, false)
}

/// A random model in two texts that mean the same: the second one puts results of some
/// calls into variables before it uses them.
pub fn random_pair(seed: u64) -> (MurphiText, MurphiText) {
    let text = |spelled_out| write(&mut Rng::new(seed), Style::Any, spelled_out);
    (text(false), text(true))
}

fn write(rng: &mut Rng, style: Style, spelled_out: bool) -> MurphiText {
    let world = World::random(rng);
    let mut out = Lines::default();
    out.text = world.declarations();
    let mut functions = Vec::new();
    let symmetric = style == Style::Symmetric;
    let traits = Traits { symmetric, risk: pick(rng, &[0, 0, RISK]), spelled_out };
    for idx in 0..rng.below(if symmetric { 3 } else { 5 }) {
        functions.push(function(&traits, rng, &world, idx, &mut out));
    }
    for idx in 0..rng.between(1, 2) {
        start(&mut traits.writer(rng, &world, &functions), idx, &mut out);
    }
    for idx in 0..rng.between(2, 6) {
        rule(&mut traits.writer(rng, &world, &functions), idx, &mut out);
    }
    for idx in 0..rng.between(1, 3) {
        driver(&mut traits.writer(rng, &world, &functions), idx, &mut out);
    }
    properties(&mut traits.writer(rng, &world, &functions), &mut out);
    // Where an `assume` may be false, a proposition would be neither true nor false.
    functions.retain(|function| !function.drops);
    let mut writer = traits.writer(rng, &world, &functions);
    writer.risk = 0;
    let propositions = (0..3).map(|_| format!("({})", writer.condition(2))).collect();
    MurphiText { text: out.text, propositions }
}

struct Traits {
    symmetric: bool,
    risk: u32,
    spelled_out: bool,
}

impl Traits {
    fn writer<'a>(
        &self,
        rng: &'a mut Rng,
        world: &'a World,
        functions: &'a [Signature],
    ) -> Writer<'a> {
        let mut writer = Writer::new(rng, world, functions);
        writer.symmetric = self.symmetric;
        writer.risk = self.risk;
        writer.spelled_out = self.spelled_out;
        writer
    }
}

fn function(traits: &Traits, rng: &mut Rng, world: &World, idx: u32, out: &mut Lines) -> Signature {
    if traits.symmetric {
        return callable(rng, world, idx, out);
    }
    let scalarset = world.simple_types().into_iter().find(|ty| world.is_scalarset(*ty));
    let mut used = world.used_types().into_iter();
    let record = used.find(|ty| matches!(world.kind(*ty), Kind::Record { .. }));
    match (rng.below(6), scalarset, record) {
        (0, Some(ty), _) => search(rng, world, ty, idx, out),
        (1 | 2, _, Some(ty)) => effectful(rng, world, ty, idx, out),
        (1..4, ..) => {
            let simple: Vec<TypeIdx> =
                world.simple_types().into_iter().filter(|ty| !world.is_fragile(*ty)).collect();
            let ty = pick(rng, &simple);
            effectful(rng, world, ty, idx, out)
        }
        _ => callable(rng, world, idx, out),
    }
}

/// A function that may change the state, meet a false `assume`, or give a record.
fn effectful(rng: &mut Rng, world: &World, ty: TypeIdx, idx: u32, out: &mut Lines) -> Signature {
    let (writes, drops) = (rng.chance(60), rng.chance(30));
    let given = pick(rng, &world.simple_types());
    let mut writer = Writer::new(rng, world, &[]);
    writer.names.push(Name { text: "y".into(), ty: given, role: Role::Value });
    let name = format!("g{idx}");
    let id = world.name(ty);
    out.line(&format!("function {name}(y: {}): {id};", world.name(given)));
    if !world.is_simple(ty) {
        out.line(&format!("var w: {id};"));
    }
    out.line("begin");
    if writes {
        writer.block(0, out);
    }
    if drops {
        out.line(&format!("assume {};", writer.condition(1)));
    }
    match world.kind(ty) {
        Kind::Record { fields } => {
            for (field, ty) in fields {
                match writer.value(*ty, 1) {
                    Some(value) => out.line(&format!("w.{field} := {value};")),
                    None => out.line(&format!("undefine w.{field};")),
                }
            }
            out.line("return w;");
        }
        _ => function_body(&mut writer, ty, out),
    }
    out.line("end;");
    Signature { name, parameters: vec![(given, false)], returns: Some(ty), writes, drops }
}

/// A function without effects, or a procedure with a `var` parameter.
fn callable(rng: &mut Rng, world: &World, idx: u32, out: &mut Lines) -> Signature {
    let is_function = rng.chance(50);
    let simple: Vec<TypeIdx> =
        world.simple_types().into_iter().filter(|ty| !world.is_fragile(*ty)).collect();
    let mut writer = Writer::new(rng, world, &[]);
    let name = format!("{}{idx}", if is_function { "f" } else { "p" });
    let changed = (!is_function).then(|| pick(writer.rng, &simple));
    let given = pick(writer.rng, &world.simple_types());
    let returns = is_function.then(|| pick(writer.rng, &simple));
    let mut heads = Vec::new();
    if let Some(ty) = changed {
        heads.push(format!("var x: {}", world.name(ty)));
        writer.names.push(Name { text: "x".into(), ty, role: Role::Variable });
    }
    heads.push(format!("y: {}", world.name(given)));
    writer.names.push(Name { text: "y".into(), ty: given, role: Role::Value });
    match returns {
        Some(ty) => {
            let head = heads.join("; ");
            out.line(&format!("function {name}({head}): {};", world.name(ty)));
            out.line("begin");
            function_body(&mut writer, ty, out);
        }
        None => {
            out.line(&format!("procedure {name}({});", heads.join("; ")));
            out.line("begin");
            writer.block(1, out);
        }
    }
    out.line("end;");
    let mut parameters: Vec<(TypeIdx, bool)> = changed.map(|ty| (ty, true)).into_iter().collect();
    parameters.push((given, false));
    Signature { name, parameters, returns, writes: !is_function, drops: false }
}

/// A function that looks for the first element of a scalarset, in whatever order: no
/// model that calls it is symmetric.
fn search(rng: &mut Rng, world: &World, ty: TypeIdx, idx: u32, out: &mut Lines) -> Signature {
    let mut writer = Writer::new(rng, world, &[]);
    writer.names.push(Name { text: "y".into(), ty, role: Role::Value });
    let name = format!("f{idx}");
    let id = world.name(ty);
    out.line(&format!("function {name}(y: {id}): {id};"));
    out.line("begin");
    out.line(&format!("for e: {id} do"));
    let bound = Name { text: "e".into(), ty, role: Role::Value };
    let condition = writer.with(bound, |writer| writer.condition(1));
    out.line(&format!("if {condition} then return e; end;"));
    out.line("end;");
    out.line("return y;");
    out.line("end;");
    let parameters = vec![(ty, false)];
    Signature { name, parameters, returns: Some(ty), writes: false, drops: false }
}

fn function_body(writer: &mut Writer<'_>, ty: TypeIdx, out: &mut Lines) {
    let fallback = writer.literal(ty).unwrap_or_else(|| "false".into());
    out.nest(|out| {
        if writer.rng.chance(50) {
            let value = writer.value(ty, 1).unwrap_or_else(|| fallback.clone());
            out.line(&format!("if {} then return {value}; end;", writer.condition(1)));
        }
        let value = writer.value(ty, 1).unwrap_or(fallback);
        out.line(&format!("return {value};"));
    });
}

/// A start state, sometimes one for each value of a type.
fn start(writer: &mut Writer<'_>, idx: u32, out: &mut Lines) {
    let simple = writer.world.simple_types();
    let parameter = writer.rng.chance(40).then(|| pick(writer.rng, &simple));
    if let Some(ty) = parameter {
        out.line(&format!("ruleset z: {} do", writer.world.name(ty)));
        writer.names.push(Name { text: "z".into(), ty, role: Role::Value });
    }
    out.line(&format!("startstate \"s{idx}\""));
    let variables = writer.world.variables.clone();
    out.nest(|out| {
        for (name, ty) in variables {
            // Some models forget a variable.
            if !writer.rng.chance(writer.risk / 2) {
                initialise(writer, &name, ty, out);
            }
        }
    });
    out.line("end;");
    if parameter.is_some() {
        out.line("end;");
        writer.names.pop();
    }
}

fn initialise(writer: &mut Writer<'_>, place: &str, ty: TypeIdx, out: &mut Lines) {
    match writer.world.kind(ty).clone() {
        Kind::Record { fields } => {
            for (field, ty) in fields {
                initialise(writer, &format!("{place}.{field}"), ty, out);
            }
        }
        Kind::Array { index, element } => {
            let name = writer.fresh("i");
            out.line(&format!("for {name}: {} do", writer.world.name(index)));
            out.nest(|out| initialise(writer, &format!("{place}[{name}]"), element, out));
            out.line("end;");
        }
        Kind::Multiset { .. } => out.line(&format!("undefine {place};")),
        Kind::Scalarset { .. } | Kind::Union { .. } if writer.rng.chance(50) => {
            out.line(&format!("undefine {place};"));
        }
        _ => {
            // State variables are not defined yet: names of values and literals only.
            let names = std::mem::take(&mut writer.names);
            writer.names = names.iter().filter(|name| name.role == Role::Value).cloned().collect();
            let value = writer.value(ty, 0);
            writer.names = names;
            match value {
                Some(value) => out.line(&format!("{place} := {value};")),
                None => out.line(&format!("undefine {place};")),
            }
        }
    }
}

/// A rule with what surrounds it.
fn rule(writer: &mut Writer<'_>, idx: u32, out: &mut Lines) {
    let n_names = writer.names.len();
    let n_closers = binders(writer, out);
    let priority = match writer.rng.below(20) {
        0 => "1 ",
        1 => "2 ",
        _ => "",
    };
    let guard = match writer.rng.chance(70) {
        true => format!("{} ==>", writer.condition(2)),
        false => String::new(),
    };
    out.line(&format!("rule {priority}\"r{idx}\" {guard}"));
    let local = writer.rng.chance(30).then(|| local(writer, out)).flatten();
    if !writer.symmetric {
        temporaries(writer, out);
    }
    out.line("begin");
    if let Some((name, value)) = local {
        out.nest(|out| out.line(&format!("{} := {value};", name.text)));
        writer.names.push(name);
    }
    writer.block(2, out);
    out.line("end;");
    for _ in 0..n_closers {
        out.line("end;");
    }
    writer.names.truncate(n_names);
    writer.slots.clear();
    writer.temporaries.clear();
}

/// Declares a variable for the results of calls, for each type they can have.
fn temporaries(writer: &mut Writer<'_>, out: &mut Lines) {
    let types: Vec<TypeIdx> = writer.functions.iter().filter_map(|one| one.returns).collect();
    for ty in types {
        if writer.temporaries.iter().all(|(_, other)| *other != ty) {
            let name = writer.fresh("t");
            out.line(&format!("var {name}: {};", writer.world.name(ty)));
            writer.temporaries.push((name, ty));
        }
    }
}

/// A rule that gives some part of the state any value, so that most models have
/// more than a few states.
fn driver(writer: &mut Writer<'_>, idx: u32, out: &mut Lines) {
    let n_names = writer.names.len();
    let simple = writer.world.simple_types();
    let ty = pick(writer.rng, &simple);
    let mut bound = vec![ty];
    bound.extend(simple.iter().copied().filter(|ty| writer.world.is_fragile(*ty)));
    for ty in &bound {
        let name = writer.fresh("d");
        out.line(&format!("ruleset {name}: {} do", writer.world.name(*ty)));
        writer.names.push(Name { text: name, ty: *ty, role: Role::Value });
    }
    let guard = match writer.rng.chance(40) {
        true => format!("{} ==>", writer.condition(1)),
        false => String::new(),
    };
    out.line(&format!("rule \"d{idx}\" {guard}"));
    out.line("begin");
    let value = writer.names[n_names].text.clone();
    if let Some(place) = writer.place(ty, true) {
        out.nest(|out| out.line(&format!("{place} := {value};")));
    }
    out.line("end;");
    for _ in &bound {
        out.line("end;");
    }
    writer.names.truncate(n_names);
}

/// Rulesets, an alias, a choice; gives the number of `end`s that are due.
fn binders(writer: &mut Writer<'_>, out: &mut Lines) -> u32 {
    let mut n_closers = 0;
    let simple = writer.world.simple_types();
    for _ in 0..pick(writer.rng, &[0, 1, 1, 2]) {
        let ty = pick(writer.rng, &simple);
        let name = writer.fresh("r");
        out.line(&format!("ruleset {name}: {} do", writer.world.name(ty)));
        writer.names.push(Name { text: name, ty, role: Role::Value });
        n_closers += 1;
    }
    if writer.rng.chance(35)
        && let Some((bag, _, element)) = writer.multiset()
    {
        let slot = writer.fresh("m");
        out.line(&format!("choose {slot}: {bag} do"));
        writer.slots.push((slot, bag, element));
        n_closers += 1;
    }
    if writer.rng.chance(20) {
        let types: Vec<TypeIdx> = writer.world.used_types();
        let ty = pick(writer.rng, &types);
        if let Some(place) = writer.place(ty, true) {
            let name = writer.fresh("a");
            out.line(&format!("alias {name}: {place} do"));
            writer.names.push(Name { text: name, ty, role: Role::Variable });
            n_closers += 1;
        }
    }
    if !writer.symmetric && writer.rng.chance(20) {
        let fitting: Vec<TypeIdx> =
            simple.into_iter().filter(|ty| !writer.world.is_fragile(*ty)).collect();
        let ty = pick(writer.rng, &fitting);
        if let Some(value) = writer.called(ty, 1).or_else(|| writer.value(ty, 1)) {
            let name = writer.fresh("a");
            out.line(&format!("alias {name}: {value} do"));
            writer.names.push(Name { text: name, ty, role: Role::Value });
            n_closers += 1;
        }
    }
    n_closers
}

/// Declares a local variable; gives it with its first value.
fn local(writer: &mut Writer<'_>, out: &mut Lines) -> Option<(Name, String)> {
    let simple = writer.world.simple_types();
    let ty = pick(writer.rng, &simple);
    let value = writer.value(ty, 1)?;
    let name = writer.fresh("l");
    out.line(&format!("var {name}: {};", writer.world.name(ty)));
    Some((Name { text: name, ty, role: Role::Variable }, value))
}

fn properties(writer: &mut Writer<'_>, out: &mut Lines) {
    for idx in 0..pick(writer.rng, &[0, 0, 1, 2]) {
        let condition = writer.condition(3);
        out.line(&format!("invariant \"i{idx}\" {condition};"));
    }
    if writer.rng.chance(8) {
        out.line(&format!("cover \"c\" {};", writer.condition(2)));
    }
    if writer.rng.chance(8) {
        out.line(&format!("liveness \"g\" {};", writer.condition(2)));
    }
    if writer.rng.chance(8) {
        out.line(&format!("assume \"a\" {};", writer.condition(2)));
    }
}
