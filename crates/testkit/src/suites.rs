//! The public suites by their `expected.csv`: which model, with which property and which
//! initial states, and what is said of it. The suites are not ours to copy.

use std::path::{Path, PathBuf};

use crate::texts::Texts;

/// One line of an `expected.csv`.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The model.
    pub file: PathBuf,
    /// Its property, where that is a file of its own.
    pub property: Option<PathBuf>,
    /// Its initial states, where they are not those that its language takes by itself.
    pub init: Option<String>,
    /// `safe`, `unsafe`, or `unknown` where nobody said so.
    pub expected: String,
}

impl Instance {
    /// Its texts.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn texts(&self) -> Result<Texts, String> {
        let mut texts = Texts::read(&self.file)?;
        if let Some(path) = &self.property {
            let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
            texts = texts.with_property(&text);
        }
        if let Some(init) = &self.init {
            texts = texts.with_init(init);
        }
        Ok(texts)
    }
}

/// The lines of a folder's `expected.csv`: file, property file, initial states, verdict, note.
///
/// # Panics
/// It cannot be read.
pub fn instances(folder: &Path) -> Vec<Instance> {
    let path = folder.join("expected.csv");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    let rows = text.lines().skip(1).map(fields).filter(|row| row.len() >= 4);
    let present = |field: &String| (!field.is_empty()).then(|| field.clone());
    let instances = rows.map(|row| Instance {
        file: folder.join(&row[0]),
        property: present(&row[1]).map(|name| folder.join(name)),
        init: present(&row[2]).filter(|init| init != "any"),
        expected: row[3].clone(),
    });
    instances.collect()
}

/// Splits a line at commas outside of quotes.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.trim_end().chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("there is always a field").push(c),
        }
    }
    fields
}
