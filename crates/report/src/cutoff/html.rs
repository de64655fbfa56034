//! The report for a browser: one page with the curve, the table and the thread states,
//! without any script. Text from an input is escaped, and the page's security policy
//! allows its own style and nothing else.

use super::{CutoffStudy, svg, text};
use crate::html::policy;
use crate::text::TextStyle;

const STYLE: &str = "body{font-family:sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
                     h1{font-size:1.3rem}pre{background:#f6f6f6;padding:1rem;overflow-x:auto}\
                     svg{max-width:40rem;width:100%}";

/// The page. With `tells_runs`, a run to each thread state that needs the most threads is
/// part of it. Two such pages without effort have the same bytes.
pub fn render(study: &CutoffStudy<'_>, tells_runs: bool) -> String {
    let style = TextStyle { full_trace: tells_runs, ..TextStyle::default() };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>threadproof cutoff</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>{}</h1>\n<p>{}</p>\n{}\n<pre>{}</pre>\n</body>\n</html>\n",
        policy::without_scripts(STYLE),
        escaped(&text::headline(study)),
        escaped(study.files.first().map_or("", |file| &file.name)),
        svg::render(study),
        escaped(text::details(study, &style).trim_start_matches('\n')),
    )
}

/// Text as it stands in a page.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn text_is_never_markup() {
        assert_eq!(escaped("<script>&\""), "&lt;script&gt;&amp;&quot;");
    }
}
