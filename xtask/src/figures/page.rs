//! Tables of the book's page: each lies between two comments and is replaced as a whole.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::runs::{Run, Verdict};

/// Ends a table.
const END: &str = "<!-- end of table -->";

/// A page with tables.
pub struct Page {
    path: PathBuf,
    text: String,
}

impl Page {
    /// Reads a page.
    pub fn open(path: &Path) -> Result<Page> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Ok(Page { path: path.to_path_buf(), text })
    }

    /// Replaces the table that begins with `<!-- table: name -->`.
    pub fn fill(&mut self, name: &str, table: &str) -> Result<()> {
        self.text = filled(&self.text, name, table)
            .with_context(|| format!("{}: no table `{name}`", self.path.display()))?;
        Ok(())
    }

    /// Writes the page back.
    pub fn save(&self) -> Result<()> {
        Ok(std::fs::write(&self.path, &self.text)?)
    }
}

fn filled(text: &str, name: &str, table: &str) -> Option<String> {
    let mark = format!("<!-- table: {name} -->");
    let start = text.find(&mark)? + mark.len();
    let end = start + text[start..].find(END)?;
    Some(format!("{}\n{table}{}", &text[..start], &text[end..]))
}

/// A table in Markdown: the first column is text, the others are numbers.
pub fn table(heading: &[&str], rows: &[Vec<String>]) -> String {
    let mut text =
        format!("| {} |\n|---{}|\n", heading.join(" | "), "|---:".repeat(heading.len() - 1));
    for row in rows {
        text += &format!("| {} |\n", row.join(" | "));
    }
    text
}

/// The states of a run, or a mark if it reached its limit.
pub fn count(run: &Run) -> String {
    match run.verdict {
        Verdict::Unknown => "!".to_owned(),
        Verdict::Holds | Verdict::Violated | Verdict::Bounded => grouped(run.states),
    }
}

/// A number with commas between its thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{filled, grouped, table};

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([7, 25_021, 1_529_342].map(grouped), ["7", "25,021", "1,529,342"]);
    }

    #[test]
    fn a_table_is_replaced_and_the_rest_is_kept() {
        let text = "a\n<!-- table: x -->\nold\n<!-- end of table -->\nb";
        let row = vec!["1".to_owned(), "2".to_owned()];
        let now = filled(text, "x", &table(&["n", "states"], &[row])).expect("it is there");
        let expected = "a\n<!-- table: x -->\n| n | states |\n|---|---:|\n| 1 | 2 |\n\
                        <!-- end of table -->\nb";
        assert_eq!(now, expected);
        assert_eq!(filled(text, "y", ""), None);
    }
}
