//! Text to [`Ast`]. Reading stops at the first mistake: what follows depends too
//! much on what was meant. Mistakes within propositions are found later, all of
//! them.

use model::Diagnostic;

use crate::ltl::Atoms;
use crate::ltl::ast::{Ast, Binary, Unary};
use crate::source::Source;

/// Parentheses and operators with one operand within each other.
const MAX_NESTING: usize = 200;

/// Bounds how deeply formulas nest by way of operators with two operands.
const MAX_OPERATORS: usize = 500;

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// Reads the whole of `source`.
pub(super) fn parse(source: Source<'_>, atoms: &dyn Atoms) -> Result<Ast> {
    let end = source.text.len();
    let mut reader = Reader { source, pos: 0, end, n_operators: 0, nesting: 0, atoms };
    let ast = reader.formula(0)?;
    reader.blank();
    if reader.pos < reader.end {
        return Err(reader.unexpected("an operator"));
    }
    Ok(ast)
}

struct Reader<'a> {
    source: Source<'a>,
    pos: usize,
    /// Nothing from here on is looked at.
    end: usize,
    n_operators: usize,
    nesting: usize,
    atoms: &'a dyn Atoms,
}

impl<'a> Reader<'a> {
    /// A formula of operators at least as tight as `tightness`.
    fn formula(&mut self, tightness: u32) -> Result<Ast> {
        let mut left = self.operand()?;
        while let Some((operator, len)) = self.binary() {
            if operator.tightness() < tightness {
                break;
            }
            self.count_operator()?;
            self.pos += len;
            let right = self.formula(operator.tightness() + 1)?;
            left = Ast::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Ast> {
        self.blank();
        let rest = self.rest();
        if let Some((operator, len)) = unary(rest) {
            self.count_operator()?;
            self.pos += len;
            let inner = self.deeper(Reader::operand)?;
            return Ok(Ast::Unary(operator, Box::new(inner)));
        }
        if rest.starts_with('(') {
            return self.deeper(Reader::parenthesised);
        }
        match word(rest) {
            "true" => self.constant(true),
            "false" => self.constant(false),
            operator if is_operator(operator) => Err(self.unexpected("a proposition or `(`")),
            _ => self.comparison(),
        }
    }

    fn constant(&mut self, value: bool) -> Result<Ast> {
        self.pos += word(self.rest()).len();
        Ok(Ast::Constant(value))
    }

    fn parenthesised(&mut self) -> Result<Ast> {
        let open = self.pos;
        let Some(close) = closing(&self.source.text.as_bytes()[..self.end], open) else {
            let span = self.source.span(open, open + 1);
            let message = "this parenthesis is not closed";
            return Err(Box::new(Diagnostic::error("LT002", message, span)));
        };
        let inner = &self.source.text[open + 1..close];
        let is_formula = has_formula_operator(inner);
        let is_atom = || self.atoms.is_atom(inner);
        let span = self.source.span(open + 1, close);
        if !is_formula && is_atom() {
            self.pos = close + 1;
            return Ok(Ast::Atom(span));
        }
        let end = std::mem::replace(&mut self.end, close);
        self.pos = open + 1;
        let read = self.formula(0).and_then(|ast| {
            self.blank();
            match self.pos == close {
                true => Ok(ast),
                false => Err(self.unexpected("an operator or `)`")),
            }
        });
        self.end = end;
        self.pos = close + 1;
        match read {
            // A variable may be called `X`.
            Err(_) if is_formula && self.atoms.is_atom(inner) => Ok(Ast::Atom(span)),
            read => read,
        }
    }

    /// A name, or a comparison of two sides, each a name or a number.
    fn comparison(&mut self) -> Result<Ast> {
        let start = self.pos;
        self.side()?;
        let mut end = self.pos;
        self.blank();
        if let Some(len) = comparison_sign(self.rest()) {
            self.pos += len;
            self.blank();
            self.side()?;
            end = self.pos;
        }
        self.pos = end;
        Ok(Ast::Atom(self.source.span(start, end)))
    }

    /// `name`, `name[2].part`, `12` or `-12`.
    fn side(&mut self) -> Result<()> {
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let len = word(&rest[sign..]).len();
        if len == 0 || is_operator(word(rest)) {
            return Err(self.unexpected("a proposition or `(`"));
        }
        self.pos += sign + len;
        loop {
            let rest = self.rest();
            if rest.starts_with('[') && !rest.starts_with("[]") {
                let bytes = &self.source.text.as_bytes()[..self.end];
                let Some(close) = closing(bytes, self.pos) else {
                    let span = self.source.span(self.pos, self.pos + 1);
                    let message = "this bracket is not closed";
                    return Err(Box::new(Diagnostic::error("LT002", message, span)));
                };
                self.pos = close + 1;
            } else if rest.starts_with('.') && !word(&rest[1..]).is_empty() {
                self.pos += 1 + word(&rest[1..]).len();
            } else {
                return Ok(());
            }
        }
    }

    fn binary(&mut self) -> Option<(Binary, usize)> {
        self.blank();
        let rest = self.rest();
        let signs = [
            ("&&", Binary::And),
            ("/\\", Binary::And),
            ("||", Binary::Or),
            ("\\/", Binary::Or),
            ("->", Binary::Implies),
            ("<->", Binary::Equivalent),
        ];
        if let Some((sign, operator)) = signs.iter().find(|(sign, _)| rest.starts_with(sign)) {
            return Some((*operator, sign.len()));
        }
        match word(rest) {
            "U" => Some((Binary::Until, 1)),
            "W" => Some((Binary::WeakUntil, 1)),
            "R" | "V" => Some((Binary::Release, 1)),
            _ => None,
        }
    }

    fn deeper(&mut self, read: fn(&mut Reader<'a>) -> Result<Ast>) -> Result<Ast> {
        if self.nesting == MAX_NESTING {
            return Err(self.too_large(format!("the formula nests more than {MAX_NESTING} deep")));
        }
        self.nesting += 1;
        let ast = read(self);
        self.nesting -= 1;
        ast
    }

    fn count_operator(&mut self) -> Result<()> {
        if self.n_operators == MAX_OPERATORS {
            let message = format!("the formula has more than {MAX_OPERATORS} operators");
            return Err(self.too_large(message));
        }
        self.n_operators += 1;
        Ok(())
    }

    fn too_large(&self, message: String) -> Box<Diagnostic> {
        Box::new(Diagnostic::error("LT003", message, self.source.span(self.pos, self.pos + 1)))
    }

    fn rest(&self) -> &'a str {
        &self.source.text[self.pos..self.end]
    }

    fn blank(&mut self) {
        let rest = self.rest();
        self.pos += rest.len() - rest.trim_start().len();
    }

    fn unexpected(&self, expected: &str) -> Box<Diagnostic> {
        let rest = self.rest();
        let found = match (word(rest), rest.chars().next()) {
            (_, None) if self.end < self.source.text.len() => "`)`".to_owned(),
            (_, None) => "the end".to_owned(),
            ("", Some(first)) => format!("`{}`", first.escape_debug()),
            (word, _) => format!("`{word}`"),
        };
        let first_len = rest.chars().next().map_or(0, char::len_utf8);
        let end = self.pos + word(rest).len().max(first_len);
        let message = format!("expected {expected}, found {found}");
        let diagnostic = Diagnostic::error("LT001", message, self.source.span(self.pos, end));
        if let Some(apart) = self.operators_before() {
            let help = format!("operators are words of their own: `{apart}`");
            return Box::new(diagnostic.help(help));
        }
        Box::new(match rest.chars().next() {
            Some('&') => diagnostic.help("and is `&&`, or put the proposition in parentheses"),
            Some('|') => diagnostic.help("or is `||`, or put the proposition in parentheses"),
            Some('=') => diagnostic.help("implication is `->`, equivalence is `<->`"),
            Some('+' | '-' | '*' | '/' | '%' | '?') => {
                diagnostic.help("put a proposition that is more than one comparison in parentheses")
            }
            _ => diagnostic,
        })
    }

    /// Where a name made of letters of operators was just read, these letters apart.
    fn operators_before(&self) -> Option<String> {
        let before = self.source.text[..self.pos].trim_end();
        let name = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        let name = &before[name.len()..];
        let is_joined = name.len() > 1 && name.chars().all(|c| matches!(c, 'G' | 'F' | 'X'));
        is_joined.then(|| name.chars().map(String::from).collect::<Vec<_>>().join(" "))
    }
}

fn unary(rest: &str) -> Option<(Unary, usize)> {
    if rest.starts_with('!') && !rest.starts_with("!=") {
        return Some((Unary::Not, 1));
    }
    if rest.starts_with("[]") {
        return Some((Unary::Always, 2));
    }
    if rest.starts_with("<>") {
        return Some((Unary::Eventually, 2));
    }
    match word(rest) {
        "G" => Some((Unary::Always, 1)),
        "F" => Some((Unary::Eventually, 1)),
        "X" => Some((Unary::Next, 1)),
        _ => None,
    }
}

/// Is it a letter that means an operator?
fn is_operator(word: &str) -> bool {
    matches!(word, "G" | "F" | "X" | "U" | "W" | "R" | "V")
}

/// The name or number at the beginning of a text; may be empty.
fn word(text: &str) -> &str {
    let len = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..len]
}

/// The length of the sign of comparison at the beginning of a text.
fn comparison_sign(text: &str) -> Option<usize> {
    if text.starts_with("<->") || text.starts_with("<>") {
        return None;
    }
    ["==", "!=", "<=", ">=", "=", "<", ">"].into_iter().find(|s| text.starts_with(s)).map(str::len)
}

/// Does an operator of formulas stand in `text`? `->` and `!` are operators of
/// Murphi as well, with the same meaning.
fn has_formula_operator(text: &str) -> bool {
    if ["[]", "<>", "<->", "&&", "||", "/\\", "\\/"].iter().any(|sign| text.contains(sign)) {
        return true;
    }
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(is_operator)
}

/// Where the parenthesis or bracket at `open` is closed.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (pos, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    let pairs = [(b'(', b')'), (b'[', b']')];
                    return pairs.contains(&(bytes[open], *byte)).then_some(pos);
                }
            }
            _ => {}
        }
    }
    None
}
