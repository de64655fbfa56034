//! Textual LLVM IR -> [`ir::Module`].
//!
//! Tolerant of decoration: attributes, flags, metadata and comdats that are not
//! known are passed over, because they only help an optimiser. Never tolerant of
//! meaning: an unknown opcode or type is an error with its line, an unknown constant
//! becomes [`ir::Constant::Unsupported`] and is refused where it is used. Typed
//! pointers (LLVM 14 and before) and opaque ones read as the same.
//!
//! **Ends** always, in time linear in the text; nesting is bounded.
//! **Read first** `cursor.rs`, then `global.rs`, `function.rs`.

mod constant;
mod cursor;
mod debug;
mod float;
mod function;
mod global;
mod instruction;
mod layout;
mod lex;
mod locals;
mod metadata;
mod node;
mod types;

use rustc_hash::FxHashMap;

use crate::ir::{self, Definition, SymbolId, TypeId};
use cursor::Read;
use lex::{Lexer, Name, Placed, Token};

/// Errors after which reading gives up.
const MAX_ERRORS: usize = 20;

/// Why a text is not read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Line in the text, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads a module; on failure says what is wrong, in the order of the text.
pub fn read(text: &str) -> Result<ir::Module, Vec<ReadError>> {
    let mut reader = Reader::new(text);
    let mut errors = Vec::new();
    while reader.token() != Token::End && errors.len() < MAX_ERRORS {
        let begin = reader.current.span.0;
        if let Err(error) = reader.entity() {
            errors.push(error);
            reader.recover(begin);
        }
    }
    if errors.is_empty() {
        errors.extend(reader.check_types());
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    reader.resolve_debug();
    Ok(reader.module)
}

/// What reading knows so far.
struct Reader<'a> {
    lexer: Lexer<'a>,
    current: Placed<'a>,
    /// Where the token before the current one ends.
    last_end: usize,
    depth: u32,
    /// Are we between the braces of a function?
    is_in_body: bool,
    module: ir::Module,
    symbols: FxHashMap<Name<'a>, SymbolId>,
    named_types: FxHashMap<Name<'a>, types::NamedType>,
    common: types::Common,
    function: locals::FunctionNames<'a>,
    nodes: node::Nodes,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        let mut lexer = Lexer::new(text);
        let current = lexer.next();
        let mut module = ir::Module::default();
        let common = types::Common::intern(&mut module.types);
        Reader {
            lexer,
            current,
            last_end: 0,
            depth: 0,
            is_in_body: false,
            module,
            symbols: FxHashMap::default(),
            named_types: FxHashMap::default(),
            common,
            function: locals::FunctionNames::default(),
            nodes: node::Nodes::default(),
        }
    }

    /// One entity of the top level.
    fn entity(&mut self) -> Read<()> {
        match self.token() {
            Token::Global(name) => self.global(name),
            Token::Local(name) => self.type_definition(name),
            Token::Node(number) => self.numbered_node(number),
            Token::NodeName(_) | Token::Mark(b'^') => {
                self.skip_line();
                Ok(())
            }
            Token::Word(word) => self.worded_entity(word),
            _ => self.expected("a definition"),
        }
    }

    fn worded_entity(&mut self, word: &str) -> Read<()> {
        match word {
            "define" => self.function_definition(),
            "declare" => self.function_declaration(),
            "target" => self.target(),
            "module" => self.module_assembly(),
            "attributes" => self.attribute_group(),
            "source_filename" | "uselistorder" | "uselistorder_bb" => {
                self.skip_line();
                Ok(())
            }
            _ if word.starts_with('$') => {
                self.skip_line();
                Ok(())
            }
            _ => self.expected("a definition"),
        }
    }

    fn target(&mut self) -> Read<()> {
        self.advance();
        let is_layout = self.eat_word("datalayout");
        if !is_layout {
            self.expect_word("triple")?;
        }
        self.expect(b'=')?;
        let text = self.quoted()?;
        if is_layout {
            match layout::parse(&text) {
                Some(layout) => self.module.layout = layout,
                None => return self.fail("this data layout is not understood"),
            }
        } else {
            let arch = text.split('-').next().unwrap_or_default();
            self.module.is_x86 = matches!(arch, "x86_64" | "i386" | "i486" | "i586" | "i686");
        }
        Ok(())
    }

    fn module_assembly(&mut self) -> Read<()> {
        self.advance();
        self.expect_word("asm")?;
        let line = self.quoted()?;
        self.module.inline_assembly.push(line);
        Ok(())
    }

    fn attribute_group(&mut self) -> Read<()> {
        self.advance();
        self.advance();
        self.expect(b'=')?;
        if !self.at(b'{') {
            return self.expected("`{`");
        }
        self.skip_group()
    }

    /// Moves past the entity in which an error was found, to where the next one may
    /// begin.
    fn recover(&mut self, begin: usize) {
        self.depth = 0;
        let was_in_body = std::mem::take(&mut self.is_in_body);
        loop {
            let is_margin = self.current.is_first && self.current.column == 1;
            match self.token() {
                Token::End => return,
                Token::Mark(b'}') if is_margin => {
                    self.advance();
                    return;
                }
                _ if is_margin && !was_in_body && self.current.span.0 > begin => return,
                _ => self.advance(),
            };
        }
    }

    /// The symbol with this name, made where it is new.
    fn symbol(&mut self, name: Name<'a>) -> SymbolId {
        if let Some(&id) = self.symbols.get(&name) {
            return id;
        }
        let id = SymbolId(self.module.symbols.len() as u32);
        self.module.symbols.push(ir::Symbol {
            name: name.text(),
            linkage: ir::Linkage::External,
            definition: Definition::Missing,
            line: 0,
        });
        self.symbols.insert(name, id);
        id
    }

    fn is_vector(&self, id: TypeId) -> bool {
        matches!(self.module.types.get(id), ir::Type::Vector(..))
    }
}
