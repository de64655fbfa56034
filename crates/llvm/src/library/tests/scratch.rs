#[test]
fn scan() {
    let mut lines = Vec::new();
    let t0 = std::time::Instant::now();
    let mut files: Vec<_> =
        std::fs::read_dir("/tmp/libscan/ll").unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for file in files {
        if t0.elapsed().as_secs() > 400 {
            break;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        eprintln!("{}", file.display());
        let name =
            file.file_name().unwrap().to_string_lossy().replace("_work_shared_suites_c_", "");
        let result = std::panic::catch_unwind(|| {
            super::explorer::explore(&text, &crate::machine::Options::default())
        });
        match result {
            Ok(mut e) => {
                e.endings = e.endings.into_iter().take(3).collect();
                e.output = e.output.into_iter().take(1).collect();
                lines.push(format!("{name} {e:?}"))
            }
            Err(_) => lines.push(format!("{name} PANIC")),
        }
    }
    std::fs::write("/tmp/libscan/result.txt", lines.join("\n")).unwrap();
}
