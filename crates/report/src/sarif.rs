//! The report for code scanning: SARIF 2.1.0.
//!
//! A violation is one result: what is wrong, where, and the run that leads there as a
//! code flow with a thread flow per thread. The order of steps among threads is in
//! `executionOrder`. What was not decided is no result but a notification.

use model::{Diagnostic, Rule, SourceFile, StopReason, Verdict};
use serde_json::{Value, json};

use crate::Run;
use crate::layout::plain;
use crate::snippet;
use crate::story::{self, Related, SourceMap, SourceRange, Step, Story};
use crate::text::{presumed, reason_words, verdict_sentence};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The result of a run.
pub fn render(run: &Run<'_>) -> String {
    let places = SourceMap::new(run.files);
    let story = story::tell(run, &places);
    let results: Vec<Value> = story.iter().map(|story| result(run, &places, story)).collect();
    let mut notifications: Vec<Value> = Vec::new();
    if let Verdict::Unknown(_) = run.outcome.verdict {
        let sentence = verdict_sentence(run.problem, run.outcome, run.presumes);
        notifications.push(notification("unknown", "warning", &sentence));
    }
    if let Some(presumption) = presumed(run) {
        let sentence = verdict_sentence(run.problem, run.outcome, run.presumes);
        let text = format!("{sentence}. Presumed: {}", presumption.meaning());
        notifications.push(notification("presumption", "warning", &text));
    }
    let notes = run.outcome.notes.iter().map(|note| notification("note", "note", note));
    notifications.extend(notes);
    let mut invocation = json!({"executionSuccessful": true});
    if !notifications.is_empty() {
        invocation["toolExecutionNotifications"] = notifications.into();
    }
    document(run.files, invocation, results)
}

/// The result for an input that was rejected.
pub fn render_rejection(files: &[SourceFile], diagnostics: &[Diagnostic]) -> String {
    let notifications: Vec<Value> = diagnostics
        .iter()
        .map(|diagnostic| {
            let level = if diagnostic.is_error() { "error" } else { "warning" };
            let mut told = notification(diagnostic.code, level, &diagnostic.message);
            let places = diagnostic.labels.iter().filter_map(|label| {
                let file = files.get(label.span.file as usize)?;
                let (line, column) = snippet::position(&file.text, label.span.start as usize);
                let region = json!({"startLine": line, "startColumn": column});
                Some(physical(&file.name, region))
            });
            let places: Vec<Value> =
                places.map(|place| json!({"physicalLocation": place})).collect();
            if !places.is_empty() {
                told["locations"] = places.into();
            }
            told
        })
        .collect();
    failure(files, notifications)
}

/// The result where the run could not begin.
pub fn render_failure(message: &str) -> String {
    failure(&[], vec![notification("failure", "error", message)])
}

/// The result where the run was stopped from outside before any answer.
pub fn render_stopped(reason: &StopReason) -> String {
    let told = notification("unknown", "warning", &format!("UNKNOWN: {}", reason_words(reason)));
    let invocation = json!({"executionSuccessful": true, "toolExecutionNotifications": [told]});
    document(&[], invocation, Vec::new())
}

fn failure(files: &[SourceFile], notifications: Vec<Value>) -> String {
    let invocation =
        json!({"executionSuccessful": false, "toolConfigurationNotifications": notifications});
    document(files, invocation, Vec::new())
}

fn document(files: &[SourceFile], invocation: Value, results: Vec<Value>) -> String {
    let rules: Vec<Value> = Rule::ALL
        .iter()
        .map(|rule| {
            json!({
                "id": rule.name(),
                "shortDescription": {"text": rule.words()},
                "fullDescription": {"text": rule.meaning()},
                "defaultConfiguration": {"level": "error"},
            })
        })
        .collect();
    let artifacts: Vec<Value> =
        files.iter().map(|file| json!({"location": {"uri": uri(&file.name)}})).collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "threadproof",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "artifacts": artifacts,
            "invocations": [invocation],
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&document).expect("keys are strings");
    text.push('\n');
    text
}

fn result(run: &Run<'_>, places: &SourceMap<'_>, story: &Story) -> Value {
    let trouble = &story.trouble;
    let involved = story.related();
    let main = trouble.place.or_else(|| involved.first().map(|related| related.place));
    let related: Vec<Value> = involved
        .iter()
        .map(|Related { place, text }| location(places, Some(*place), text))
        .collect();
    let main = main.or_else(|| story.steps.iter().rev().find_map(|step| step.place));
    let mut result = json!({
        "ruleId": trouble.rule.name(),
        "ruleIndex": Rule::ALL.iter().position(|rule| *rule == trouble.rule),
        "level": "error",
        "message": {"text": trouble.text},
        "locations": [location(places, main, &trouble.text)],
        "codeFlows": [{
            "message": {"text": verdict_sentence(run.problem, run.outcome, run.presumes)},
            "threadFlows": thread_flows(places, story),
        }],
    });
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    result
}

/// A flow for each lane that takes a step; at least one.
fn thread_flows(places: &SourceMap<'_>, story: &Story) -> Vec<Value> {
    let mut flows: Vec<(String, Vec<Value>)> = story
        .lanes
        .iter()
        .map(|lane| (format!("{} {}", lane.name, lane.about), Vec::new()))
        .collect();
    let environment = flows.len();
    flows.push(("environment".into(), Vec::new()));
    for (idx, step) in story.steps.iter().enumerate() {
        let lane = step.lane.unwrap_or(environment);
        flows[lane].1.push(flow_location(places, story, idx, step));
    }
    flows.retain(|(_, locations)| !locations.is_empty());
    if flows.is_empty() {
        let start = location(places, story.start.place, &story.start.label);
        let only = json!({"location": start, "executionOrder": 0});
        flows.push(("start".into(), vec![only]));
    }
    let flow = |(name, locations): (String, Vec<Value>)| {
        let name = name.trim_end();
        json!({"id": name, "message": {"text": name}, "locations": locations})
    };
    flows.into_iter().map(flow).collect()
}

fn flow_location(places: &SourceMap<'_>, story: &Story, idx: usize, step: &Step) -> Value {
    let mut state = serde_json::Map::new();
    for story::Change(variable, value) in &step.changes {
        let variable = &story.variables[*variable];
        let name = format!("{}: {}", story.groups[variable.group].trim_end(), variable.name);
        let text = value.as_deref().unwrap_or("gone");
        state.insert(name, json!({"text": text}));
    }
    let text = format!("{}: {}", idx + 1, step.label);
    let mut told = json!({
        "location": location(places, step.place, &text),
        "executionOrder": idx + 1,
        "importance": "essential",
    });
    if !state.is_empty() {
        told["state"] = state.into();
    }
    told
}

/// A location with a message; code scanning shows those without a place as text.
fn location(places: &SourceMap<'_>, place: Option<SourceRange>, text: &str) -> Value {
    let mut location = json!({"message": {"text": text}});
    let file = place.and_then(|place| Some((place, places.files().get(place.file as usize)?)));
    if let Some((place, file)) = file {
        let mut region = json!({"startLine": place.line, "startColumn": place.column});
        if (place.end_line, place.end_column) > (place.line, place.column) {
            region["endLine"] = place.end_line.into();
            region["endColumn"] = place.end_column.into();
        }
        location["physicalLocation"] = physical(&file.name, region);
    } else if let Some(file) = places.files().first() {
        // A result needs a file to be shown at all.
        location["physicalLocation"] = json!({"artifactLocation": {"uri": uri(&file.name)}});
    }
    location
}

fn physical(file: &str, region: Value) -> Value {
    json!({"artifactLocation": {"uri": uri(file)}, "region": region})
}

fn notification(id: &str, level: &str, text: &str) -> Value {
    json!({"descriptor": {"id": id}, "level": level, "message": {"text": plain(text)}})
}

/// A file name as a URI: relative ones stay relative.
fn uri(name: &str) -> String {
    let mut uri = if name.starts_with('/') { "file://".to_owned() } else { String::new() };
    // A colon in the first segment would make it a scheme.
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn file_names_become_uris_that_name_the_same_file() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/tmp/ä:1.c"), "file:///tmp/%C3%A4%3A1.c");
        assert_eq!(uri("c:x.c"), "c%3Ax.c");
    }
}
