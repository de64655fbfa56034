//! Witnesses: well-formed whatever the input's text is, with every key that the formats
//! demand.

use model::{Outcome, StopReason, Verdict, Violation};
use quick_xml::events::Event;
use report::witness::{self, NoWitness, WitnessFormat, WitnessTask};

use crate::two_locks::{HOSTILE, TwoLocks, outcome, trace, with_run};

fn written(outcome: &Outcome, format: WitnessFormat) -> Result<String, NoWitness> {
    let creation_time = "2024-12-24T13:15:32Z".to_owned();
    let task = WitnessTask { n_inputs: 1, is_32_bit: true, creation_time };
    with_run(outcome, |run| witness::render(run, &task, format))
}

fn deadlock() -> Outcome {
    trace(&TwoLocks::new(), Violation::Deadlock)
}

/// The keys and texts of all `data` elements, in order; every element must end.
fn annotations(text: &str) -> Vec<(String, String)> {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let (mut found, mut key, mut depth) = (Vec::new(), None, 0);
    loop {
        match reader.read_event().expect("it is well-formed") {
            Event::Start(element) => {
                depth += 1;
                let named = element.try_get_attribute("key").expect("attributes are well-formed");
                key = named.map(|name| name.unescape_value().expect("a name").into_owned());
            }
            Event::Text(content) => {
                let content = content.unescape().expect("text is escaped").into_owned();
                if let Some(key) = key.take() {
                    found.push((key, content));
                }
            }
            Event::End(_) => depth -= 1,
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0, "all elements end");
    found
}

#[test]
fn graphml_has_every_key_that_is_demanded_and_no_markup_of_the_input() {
    let text = written(&deadlock(), WitnessFormat::GraphMl).expect("there is a witness");
    let all = annotations(&text);
    let value = |key: &str| {
        let found = all.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str())
    };
    assert_eq!(value("witness-type"), Some("violation_witness"));
    assert_eq!(value("sourcecodelang"), Some("C"));
    assert!(value("producer").is_some_and(|producer| producer.starts_with("threadproof ")));
    assert_eq!(value("specification"), Some("CHECK( init(main()), LTL(G ! deadlock) )"));
    assert_eq!(value("programfile"), Some(&*format!("two locks{HOSTILE}.c")));
    assert_eq!(value("programhash").map(str::len), Some(64));
    assert_eq!(value("architecture"), Some("32bit"));
    assert_eq!(value("creationtime"), Some("2024-12-24T13:15:32Z"));
    assert_eq!((value("entry"), value("violation")), (Some("true"), Some("true")));
    let moves: Vec<&str> = all
        .iter()
        .filter(|(key, _)| matches!(&**key, "startline" | "threadId"))
        .map(|(_, value)| value.as_str())
        .collect();
    assert_eq!(moves[..4], ["1", "0", "2", "1"]);
    for (key, _) in &all {
        assert!(text.contains(&format!("<key id=\"{key}\"")), "{key} is not declared");
    }
}

#[test]
fn yaml_has_every_key_that_is_demanded() {
    let text = written(&deadlock(), WitnessFormat::Yaml).expect("there is a witness");
    for line in [
        "- entry_type: \"violation_sequence\"",
        "  metadata:",
        "    format_version: \"2.0\"",
        "    uuid: \"",
        "    creation_time: \"2024-12-24T13:15:32Z\"",
        "    producer:",
        "      name: \"threadproof\"",
        "      version: \"",
        "    task:",
        "      input_files:",
        "      input_file_hashes:",
        "      specification: \"CHECK( init(main()), LTL(G ! deadlock) )\"",
        "      data_model: \"ILP32\"",
        "      language: \"C\"",
        "  content:",
        "    - segment:",
        "        - waypoint:",
        "            type: \"target\"",
        "            action: \"follow\"",
        "            location:",
        "              file_name: \"two locks",
        "              line: 2",
        "              column: 1",
    ] {
        assert!(text.lines().any(|own| own.starts_with(line)), "no `{line}` in\n{text}");
    }
    let uuid = text.lines().find_map(|line| line.trim().strip_prefix("uuid: \"")).expect("one");
    let parts: Vec<usize> = uuid.trim_end_matches('"').split('-').map(str::len).collect();
    assert_eq!(parts, [8, 4, 4, 4, 12]);
    // Texts of the input are quoted, so that none of them starts a line.
    assert!(text.lines().all(|line| !line.trim_start().starts_with('<')), "{text}");
}

#[test]
fn the_same_run_gives_the_same_witness() {
    for format in [WitnessFormat::Yaml, WitnessFormat::GraphMl] {
        assert_eq!(written(&deadlock(), format), written(&deadlock(), format));
    }
}

#[test]
fn there_is_no_witness_of_what_did_not_happen() {
    let endless = trace(&TwoLocks::new(), Violation::Lasso { loop_start: 1 });
    assert_eq!(written(&endless, WitnessFormat::Yaml), Err(NoWitness::Endless));
    let unknown = outcome(Verdict::Unknown(StopReason::TimeLimit));
    assert_eq!(written(&unknown, WitnessFormat::GraphMl), Err(NoWitness::Undecided));
}
