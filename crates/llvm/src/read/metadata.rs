//! Metadata as it is written: references, lists, and nodes with named fields.

use super::Reader;
use super::cursor::Read;
use super::lex::{Name, Token};
use crate::ir::DebugId;

/// The value of a field.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    Integer(&'a str),
    Text(&'a str),
    Word(&'a str),
    Node(DebugId),
    Other,
}

/// The fields of a node, in the order of the text.
pub(super) struct Fields<'a>(Vec<(&'a str, Value<'a>)>);

impl<'a> Fields<'a> {
    pub(super) fn get(&self, key: &str) -> Option<Value<'a>> {
        self.0.iter().find(|(name, _)| *name == key).map(|&(_, value)| value)
    }

    pub(super) fn node(&self, key: &str) -> Option<DebugId> {
        match self.get(key) {
            Some(Value::Node(id)) => Some(id),
            _ => None,
        }
    }

    pub(super) fn number(&self, key: &str) -> Option<u64> {
        match self.get(key) {
            Some(Value::Integer(text)) => text.parse().ok(),
            _ => None,
        }
    }

    /// A number, 0 where there is none.
    pub(super) fn small(&self, key: &str) -> u32 {
        self.number(key).and_then(|number| u32::try_from(number).ok()).unwrap_or(0)
    }

    pub(super) fn text(&self, key: &str) -> Option<String> {
        match self.get(key) {
            Some(Value::Text(raw)) => Some(super::lex::decode_text(raw)),
            _ => None,
        }
    }

    pub(super) fn word(&self, key: &str) -> &'a str {
        match self.get(key) {
            Some(Value::Word(word)) => word,
            _ => "",
        }
    }
}

impl<'a> Reader<'a> {
    /// `!12 = ...`.
    pub(super) fn numbered_node(&mut self, number: u32) -> Read<()> {
        self.advance();
        self.expect(b'=')?;
        self.eat_word("distinct");
        // Typed metadata of very old versions.
        self.eat_word("metadata");
        self.node_body(DebugId(number))
    }

    /// `!dbg !5`: the node where the name is `dbg`.
    pub(super) fn attachment(&mut self) -> Read<Option<DebugId>> {
        let is_debug = self.token() == Token::NodeName("dbg");
        self.advance();
        if is_debug {
            return self.node_reference();
        }
        self.skip_node()?;
        Ok(None)
    }

    /// `!5`, or a node written in place.
    pub(super) fn node_reference(&mut self) -> Read<Option<DebugId>> {
        let is_distinct = self.eat_word("distinct");
        match self.token() {
            Token::Node(number) if !is_distinct => {
                self.advance();
                Ok(Some(DebugId(number)))
            }
            Token::NodeName(_) | Token::Mark(b'!') => {
                let id = self.nodes.inline_id();
                self.node_body(id)?;
                Ok(Some(id))
            }
            _ => self.expected("metadata"),
        }
    }

    /// Passes a reference or a node.
    pub(super) fn skip_node(&mut self) -> Read<()> {
        self.eat_word("distinct");
        match self.token() {
            Token::Node(_) => {
                self.advance();
                Ok(())
            }
            Token::NodeName(_) => {
                self.advance();
                if self.at(b'(') { self.skip_group() } else { Ok(()) }
            }
            Token::Mark(b'!') => {
                self.advance();
                match self.token() {
                    Token::Text(_) => {
                        self.advance();
                        Ok(())
                    }
                    Token::Mark(b'{') => self.skip_group(),
                    _ => self.expected("metadata"),
                }
            }
            _ => self.expected("metadata"),
        }
    }

    fn node_body(&mut self, id: DebugId) -> Read<()> {
        match self.token() {
            Token::NodeName(kind) => {
                self.advance();
                if !is_kept(kind) {
                    return if self.at(b'(') { self.skip_group() } else { Ok(()) };
                }
                let fields = self.nested(|reader| reader.fields())?;
                self.keep(id, kind, &fields);
                Ok(())
            }
            Token::Mark(b'!') => {
                self.advance();
                if let Token::Text(_) = self.token() {
                    self.advance();
                    return Ok(());
                }
                let list = self.nested(|reader| reader.list())?;
                self.nodes.lists.insert(id, list);
                Ok(())
            }
            Token::Node(_) => self.skip_node(),
            // A constant as a node: `!5 = i32 7`.
            _ => self.typed_constant().map(|_| ()),
        }
    }

    /// `{!1, null, i32 5, !"text"}`.
    fn list(&mut self) -> Read<Vec<DebugId>> {
        self.expect(b'{')?;
        let mut list = Vec::new();
        while !self.at(b'}') {
            match self.token() {
                Token::Node(number) => {
                    self.advance();
                    list.push(DebugId(number));
                }
                Token::NodeName(_) | Token::Mark(b'!') => list.extend(self.node_reference()?),
                Token::Word("null") => {
                    self.advance();
                }
                Token::Word("metadata") => {
                    self.advance();
                    continue;
                }
                _ => {
                    self.typed_constant()?;
                }
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        Ok(list)
    }

    /// `(key: value, key: value)`.
    fn fields(&mut self) -> Read<Fields<'a>> {
        self.expect(b'(')?;
        let mut fields = Vec::new();
        while !self.at(b')') {
            let key = match self.token() {
                Token::Label(Name::Plain(key)) => {
                    self.advance();
                    key
                }
                _ => "",
            };
            let value = self.field_value()?;
            fields.push((key, value));
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(Fields(fields))
    }

    fn field_value(&mut self) -> Read<Value<'a>> {
        let value = match self.token() {
            Token::Integer(text) => Value::Integer(text),
            Token::Text(raw) => Value::Text(raw),
            Token::NodeName("DIExpression") => {
                let is_empty = self.is_empty_expression()?;
                return Ok(Value::Word(if is_empty { "" } else { "computed" }));
            }
            Token::Word("distinct") | Token::Node(_) | Token::NodeName(_) | Token::Mark(b'!') => {
                let node = self.node_reference()?;
                return Ok(node.map_or(Value::Other, Value::Node));
            }
            Token::Word(word) => Value::Word(word),
            Token::Mark(b'{' | b'(' | b'[') => {
                self.skip_group()?;
                return Ok(Value::Other);
            }
            _ => return self.expected("a value"),
        };
        self.advance();
        // `DIFlagA | DIFlagB`, `i32 7`.
        while !matches!(self.token(), Token::Mark(b',' | b')') | Token::End) {
            self.advance();
        }
        Ok(value)
    }
}

/// Is anything of this kind of node kept?
fn is_kept(kind: &str) -> bool {
    matches!(
        kind,
        "DILocation"
            | "DIFile"
            | "DISubprogram"
            | "DILexicalBlock"
            | "DILexicalBlockFile"
            | "DILocalVariable"
            | "DIGlobalVariable"
            | "DIGlobalVariableExpression"
            | "DIBasicType"
            | "DIDerivedType"
            | "DICompositeType"
            | "DISubroutineType"
            | "DISubrange"
            | "DIEnumerator"
    )
}
