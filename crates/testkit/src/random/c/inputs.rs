//! Random functions of inputs with few values: what they can return is known by trying all.
//!
//! The values lie in windows, around zero, the ends of the type and anywhere, so that sums and
//! products wrap around in some and not in others. Signed arithmetic must wrap (`-fwrapv`).

use crate::rng::Rng;

const TYPES: [(&str, i64, i64); 6] = [
    ("i8", -128, 127),
    ("u8", 0, 255),
    ("i16", -32_768, 32_767),
    ("u16", 0, 65_535),
    ("i32", -2_147_483_648, 2_147_483_647),
    ("u32", 0, 4_294_967_295),
];

const CONSTANTS: [i64; 22] =
    [0, 1, 2, 3, 4, 5, 7, 8, 10, 15, 16, 31, 100, 127, 128, 255, 256, 1000, 65_535, -1, -3, -10];

const DIVISORS: [&str; 11] = ["1", "2", "3", "5", "7", "8", "10", "16", "-2", "-7", "1000"];

const RELATIONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

/// An input of a function.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its type.
    pub name: &'static str,
    /// From where to where its values go.
    pub windows: Vec<(i64, i64)>,
}

/// A function of some inputs.
#[derive(Clone, Debug)]
pub struct InputFunction {
    /// What it is a function of.
    pub inputs: Vec<Input>,
    /// Its body, one statement a line; inputs are `x0`, `x1`, and so on.
    pub body: String,
}

/// A function of one to three inputs.
pub fn input_function(rng: &mut Rng) -> InputFunction {
    let n_inputs = [1, 1, 2, 2, 3][rng.below(5) as usize];
    let width = [200, 24, 7][n_inputs - 1];
    let inputs: Vec<Input> = (0..n_inputs).map(|_| input(rng, width)).collect();
    let mut names: Vec<String> = (0..n_inputs).map(|idx| format!("x{idx}")).collect();
    let mut lines = Vec::new();
    for idx in 0..rng.between(1, 4) {
        let kind = ["i32", "i32", "u32", "i64", "i16", "i8", "u8", "double"][rng.below(8) as usize];
        let depth = rng.between(1, 3);
        let value = match kind {
            "double" => atom(rng, &names),
            _ => expression(rng, &names, depth),
        };
        lines.push(format!("  {kind} v{idx} = {value};"));
        if rng.chance(40) {
            let (relation, result) = (one_of(rng, &RELATIONS), expression(rng, &names, 1));
            let (left, right) = (atom(rng, &names), atom(rng, &names));
            lines.push(format!("  if ({left} {relation} {right}) v{idx} = {result};"));
        }
        match kind {
            // Floats are compared alone.
            "double" => {
                let (relation, number) = (one_of(rng, &RELATIONS), constant(rng));
                lines.push(format!("  i32 w{idx} = v{idx} {relation} {number};"));
                names.push(format!("w{idx}"));
            }
            _ => names.push(format!("v{idx}")),
        }
    }
    lines.push(format!("  return (i32)({});", expression(rng, &names, 1)));
    InputFunction { inputs, body: lines.join("\n") + "\n" }
}

fn input(rng: &mut Rng, width: u32) -> Input {
    let (name, least, greatest) = TYPES[rng.below(6) as usize];
    let window = |rng: &mut Rng| {
        let anywhere = least + (rng.next_u64() % (greatest - least + 1) as u64) as i64;
        let middles = [least, greatest, 0, 0, 100, 1000, anywhere];
        let from = middles[rng.below(7) as usize] + i64::from(rng.below(17)) - 8;
        let from = from.clamp(least, greatest);
        (from, (from + i64::from(rng.below(width))).min(greatest))
    };
    let windows = (0..rng.between(1, 2)).map(|_| window(rng)).collect();
    Input { name, windows }
}

fn one_of<'a>(rng: &mut Rng, all: &[&'a str]) -> &'a str {
    all[rng.below(all.len() as u32) as usize]
}

fn constant(rng: &mut Rng) -> i64 {
    match rng.below(4) {
        0 => i64::from(rng.below(600)) - 300,
        1 => 1 << rng.below(31),
        _ => CONSTANTS[rng.below(CONSTANTS.len() as u32) as usize],
    }
}

fn atom(rng: &mut Rng, names: &[String]) -> String {
    match rng.chance(75) {
        true => names[rng.below(names.len() as u32) as usize].clone(),
        false => format!("({})", constant(rng)),
    }
}

fn expression(rng: &mut Rng, names: &[String], depth: u32) -> String {
    if depth == 0 || rng.chance(10) {
        return atom(rng, names);
    }
    let left = expression(rng, names, depth - 1);
    match rng.below(16) {
        0 => format!("(~{left})"),
        1 => format!("(-{left})"),
        2 => format!("(!{left})"),
        3 => format!("(({}){left})", TYPES[rng.below(6) as usize].0),
        4 => format!("({left} >> {})", rng.below(12)),
        5 => format!("({left} << {})", rng.below(12)),
        6 | 7 => {
            let (op, by) = (one_of(rng, &["/", "%", "%"]), one_of(rng, &DIVISORS));
            format!("({left} {op} ({by}))")
        }
        8 => format!("({left} % {}u)", rng.between(1, 300)),
        9 => {
            let right = expression(rng, names, depth - 1);
            format!("({left} {} {right})", one_of(rng, &RELATIONS))
        }
        10 => format!("({left} {} {})", one_of(rng, &RELATIONS), constant(rng)),
        _ => {
            let op = one_of(rng, &["+", "-", "*", "&", "&", "|", "^"]);
            let right = match rng.chance(40) {
                true => expression(rng, names, depth - 1),
                false => format!("({})", constant(rng)),
            };
            let is_swapped = rng.chance(20);
            let (left, right) = if is_swapped { (right, left) } else { (left, right) };
            format!("({left} {op} {right})")
        }
    }
}
