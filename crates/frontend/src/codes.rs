//! The table of diagnostic codes. A code never changes its meaning; each has a
//! page in the book.

/// Every code with a one-line summary.
pub const CODES: &[(&str, &str)] = &[
    ("FE001", "there are more errors or warnings than are shown"),
    ("FE002", "an input is missing or larger than 4 GiB"),
    ("LT001", "something else is expected in a formula"),
    ("LT002", "a parenthesis or a bracket is not closed"),
    ("LT003", "a formula is too large"),
    ("LT004", "a proposition cannot be read"),
    ("LT005", "a formula has more than 64 propositions"),
    ("MU001", "a character, number, text or comment cannot be read"),
    ("MU002", "something else is expected at this place"),
    ("MU003", "a number or a range is too large"),
    ("MU004", "something is nested too deeply"),
    ("MU005", "a name is not declared"),
    ("MU006", "a name is declared twice"),
    ("MU007", "a name stands for something else"),
    ("MU008", "types do not fit"),
    ("MU009", "a constant is expected"),
    ("MU010", "a type or a loop has no values"),
    ("MU011", "something cannot be changed"),
    ("MU012", "a call does not fit the function"),
    ("MU013", "a condition would change the state"),
    ("MU014", "a part of the language is not supported"),
    ("MU015", "the standard dialect does not have this"),
    ("MU016", "nothing lies between the bounds of a loop"),
    ("MU017", "there are too many instances"),
    ("MU018", "a `return` does not fit"),
    ("MU019", "a scalarset has no smallest value"),
    ("MU020", "a `cover` inside of a rule is not counted"),
    ("MU021", "there is no such constant to replace"),
    ("MU022", "the model has no start state"),
    ("MU090", "values or states are too large"),
    ("PN001", "the text is not well-formed XML"),
    ("PN002", "elements are nested too deeply"),
    ("PN003", "the net is not a place/transition net"),
    ("PN004", "the file does not hold exactly one net"),
    ("PN005", "an element lacks an attribute"),
    ("PN006", "an id occurs twice"),
    ("PN007", "an arc or a reference names nothing in the net"),
    ("PN008", "an arc does not join a place and a transition"),
    ("PN009", "a marking or a weight is not a number we can use"),
    ("PN010", "an arc has a type that is not supported"),
    ("PN011", "no target is given"),
    ("PN012", "a target or an initial marking cannot be read"),
    ("PN013", "a target or an initial marking names an unknown place"),
    ("PN014", "a name stands for several places"),
    ("PN015", "a target or an initial marking contradicts itself"),
    ("PN016", "a transition can never fire"),
    ("SP001", "a character has no meaning here"),
    ("SP002", "something else is expected at this place"),
    ("SP003", "a section is repeated or out of order"),
    ("SP004", "a section is missing"),
    ("SP005", "a number is too large"),
    ("SP006", "a variable is not declared"),
    ("SP007", "a variable is declared twice"),
    ("SP008", "a rule assigns a variable twice"),
    ("SP009", "a rule would copy tokens"),
    ("SP010", "`init` or `target` contradicts itself"),
    ("SP011", "a rule can never fire"),
    ("SP012", "an invariant is not a list of weights"),
    ("SP013", "`init` leaves variables open"),
    ("TT001", "the header is missing or malformed"),
    ("TT002", "a line is neither a transition nor a property"),
    ("TT003", "a number is too large"),
    ("TT004", "a shared state is out of range"),
    ("TT005", "a local state is out of range"),
    ("TT006", "no property is given"),
    ("TT007", "a property cannot be read"),
    ("TT008", "the initial states cannot be read"),
    ("TT009", "the property asks for a state that does not exist"),
];

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn codes_are_sorted_and_unique() {
        assert!(CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
