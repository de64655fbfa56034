//! The public Boolean programs are read.

use std::path::PathBuf;

use model::SourceFile;

#[test]
fn every_public_boolean_program_is_read_without_an_error() {
    let Some(suites) = std::env::var_os("THREADPROOF_SUITES") else {
        eprintln!("skipped: THREADPROOF_SUITES is not set");
        return;
    };
    let root = PathBuf::from(suites).join("boolean");
    let mut n_read = 0;
    for folder in ["ijit", "ucob", "cuba"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("the suite is there") {
            let path = entry.expect("the folder can be read").path();
            let text = std::fs::read_to_string(&path).expect("the file can be read");
            let file = SourceFile { name: path.display().to_string(), text };
            let (program, diagnostics) = frontend::boolprog::syntax(&file);
            let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).collect();
            assert!(errors.is_empty(), "{}: {errors:?}", path.display());
            assert!(!program.procedures.is_empty(), "{}", path.display());
            n_read += 1;
        }
    }
    assert_eq!(n_read, 54);
}
