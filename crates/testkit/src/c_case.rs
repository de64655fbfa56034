//! Case files in C: what `threadproof check` must say of them, with which arguments.
//!
//! Keys stand in comments that begin with `//@`:
//!
//! | key | meaning |
//! |---|---|
//! | `verdict` | `holds`, `holds presuming NAME`, `violated "text"` or `unknown "text"`; text is optional, and must occur in the error or the reason |
//! | `verdict with ARGS` | the same for a run with these arguments |
//! | `args` | arguments of every run |
//! | `note` | what one of the remarks of each run must contain |
//! | `threads` | threads in the counterexamples: `2`, or `at most 2` |
//! | `rule` | the rule that violated runs break, as JSON, SARIF and both witness formats name it |
//! | `fixme` | why a verdict stated is not the one we want |

use std::path::Path;

use model::Rule;

use crate::case::{Expected, Size, expected, rule, words};

/// How a verdict says what it presumes.
const PRESUMING: &str = "holds presuming ";

/// A parsed case file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CCase {
    /// All that is asked.
    pub runs: Vec<CRun>,
    /// What one of the remarks must contain.
    pub note: Option<String>,
    /// Threads in the counterexamples.
    pub n_threads: Option<Size>,
    /// The rule that violated runs break.
    pub rule: Option<Rule>,
}

/// A question with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CRun {
    /// Arguments beside the file.
    pub arguments: Vec<String>,
    /// What must come out.
    pub verdict: Expected,
    /// What it presumes that the arguments do not ask for, by the name that JSON gives it;
    /// the command then ends as undecided.
    pub presumes: Option<String>,
}

/// Reads a case file.
///
/// # Errors
/// What is wrong with its header: a missing verdict, an unknown key.
pub fn read(path: &Path) -> Result<CCase, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    parse(&text)
}

fn parse(text: &str) -> Result<CCase, String> {
    let mut case = CCase { runs: Vec::new(), note: None, n_threads: None, rule: None };
    let mut common = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("//@")) {
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        let (key, value) = (key.trim(), value.trim());
        let wrong = |error| format!("`{key}`: {error}");
        match key {
            "args" => common = words(value),
            "note" => case.note = Some(value.to_owned()),
            "threads" => case.n_threads = Some(Size::parse(value).map_err(wrong)?),
            "rule" => case.rule = Some(rule(value).map_err(wrong)?),
            "fixme" if !value.is_empty() => {}
            _ => {
                let (what, arguments) = key.split_once(" with ").unwrap_or((key, ""));
                if what != "verdict" {
                    return Err(wrong("unknown key".into()));
                }
                let verdict = expected(value).map_err(wrong)?;
                let presumes = value.strip_prefix(PRESUMING).map(str::to_owned);
                case.runs.push(CRun { arguments: words(arguments), verdict, presumes });
            }
        }
    }
    for run in &mut case.runs {
        run.arguments.splice(0..0, common.iter().cloned());
    }
    if case.runs.is_empty() { Err("no `verdict` in the header".into()) } else { Ok(case) }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::case::Expected;

    #[test]
    fn each_verdict_is_a_run_with_the_common_arguments() {
        let text = "//@ args: -O2\n//@ verdict: holds\n//@ verdict with --ub: violated \"x: y\"\n";
        let case = parse(text).expect("the header is right");
        assert_eq!(case.runs[0].arguments, ["-O2"]);
        assert_eq!(case.runs[1].arguments, ["-O2", "--ub"]);
        assert_eq!(case.runs[1].verdict, Expected::Violated(Some("x: y".into())));
    }

    #[test]
    fn a_proof_may_presume_something_by_name() {
        let text = "//@ verdict: holds presuming sequential-consistency\n//@ verdict: holds\n";
        let case = parse(text).expect("the header is right");
        assert_eq!(case.runs[0].presumes.as_deref(), Some("sequential-consistency"));
        assert_eq!((&case.runs[1].verdict, &case.runs[1].presumes), (&Expected::Holds, &None));
    }

    #[test]
    fn headers_without_a_verdict_or_with_unknown_keys_are_refused() {
        assert!(parse("int main(void) {}\n").is_err());
        assert!(parse("//@ verdict: holds\n//@ colour: red\n").is_err());
        assert!(parse("//@ verdict: holds\n//@ fixme:\n").is_err());
    }
}
