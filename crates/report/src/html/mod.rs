//! The report for a browser: one page that needs nothing but itself.
//!
//! The page is a fixed document, a style and a script, all ours, and one block of JSON
//! with what is to be shown. **Nothing from an input is ever markup**: it is text inside
//! of that block, without the characters that could end it, and the script puts it on
//! the page as text. Beyond that, the page's security policy allows this very style and
//! this very script, by their digests, and forbids everything else.

mod excerpt;
pub(crate) mod policy;

use model::Verdict;
use serde::Serialize;

use crate::layout::plain;
use crate::story::{self, SourceMap, Story};
use crate::text::{
    duration_words, evidence_words, figure_words, presumed, proof_words, property_lines,
    scope_fact, size_words, verdict_sentence,
};
use crate::{Run, proof_text};
use excerpt::{Excerpt, excerpts};

const TOOL: &str = concat!("threadproof ", env!("CARGO_PKG_VERSION"));
const STYLE: &str = include_str!("page.css");
/// In the order in which they rely on each other.
const SCRIPTS: &[&str] = &[
    include_str!("elements.js"),
    include_str!("diagram.js"),
    include_str!("source.js"),
    include_str!("values.js"),
    include_str!("trouble.js"),
    include_str!("page.js"),
];

/// The page. Two runs without effort give the same bytes.
pub fn render(run: &Run<'_>) -> String {
    let style = unix_lines(STYLE);
    let script = format!("(() => {{\n\"use strict\";\n{}}})();\n", unix_lines(&SCRIPTS.concat()));
    let content = policy::as_script_text(&page(run));
    let policy = policy::policy(&style, &script);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>threadproof report</title>\n<style>{style}</style>\n</head>\n<body>\n\
         <noscript>This report is shown by a script of its own, which is turned off.</noscript>\n\
         <div id=\"page\"></div>\n\
         <script type=\"application/json\" id=\"content\">{content}</script>\n\
         <script>{script}</script>\n</body>\n</html>\n"
    )
}

/// Browsers read line ends in one way before they compute digests.
fn unix_lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// What the page shows.
#[derive(Serialize)]
struct Page {
    tool: &'static str,
    verdict: &'static str,
    headline: String,
    inputs: Vec<String>,
    facts: Vec<Fact>,
    proof: Option<ProofWords>,
    files: Vec<Excerpt>,
    story: Option<Story>,
}

#[derive(Serialize)]
struct Fact {
    key: &'static str,
    text: String,
}

/// Why a certificate proves the property.
#[derive(Serialize)]
struct ProofWords {
    sentence: String,
    lines: Vec<String>,
}

fn page(run: &Run<'_>) -> Page {
    let places = SourceMap::new(run.files);
    let story = story::tell(run, &places);
    Page {
        tool: TOOL,
        verdict: match run.outcome.verdict {
            Verdict::Holds(_) => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        },
        headline: verdict_sentence(run.problem, run.outcome, run.presumes),
        inputs: run.files.iter().map(|file| plain(&file.name)).collect(),
        facts: facts(run),
        proof: proof(run),
        files: excerpts(run.files, story.as_ref()),
        story,
    }
}

fn facts(run: &Run<'_>) -> Vec<Fact> {
    let outcome = run.outcome;
    let mut facts: Vec<Fact> = Vec::new();
    let mut add = |key, text: String| facts.push(Fact { key, text });
    property_lines(run.problem).into_iter().for_each(|line| add("property", line));
    match &outcome.verdict {
        Verdict::Holds(certificate) => {
            add("proof", proof_words(&certificate.proof));
            scope_fact(run.problem, certificate).into_iter().for_each(|scope| add("scope", scope));
        }
        Verdict::Violated(trace) => add("evidence", evidence_words(trace).to_owned()),
        Verdict::Unknown(_) => {}
    }
    if let Some(presumption) = presumed(run) {
        add("presumes", presumption.meaning().to_owned());
    }
    add("engine", plain(&outcome.engine));
    if let Some(effort) = run.effort {
        add("time", duration_words(effort.elapsed));
        if let Some(bytes) = effort.peak_memory {
            add("memory", size_words(bytes));
        }
    }
    let figures = figure_words(&outcome.statistics);
    if !figures.is_empty() {
        add("statistics", plain(&figures.join(", ")));
    }
    outcome.notes.iter().for_each(|note| add("note", plain(note)));
    facts
}

fn proof(run: &Run<'_>) -> Option<ProofWords> {
    let Verdict::Holds(certificate) = &run.outcome.verdict else { return None };
    let text = proof_text::explain(run.problem, certificate, usize::MAX);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).map(plain);
    Some(ProofWords { sentence: lines.next()?, lines: lines.collect() })
}
