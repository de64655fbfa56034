//! Every rule is named by every format, whatever the message says.

use std::collections::BTreeSet;

use model::{Outcome, Rule, StepError, Violation};
use report::json::{self, Evidence};
use report::sarif;
use report::witness::{self, WitnessFormat, WitnessTask};
use serde_json::Value;

use crate::two_locks::{TwoLocks, trace, with_run};

/// Words that name every rule but the one that is broken.
const MISLEADING: &str = "memory is read out of bounds of `blocks`: data race, assertion, \
                          deadlock, `free`, out of reach, mutex, overflow, never set, divided, \
                          uninitialised, object, freed, pointer, key is, thread is";

fn broken(rule: Rule) -> Outcome {
    trace(&TwoLocks::new(), Violation::Step(StepError::new(rule, MISLEADING)))
}

fn specification(outcome: &Outcome, format: WitnessFormat) -> String {
    let creation_time = "2024-12-24T13:15:32Z".to_owned();
    let task = WitnessTask { n_inputs: 1, is_32_bit: false, creation_time };
    let text = with_run(outcome, |run| witness::render(run, &task, format));
    let text = text.expect("there is a witness");
    let start = text.find("CHECK( ").expect("a witness has a specification");
    let end = start + text[start..].find(" )").expect("it ends");
    text[start..end].to_owned()
}

#[test]
fn every_rule_is_named_whatever_the_message_says() {
    let mut specifications = BTreeSet::new();
    for rule in Rule::ALL {
        let outcome = broken(rule);
        let told: Value = serde_json::from_str(&with_run(&outcome, sarif::render)).expect("JSON");
        let run = &told["runs"][0];
        let result = &run["results"][0];
        assert_eq!(result["ruleId"], rule.name());
        let idx = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][idx]["id"], rule.name());
        assert_eq!(run["tool"]["driver"]["rules"][idx]["shortDescription"]["text"], rule.words());
        let told = with_run(&outcome, |run| json::render(run, Evidence::Included));
        let told: Value = serde_json::from_str(&told).expect("JSON");
        assert_eq!(told["rule"], rule.name());
        assert_eq!(told["trace"]["violation"]["step"]["rule"], rule.name());
        let yaml = specification(&outcome, WitnessFormat::Yaml);
        assert_eq!(yaml, specification(&outcome, WitnessFormat::GraphMl));
        specifications.insert(yaml);
    }
    assert_eq!(specifications.len(), Rule::ALL.len(), "{specifications:?}");
}

#[test]
fn what_was_saved_has_its_rule_when_it_is_read_back() {
    for rule in Rule::ALL {
        let outcome = broken(rule);
        let text = with_run(&outcome, |run| json::render(run, Evidence::Included));
        let saved = json::parse(&text).expect("it was written so");
        assert_eq!(saved.verdict, outcome.verdict);
    }
}
