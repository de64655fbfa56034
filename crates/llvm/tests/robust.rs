//! Whatever the text, the reader answers: it does not panic, loop or overflow.

mod common;

use common::SAMPLES;

/// Mutants of each sample.
const N_MUTANTS: u32 = 2000;

/// A generator of numbers with a fixed seed (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Pieces that mutants are made with, besides what the text has.
const PIECES: [&str; 24] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "!",
    "!0",
    "%0",
    "@0",
    "\"",
    "\\",
    "99999999999999999999",
    "-1",
    "i32",
    "ptr",
    "\n",
    "x",
    "label",
    "null",
    "é",
    "#dbg_value(",
];

fn mutate(text: &str, numbers: &mut Numbers) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(lines.len());
        let other = numbers.below(lines.len());
        match numbers.below(6) {
            0 => {
                lines.remove(at);
            }
            1 => lines.swap(at, other),
            2 => {
                let copy = lines[other].clone();
                lines.insert(at, copy);
            }
            _ => lines[at] = mutate_line(&lines[at], numbers),
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
    }
    lines.join("\n")
}

fn mutate_line(line: &str, numbers: &mut Numbers) -> String {
    let mut chars: Vec<char> = line.chars().collect();
    let at = numbers.below(chars.len() + 1);
    match numbers.below(4) {
        0 if at < chars.len() => {
            chars.remove(at);
        }
        1 if at < chars.len() => chars[at] = char::from(numbers.below(128) as u8),
        2 => chars.truncate(at),
        _ => {
            let piece = PIECES[numbers.below(PIECES.len())];
            chars.splice(at..at, piece.chars());
        }
    }
    chars.into_iter().collect()
}

#[test]
fn no_mutant_of_our_samples_makes_the_reader_panic() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut n_read, mut n_refused) = (0, 0);
    for (name, text) in SAMPLES {
        for _ in 0..N_MUTANTS {
            let mutant = mutate(text, &mut numbers);
            match llvm::read(&mutant) {
                Ok(module) => {
                    n_read += 1;
                    let _ = llvm::link(vec![module.clone(), module]);
                }
                Err(errors) => {
                    n_refused += 1;
                    let n_lines = mutant.lines().count() as u32 + 1;
                    assert!(errors.iter().all(|e| e.line >= 1 && e.line <= n_lines), "{name}");
                }
            }
        }
    }
    assert!(n_read > 100 && n_refused > 100, "{n_read} were read, {n_refused} refused");
}

#[test]
fn every_prefix_of_our_samples_gets_an_answer() {
    for (_, text) in SAMPLES {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)).step_by(3) {
            let _ = llvm::read(&text[..end]);
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    let deep = 100_000;
    let texts = [
        format!("@x = global {}i8{} zeroinitializer", "[1 x ".repeat(deep), "]".repeat(deep)),
        format!("@x = global i8 {}", "[i8 ".repeat(deep)),
        format!("@x = global ptr {}", "getelementptr (i8, ptr ".repeat(deep)),
        format!("!0 = {}", "!{".repeat(deep)),
        format!("!0 = {}", "!DILocation(scope: ".repeat(deep)),
        format!("%t = type {}", "{ ".repeat(deep)),
        format!("@x = global void {} null", "(void ".repeat(deep)),
        format!("attributes #0 = {}", "{".repeat(deep)),
    ];
    for text in texts {
        assert!(llvm::read(&text).is_err(), "{}", &text[..40]);
    }
}

#[test]
fn long_chains_of_named_types_are_refused() {
    let mut text = "%t0 = type { i8 }\n".to_owned();
    for idx in 1..5000 {
        text += &format!("%t{idx} = type {{ %t{} }}\n", idx - 1);
    }
    assert!(llvm::read(&text).is_err());
    let mut text = "%t0 = type { i8, i8 }\n".to_owned();
    for idx in 1..100 {
        text += &format!("%t{idx} = type {{ %t{0}, %t{0} }}\n", idx - 1);
    }
    assert!(llvm::read(&text).is_err());
    let many: String =
        (0..5000).map(|idx| format!("%t{idx} = type {{ i{} }}\n", idx + 1)).collect();
    assert!(llvm::read(&many).is_ok());
}

#[test]
fn pointers_to_pointers_and_huge_arrays_are_fine() {
    let text = format!("@x = global i8{} null", "*".repeat(100_000));
    assert!(llvm::read(&text).is_ok());
    let module = llvm::read("@x = global [18446744073709551615 x i64] zeroinitializer");
    let module = module.expect("it is right");
    let llvm::ir::Definition::Variable(variable) = &module.symbols[0].definition else {
        panic!("no variable");
    };
    assert_eq!(module.types.size(&module.layout, variable.ty), None);
    assert!(llvm::read("@x = global [18446744073709551616 x i8] zeroinitializer").is_err());
}

#[test]
fn time_is_linear_in_the_text() {
    let function = |idx: usize| {
        let lines: String =
            (1..200).map(|n| format!("  %{} = add i32 %{}, {n}\n", n + 1, n)).collect();
        format!(
            "define i32 @f{idx}(i32 %0) {{\nentry:\n  %1 = add i32 %0, 1\n{lines}  ret i32 %200\n}}\n"
        )
    };
    let time = |n: usize| {
        let text: String = (0..n).map(function).collect();
        let start = std::time::Instant::now();
        assert!(llvm::read(&text).is_ok());
        start.elapsed()
    };
    let small = time(20);
    let large = time(200);
    assert!(large < small * 60 + std::time::Duration::from_millis(500), "{small:?}, {large:?}");
}
