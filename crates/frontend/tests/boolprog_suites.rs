//! Every public Boolean program is read without an error, and printing it and reading
//! it again gives the same program. The suites are not part of this repository: set
//! `THREADPROOF_SUITES`.

use std::fs;
use std::path::PathBuf;

use frontend::boolprog::{print, syntax};
use model::SourceFile;

/// Files of the three folders.
const N_FILES: usize = 54;

#[test]
fn every_public_boolean_program_is_read_and_printed() {
    let Some(suites) = std::env::var_os("THREADPROOF_SUITES") else { return };
    let root = PathBuf::from(suites).join("boolean");
    let mut n_read = 0;
    for folder in ["ijit", "ucob", "cuba"] {
        for entry in fs::read_dir(root.join(folder)).expect("the folder is readable") {
            let path = entry.expect("its entries are readable").path();
            let text = fs::read_to_string(&path).expect("a readable file");
            let name = path.display().to_string();
            let file = SourceFile { name: name.clone(), text };
            let (program, diagnostics) = syntax(&file);
            let errors: Vec<_> = diagnostics.iter().filter(|one| one.is_error()).collect();
            assert!(errors.is_empty(), "{name}: {errors:?}");
            assert!(!program.procedures.is_empty(), "{name}");
            let printed = print(&program);
            let (again, _) = syntax(&SourceFile { name: name.clone(), text: printed.clone() });
            assert_eq!(print(&again), printed, "{name}");
            n_read += 1;
        }
    }
    assert_eq!(n_read, N_FILES);
}
