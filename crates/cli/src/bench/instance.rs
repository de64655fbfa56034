//! What a suite asks: models, their options, and the verdicts to expect.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// One line of an `expected.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The model as the suite names it.
    pub name: String,
    /// Where the model is.
    pub file: PathBuf,
    /// Where its property is.
    pub property: Option<PathBuf>,
    /// Its initial states, if not the default ones.
    pub init: Option<String>,
    /// The verdict to expect; `None` when nobody knows.
    pub expected: Option<Answer>,
    /// The verdict that a list of disputed labels gives instead.
    pub disputed: Option<Answer>,
}

/// A decided answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The property holds.
    Safe,
    /// It is violated.
    Unsafe,
}

impl Answer {
    /// As suites write it.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Safe => "safe",
            Answer::Unsafe => "unsafe",
        }
    }
}

/// Reads `DIR/expected.csv`, or the file itself.
pub fn read_suite(path: &Path) -> anyhow::Result<Vec<Instance>> {
    let file = if path.is_dir() { path.join("expected.csv") } else { path.to_owned() };
    let dir = file.parent().unwrap_or(Path::new(""));
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_path(&file)
        .with_context(|| format!("cannot read `{}`", file.display()))?;
    let heading = reader.headers().with_context(|| format!("in `{}`", file.display()))?.clone();
    let column = |name: &str| heading.iter().position(|field| field.trim() == name);
    let (Some(model), Some(expected)) = (column("file"), column("expected")) else {
        bail!("`{}` needs the columns `file` and `expected`", file.display());
    };
    let (property, init) = (column("property_file"), column("init"));
    let mut instances = Vec::new();
    for (idx, record) in reader.records().enumerate() {
        let record = record.with_context(|| format!("in `{}`, row {}", file.display(), idx + 2))?;
        let field = |column: Option<usize>| {
            column.and_then(|at| record.get(at)).map(str::trim).filter(|text| !text.is_empty())
        };
        let Some(name) = field(Some(model)) else { continue };
        let word = field(Some(expected)).unwrap_or("unknown");
        instances.push(Instance {
            name: name.to_owned(),
            file: dir.join(name),
            property: field(property).map(|name| dir.join(name)),
            init: field(init).filter(|text| *text != "any").map(str::to_owned),
            expected: expectation(word)
                .with_context(|| format!("in `{}`, row {}", file.display(), idx + 2))?,
            disputed: None,
        });
    }
    Ok(instances)
}

/// Marks the instances whose label a list (an `expected.csv` as well) disputes.
pub fn mark_disputed(instances: &mut [Instance], list: &Path) -> anyhow::Result<()> {
    for claim in read_suite(list)? {
        for instance in instances.iter_mut().filter(|instance| instance.name == claim.name) {
            instance.disputed = claim.expected;
        }
    }
    Ok(())
}

fn expectation(word: &str) -> anyhow::Result<Option<Answer>> {
    match word {
        "safe" | "holds" | "true" => Ok(Some(Answer::Safe)),
        "unsafe" | "violated" | "false" => Ok(Some(Answer::Unsafe)),
        "unknown" => Ok(None),
        other => bail!("`{other}` is not a verdict; write safe, unsafe or unknown"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, expectation};

    #[test]
    fn verdicts_are_read_in_the_words_of_several_suites() {
        assert_eq!(expectation("holds").expect("known word"), Some(Answer::Safe));
        assert_eq!(expectation("unsafe").expect("known word"), Some(Answer::Unsafe));
        assert_eq!(expectation("unknown").expect("known word"), None);
        assert!(expectation("maybe").is_err());
    }
}
