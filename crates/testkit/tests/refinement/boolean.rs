//! Boolean programs beside other Boolean programs: as `refine` reads them, one thread of
//! each of two random programs fails exactly if it does with each statement a step.
//!
//! Reductions are made for threads of one program. That a shared variable is constant because
//! the program never changes it is not true beside another one, which the tally shows.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

use frontend::{BooleanProgram, Inputs, Language, Model, Reductions, load};
use model::SourceFile;
use testkit::random::boolean_program::{RandomText, random_for_any_number};
use testkit::reference::side_by_side::nearest_error;

use crate::seeds;

const DEFAULT_SEEDS: u64 = 1500;

/// As `refine` reads programs.
const BESIDE_OTHERS: Reductions = Reductions { unused: false, constants: false, ..Reductions::ALL };
/// As they are read where all threads run the same program, but for unused variables.
const AMONG_THEMSELVES: Reductions = Reductions { unused: false, ..Reductions::ALL };

#[derive(Debug, Default)]
struct Tally {
    n_failing: u64,
    n_safe: u64,
    /// Those that create threads, move others, or are not known to the end.
    n_left_out: u64,
    /// What would be wrong if programs were read as if they were among themselves.
    n_wrong_with_constants: u64,
}

#[test]
fn programs_beside_others_fail_as_they_are_written() {
    let mut tally = Tally::default();
    for seed in seeds(DEFAULT_SEEDS) {
        let texts = over_the_same_variables([
            random_for_any_number(2 * seed),
            random_for_any_number(2 * seed + 1),
        ]);
        let written = texts.each_ref().map(|text| read(text, Reductions::NONE));
        if !written.iter().all(is_of_single_threads) {
            tally.n_left_out += 1;
            continue;
        }
        let is_failing = fails(&written);
        let found = fails(&texts.each_ref().map(|text| read(text, BESIDE_OTHERS)));
        assert_eq!(found, is_failing, "seed {seed}:\n{}\n{}", texts[0], texts[1]);
        let among = fails(&texts.each_ref().map(|text| read(text, AMONG_THEMSELVES)));
        tally.n_wrong_with_constants += u64::from(among != is_failing);
        tally.n_failing += u64::from(is_failing);
        tally.n_safe += u64::from(!is_failing);
    }
    println!("{tally:?}");
    assert!(tally.n_failing > 50 && tally.n_safe > 50, "{tally:?}");
    assert!(tally.n_wrong_with_constants > 0, "{tally:?}");
}

/// The texts with the declarations of both, each name once.
fn over_the_same_variables(mut programs: [RandomText; 2]) -> [String; 2] {
    let name = |declaration: &str| {
        let word = declaration.split_whitespace().nth(1).unwrap_or_default();
        word.trim_end_matches(';').to_owned()
    };
    let mut globals = programs[0].globals.clone();
    for declaration in &programs[1].globals {
        if globals.iter().all(|known| name(known) != name(declaration)) {
            globals.push(declaration.clone());
        }
    }
    for program in &mut programs {
        program.globals.clone_from(&globals);
    }
    programs.map(|program| program.text())
}

fn read(text: &str, reductions: Reductions) -> BooleanProgram {
    let files = [SourceFile { name: "random.bp".to_owned(), text: text.to_owned() }];
    let mut inputs = Inputs::of(&files, Language::BooleanProgram);
    inputs.reductions = reductions;
    let (model, diagnostics) = load(&inputs);
    let Some(Model::Boolean(program)) = model else { panic!("{diagnostics:#?}\n{text}") };
    *program
}

fn is_of_single_threads(program: &BooleanProgram) -> bool {
    program
        .graph()
        .edges
        .iter()
        .all(|edge| edge.spawn.is_none() && edge.passive.is_empty() && edge.incomplete.is_none())
}

fn fails([first, second]: &[BooleanProgram; 2]) -> bool {
    nearest_error([first, second]).is_some()
}
