//! The table of a suite: wrong verdicts first, then labelled instances that were
//! not decided, then the rest, the slowest first.

use std::time::Duration;

use report::layout::{clip, pad};
use report::text::size_words;
use serde_json::json;

use super::child::Reply;
use super::instance::Instance;

/// Columns of the CSV file.
pub const CSV_HEADING: [&str; 8] =
    ["file", "expected", "verdict", "grade", "seconds", "peak_memory", "engine", "reason"];
/// The widest column of names.
const MAX_NAME_WIDTH: usize = 56;

/// How good a reply is. In the order in which the table shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// The opposite of what is known.
    Wrong,
    /// A bug ended the run.
    Crashed,
    /// The opposite of the label, as a list of disputed labels says.
    Disputed,
    /// No answer, though one is known.
    Unsolved,
    /// As expected.
    Correct,
    /// An answer to what nobody knew.
    Decided,
    /// No answer to what nobody knew.
    Open,
}

impl Grade {
    fn word(self) -> &'static str {
        match self {
            Grade::Wrong => "WRONG",
            Grade::Crashed => "CRASHED",
            Grade::Disputed => "disputed",
            Grade::Unsolved => "unsolved",
            Grade::Correct => "correct",
            Grade::Decided => "decided",
            Grade::Open => "open",
        }
    }

    /// Decided instances of any kind are ordered by time alone.
    fn section(self) -> u8 {
        match self {
            Grade::Wrong | Grade::Crashed => 0,
            Grade::Disputed => 1,
            Grade::Unsolved => 2,
            Grade::Correct | Grade::Decided | Grade::Open => 3,
        }
    }
}

/// One instance with what came of it.
#[derive(Clone, Debug)]
pub struct Row {
    name: String,
    expected: &'static str,
    reply: Reply,
    /// How good the reply is.
    pub grade: Grade,
}

impl Row {
    /// Grades a reply.
    pub fn new(instance: &Instance, reply: Reply) -> Row {
        let grade = match (instance.expected, reply.answer) {
            _ if reply.has_crashed => Grade::Crashed,
            (Some(expected), Some(answer)) if expected == answer => Grade::Correct,
            (Some(_), Some(answer)) if instance.disputed == Some(answer) => Grade::Disputed,
            (Some(_), Some(_)) => Grade::Wrong,
            (Some(_), None) => Grade::Unsolved,
            (None, Some(_)) => Grade::Decided,
            (None, None) => Grade::Open,
        };
        let expected = instance.expected.map_or("unknown", |answer| answer.word());
        Row { name: instance.name.clone(), expected, reply, grade }
    }

    /// The fields under [`CSV_HEADING`].
    pub fn csv_record(&self) -> [String; 8] {
        [
            self.name.clone(),
            self.expected.to_owned(),
            self.verdict().to_owned(),
            self.grade.word().to_owned(),
            format!("{:.3}", self.reply.elapsed.as_secs_f64()),
            self.reply.peak_memory.map_or(String::new(), |bytes| bytes.to_string()),
            self.reply.engine.clone(),
            self.reply.reason.clone(),
        ]
    }

    /// The same as a JSON object on one line.
    pub fn json(&self) -> String {
        json!({
            "file": self.name,
            "expected": self.expected,
            "verdict": self.verdict(),
            "grade": self.grade.word(),
            "seconds": self.reply.elapsed.as_millis() as f64 / 1000.0,
            "peak_memory": self.reply.peak_memory,
            "engine": self.reply.engine,
            "reason": self.reply.reason,
        })
        .to_string()
    }

    fn verdict(&self) -> &'static str {
        self.reply.answer.map_or("unknown", |answer| answer.word())
    }
}

/// The whole table with its summary.
pub fn render(mut rows: Vec<Row>, n_planned: usize, total: Duration) -> String {
    rows.sort_by(|a, b| {
        let by_section = a.grade.section().cmp(&b.grade.section());
        by_section.then(b.reply.elapsed.cmp(&a.reply.elapsed)).then(a.name.cmp(&b.name))
    });
    let name_width =
        rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).clamp(4, MAX_NAME_WIDTH);
    let mut out = format!(
        "{}  expected  verdict  grade     {:>9}  {:>12}  engine\n",
        pad("file", name_width),
        "time",
        "memory"
    );
    for row in &rows {
        out.push_str(&line(row, name_width));
    }
    out.push_str(&summary(&rows, n_planned, total));
    out
}

fn line(row: &Row, name_width: usize) -> String {
    let memory = row.reply.peak_memory.map_or(String::new(), size_words);
    let mut line = format!(
        "{}  {:<8}  {:<7}  {:<8}  {:>7.2} s  {memory:>12}  {}",
        pad(&clip(&row.name, name_width), name_width),
        row.expected,
        row.verdict(),
        row.grade.word(),
        row.reply.elapsed.as_secs_f64(),
        row.reply.engine,
    );
    if !row.reply.reason.is_empty() {
        line.push_str(&format!("  {}", row.reply.reason));
    }
    line.truncate(line.trim_end().len());
    line + "\n"
}

fn summary(rows: &[Row], n_planned: usize, total: Duration) -> String {
    let n = |grade: Grade| rows.iter().filter(|row| row.grade == grade).count();
    let mut text = format!(
        "\n{} correct, {} wrong, {} disputed, {} crashed, {} unsolved, {} unlabelled decided, \
         {} open; {:.1} s in all\n",
        n(Grade::Correct),
        n(Grade::Wrong),
        n(Grade::Disputed),
        n(Grade::Crashed),
        n(Grade::Unsolved),
        n(Grade::Decided),
        n(Grade::Open),
        total.as_secs_f64()
    );
    if rows.len() < n_planned {
        text.push_str(&format!("stopped after {} of {n_planned}\n", rows.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use super::{Grade, Row, render};
    use crate::bench::child::Reply;
    use crate::bench::instance::{Answer, Instance};

    fn instance(name: &str, expected: Option<Answer>) -> Instance {
        let (name, file) = (name.to_owned(), PathBuf::from(name));
        Instance { name, file, property: None, init: None, expected, disputed: None }
    }

    fn reply(answer: Option<Answer>, millis: u64) -> Reply {
        Reply {
            answer,
            reason: String::new(),
            has_crashed: false,
            engine: "cover".to_owned(),
            elapsed: Duration::from_millis(millis),
            peak_memory: Some(1 << 20),
        }
    }

    fn row(name: &str, expected: Option<Answer>, answer: Option<Answer>, millis: u64) -> Row {
        Row::new(&instance(name, expected), reply(answer, millis))
    }

    #[test]
    fn wrong_verdicts_come_first_and_unknown_labels_are_never_wrong() {
        let rows = vec![
            row("slow", Some(Answer::Safe), Some(Answer::Safe), 900),
            row("open", None, Some(Answer::Unsafe), 1000),
            row("missing", Some(Answer::Safe), None, 10),
            row("wrong", Some(Answer::Safe), Some(Answer::Unsafe), 1),
        ];
        assert_eq!(rows[1].grade, Grade::Decided);
        let text = render(rows, 4, Duration::from_secs(2));
        let order: Vec<&str> =
            text.lines().skip(1).take(4).filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(order, ["wrong", "missing", "open", "slow"]);
        assert!(text.contains("1 correct, 1 wrong, 0 disputed, 0 crashed, 1 unsolved"));
    }

    #[test]
    fn a_disputed_label_is_not_wrong_only_for_the_answer_it_is_disputed_with() {
        let disputed = |disputed, answer| {
            let mut instance = instance("a", Some(Answer::Safe));
            instance.disputed = disputed;
            Row::new(&instance, reply(Some(answer), 1)).grade
        };
        assert_eq!(disputed(Some(Answer::Unsafe), Answer::Unsafe), Grade::Disputed);
        assert_eq!(disputed(Some(Answer::Unsafe), Answer::Safe), Grade::Correct);
        assert_eq!(disputed(None, Answer::Unsafe), Grade::Wrong);
    }
}
