//! Printing a model and reading it again gives the same model.

use frontend::{Converted, Inputs, Language, Model, convert, load};
use model::SourceFile;
use proptest::prelude::*;

fn read(converted: &Converted, language: Language) -> Model {
    let text = |text: &str| SourceFile { name: "printed".to_owned(), text: text.to_owned() };
    let mut files = vec![text(&converted.text)];
    let mut add = |option: &Option<String>| {
        option.as_ref().map(|option| {
            files.push(text(option));
            files.len() - 1
        })
    };
    let property = add(&converted.property);
    let init = add(&converted.init);
    let target = add(&converted.target);
    let (model, diagnostics) =
        load(&Inputs { property, init, target, ..Inputs::of(&files, language) });
    model.unwrap_or_else(|| panic!("{diagnostics:#?}\n{}", converted.text))
}

fn parse(text: String, language: Language) -> Model {
    read(&Converted { text, ..Converted::default() }, language)
}

/// Everything but positions, which change with the layout.
fn essence(mut model: Model) -> String {
    if let Model::Counters(system) = &mut model {
        system.transitions.iter_mut().for_each(|transition| transition.span = None);
        system.targets.iter_mut().for_each(|target| target.span = None);
        return format!("{system:#?}");
    }
    let printed = convert(&model, Language::Tts).expect("threads can always be written");
    format!("{printed:#?}")
}

fn check(text: String, language: Language) {
    let first = parse(text, language);
    let printed = convert(&first, language).expect("a model can be written as it was read");
    let second = read(&printed, language);
    let again = convert(&second, language).expect("it can be written again");
    assert_eq!(printed.text, again.text);
    assert_eq!(essence(first), essence(second), "{}", printed.text);
}

const VARS: &[&str] = &["a", "b", "c", "d"];

fn constraint() -> impl Strategy<Value = String> {
    (0..VARS.len(), 0..4u32, 0..3u32, 0..3u32).prop_map(|(var, n, more, kind)| match kind {
        0 => format!("{} = {n}", VARS[var]),
        1 => format!("{} >= {n}", VARS[var]),
        _ => format!("{} in [{n},{}]", VARS[var], n + more),
    })
}

/// Where the tokens of each variable go: to itself, to another one, or nowhere.
fn effects() -> impl Strategy<Value = String> {
    let flow = proptest::collection::vec((0..VARS.len() + 1, -2..3i64), VARS.len());
    flow.prop_map(|flow| {
        let mut effects = Vec::new();
        for (idx, target) in VARS.iter().enumerate() {
            let sources: Vec<&str> = (0..VARS.len())
                .filter(|&from| flow[from].0 == idx)
                .map(|from| VARS[from])
                .collect();
            let constant = if sources.is_empty() { flow[idx].1.abs() } else { flow[idx].1 };
            let sign = if constant < 0 { '-' } else { '+' };
            match sources.is_empty() {
                true => effects.push(format!("{target}' = {constant}")),
                false => effects.push(format!(
                    "{target}' = {} {sign} {}",
                    sources.join("+"),
                    constant.abs()
                )),
            }
        }
        effects.join(", ")
    })
}

fn spec() -> impl Strategy<Value = String> {
    let guard =
        prop_oneof![4 => constraint(), 1 => Just("true".to_owned()), 1 => Just(String::new())];
    let rule = (guard, effects()).prop_map(|(guard, effects)| format!("{guard}->{effects};"));
    (
        proptest::collection::vec(rule, 0..5),
        constraint(),
        proptest::collection::vec(constraint(), 1..4),
        any::<bool>(),
    )
        .prop_map(|(rules, init, targets, hint)| {
            let invariants = if hint { "invariants a = 1, b = 2" } else { "" };
            format!(
                "vars {}\nrules {}\ninit {init}\ntarget {}\n{invariants}",
                VARS.join(" "),
                rules.join("\n"),
                targets.join(" "),
            )
        })
}

fn tts() -> impl Strategy<Value = String> {
    let passive = proptest::collection::vec((0..4u32, 0..4u32), 0..3);
    let arrow = prop_oneof![Just("->"), Just("+>"), Just("~>")];
    let line = (0..3u32, 0..4u32, arrow, 0..3u32, 0..4u32, passive).prop_map(
        |(s, l, arrow, s2, l2, passive)| {
            let pairs: String = passive.iter().map(|(a, b)| format!(" {a} ~> {b}")).collect();
            format!("{s} {l} {arrow} {s2} {l2}{pairs}\n")
        },
    );
    (proptest::collection::vec(line, 0..8), proptest::collection::vec(0..4u32, 0..4)).prop_map(
        |(lines, locals)| {
            let locals: Vec<String> = locals.iter().map(u32::to_string).collect();
            format!("# threads\n3 4\n{}2|{}\n", lines.concat(), locals.join(","))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_printed_net_reads_back_the_same(text in spec()) {
        check(text, Language::Spec);
    }

    #[test]
    fn a_printed_thread_transition_system_reads_back_the_same(text in tts()) {
        check(text, Language::Tts);
    }
}

#[test]
fn a_printed_pnml_net_reads_back_the_same() {
    let text = r#"<pnml><net id="n"><page id="g"><page id="h">
        <place id="p"><name><text>a &amp; b</text></name></place>
        <place id="q"><initialMarking><text>2</text></initialMarking></place></page>
        <transition id="t"/><referencePlace id="r" ref="p"/>
        <arc id="a1" source="q" target="t"><inscription><text>3</text></inscription></arc>
        <arc id="a2" source="t" target="r"/><arc id="a3" source="t" target="q"/>
        <toolspecific tool="x" version="1"><place/></toolspecific>
        </page></net></pnml>"#;
    let target = Some("a & b >= 1; q = 2".to_owned());
    let source = Converted { text: text.to_owned(), target, ..Converted::default() };
    let first = read(&source, Language::Pnml);
    let printed = convert(&first, Language::Pnml).expect("a plain net can be written");
    assert_eq!(essence(first), essence(read(&printed, Language::Pnml)));
}
