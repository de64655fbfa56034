//! Keeps text from becoming markup or script: the security policy of the page, and JSON
//! that cannot end the element it stands in.

use std::fmt::Write as _;

use serde::Serialize;
use sha2::{Digest, Sha256};

/// The policy that allows one style and one script, and nothing else: no network, no
/// other script, no attribute that is a style or a script.
pub(super) fn policy(style: &str, script: &str) -> String {
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; \
         base-uri 'none'; form-action 'none'",
        base64(&Sha256::digest(style.as_bytes())),
        base64(&Sha256::digest(script.as_bytes())),
    )
}

/// The policy that allows one style, and nothing else.
pub(crate) fn without_scripts(style: &str) -> String {
    let digest = base64(&Sha256::digest(style.as_bytes()));
    format!("default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'")
}

/// JSON for a `<script>` element: whatever could end it, begin a comment in it or break
/// a line of it is escaped. Outside of strings, JSON has none of these characters.
pub(super) fn as_script_text(content: &impl Serialize) -> String {
    let json = serde_json::to_string(content).expect("keys are strings");
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |idx: usize| u32::from(chunk.get(idx).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{as_script_text, base64, policy};

    #[test]
    fn base64_is_the_published_one() {
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"f"), "Zg==");
        assert_eq!(base64(b"fo"), "Zm8=");
        assert_eq!(base64(b"foobar"), "Zm9vYmFy");
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }

    #[test]
    fn escaped_text_has_no_markup_and_reads_back_the_same() {
        let text = "</script><!-- <script> & \u{2028}\u{2029} \" \\u003c";
        let escaped = as_script_text(&text);
        assert!(!escaped.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{escaped}");
        let back: String = serde_json::from_str(&escaped).expect("it is still JSON");
        assert_eq!(back, text);
    }

    #[test]
    fn the_policy_forbids_everything_but_the_two_digests() {
        let policy = policy("a{}", "1");
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"));
        assert!(!policy.contains("unsafe"));
    }
}
