//! What is said of an alarm: how views lead to it, and which step beside one is to blame.

use model::parameterized::ParameterizedSystem;

use super::closure::{Alarm, Origin, Step};

/// Steps of the run of views that are told.
const MAX_STEPS_TOLD: usize = 30;

/// Why nothing is proved, and how the views lead there, one note for each step. `origins` says
/// of each view how it came about.
pub(super) fn told(
    system: &dyn ParameterizedSystem,
    origins: &[Origin],
    alarm: &Alarm,
) -> (String, Vec<String>) {
    let (view, last, what) = match alarm {
        Alarm::Property { view, property } => {
            let name = &system.own().properties()[*property as usize].name;
            (Some(*view), None, format!("`{name}` may fail"))
        }
        Alarm::Fault { view, step, message } => (*view, *step, message.clone()),
    };
    let mut steps: Vec<Step> = last.into_iter().collect();
    let mut at = view;
    while let Some(view) = at {
        let origin = origins[view as usize];
        steps.push(origin.step);
        at = origin.parent;
    }
    steps.reverse();
    let blamed = steps.iter().rev().find_map(|step| match step {
        Step::Beside(idx, _) => Some(system.beside(*idx).name),
        _ => None,
    });
    let (n, parameter) = (system.n_visible(), system.parameter());
    let mut why = format!("seen through views of {n} of `{parameter}`, {what}");
    if let Some(rule) = blamed {
        why.push_str(&format!(
            ", after a step of `{rule}` by another element, which may not be possible"
        ));
    }
    let n_steps = steps.len();
    let mut notes: Vec<String> =
        steps.iter().take(MAX_STEPS_TOLD).map(|step| name_of(system, *step)).collect();
    if n_steps > MAX_STEPS_TOLD {
        notes.push(format!("and {} more steps", n_steps - MAX_STEPS_TOLD));
    }
    (why, vec![format!("the views lead there so: {}", notes.join("; "))])
}

fn name_of(system: &dyn ParameterizedSystem, step: Step) -> String {
    match step {
        Step::Start(choice) => system.own().choice_label(choice, true).with_parameters(),
        Step::Own(choice) => system.own().choice_label(choice, false).with_parameters(),
        Step::Beside(idx, choice) => {
            let label = system.beside(idx).system.choice_label(choice, false);
            format!("beside: {}", label.with_parameters())
        }
    }
}
