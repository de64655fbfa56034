//! Reads markings and weights.

use model::Diagnostic;

use crate::pnml::element::Element;
use crate::sink::Sink;
use crate::source::{MAX_NUMBER, number};

/// The number that `label/text` of an element holds, `default` without a label.
/// A mistake is reported and reads as the default.
pub(crate) fn labelled(element: &Element, label: &str, default: u32, sink: &mut Sink) -> u32 {
    let Some(label) = element.child(label) else { return default };
    let text = match label.child("text").or_else(|| label.child("value")) {
        Some(text) => text,
        None if label.text.is_empty() => return default,
        None => label,
    };
    // Some tools write `Default,3`: a colour of their own before the number.
    let digits = text.text.strip_prefix("Default,").unwrap_or(&text.text);
    let is_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match number(digits).filter(|_| is_digits) {
        Some(n) => n,
        None => {
            sink.push(refusal(text, is_digits));
            default
        }
    }
}

fn refusal(text: &Element, is_digits: bool) -> Diagnostic {
    let shown: String = text.text.chars().take(40).collect();
    if is_digits {
        let message = format!("`{shown}` is too large");
        let help = format!("numbers go up to {MAX_NUMBER}");
        return Diagnostic::error("PN009", message, text.span).help(help);
    }
    Diagnostic::error("PN009", format!("`{shown}` is not a natural number"), text.span)
}
