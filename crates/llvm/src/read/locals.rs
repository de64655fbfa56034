//! Names of values and blocks within one function, used before or after they are
//! defined.

use rustc_hash::FxHashMap;

use super::cursor::Read;
use super::lex::Name;
use super::{ReadError, Reader};
use crate::ir::{BlockId, FunctionBody, Local, LocalId, Operand, Part, TypeId};

/// Ids from here on stand for names that had no definition when they were used.
const FIRST_FORWARD: u32 = 1 << 31;

/// Largest table that is used again for the next function.
const MAX_KEPT: usize = 1024;

/// A use before the definition.
struct Forward<'a> {
    name: Name<'a>,
    ty: TypeId,
    line: u32,
    column: u32,
}

/// A block that was mentioned or begun.
struct Mention<'a> {
    name: Name<'a>,
    block: Option<BlockId>,
    line: u32,
    column: u32,
}

/// The names of the function that is being read.
#[derive(Default)]
pub(super) struct FunctionNames<'a> {
    pub(super) body: FunctionBody,
    locals: FxHashMap<Name<'a>, LocalId>,
    forward: Vec<Forward<'a>>,
    mentions: Vec<Mention<'a>>,
    mentioned: FxHashMap<Name<'a>, u32>,
    /// The number of the next value or block without a name.
    next_number: u32,
    /// Does the last block wait for more instructions?
    pub(super) is_block_open: bool,
}

impl<'a> FunctionNames<'a> {
    /// Forgets everything: a new function begins. Tables are kept for their memory,
    /// but for large ones, which would cost every later function their size.
    pub(super) fn clear(&mut self) {
        if self.locals.capacity() > MAX_KEPT || self.mentioned.capacity() > MAX_KEPT {
            *self = FunctionNames::default();
            return;
        }
        self.body = FunctionBody::default();
        self.locals.clear();
        self.forward.clear();
        self.mentions.clear();
        self.mentioned.clear();
        self.next_number = 0;
        self.is_block_open = false;
    }

    /// The name, or the next number.
    fn name_or_number(&mut self, name: Option<Name<'a>>) -> Name<'a> {
        let name = name.unwrap_or(Name::Number(self.next_number));
        if let Name::Number(number) = name {
            self.next_number = self.next_number.max(number.saturating_add(1));
        }
        name
    }
}

impl<'a> Reader<'a> {
    /// A new value of the function.
    pub(super) fn define_local(&mut self, name: Option<Name<'a>>, ty: TypeId) -> Read<LocalId> {
        let name = self.function.name_or_number(name);
        let id = LocalId(self.function.body.locals.len() as u32);
        if id.0 >= FIRST_FORWARD || self.function.locals.insert(name, id).is_some() {
            return self.fail(format!("value `%{}` is defined twice", name.text()));
        }
        self.function.body.locals.push(Local { name: name.text(), ty });
        Ok(id)
    }

    /// A use of a value as one of type `ty`.
    pub(super) fn use_local(&mut self, name: Name<'a>, ty: TypeId) -> Read<LocalId> {
        if let Some(&id) = self.function.locals.get(&name) {
            if self.function.body.locals[id.0 as usize].ty != ty {
                return self.fail(format!("value `%{}` has another type", name.text()));
            }
            self.advance();
            return Ok(id);
        }
        let id = LocalId(FIRST_FORWARD | self.function.forward.len() as u32);
        let (line, column) = (self.current.line, self.current.column);
        self.function.forward.push(Forward { name, ty, line, column });
        self.advance();
        Ok(id)
    }

    /// Begins a block.
    pub(super) fn define_block(&mut self, name: Option<Name<'a>>) -> Read<()> {
        if self.function.is_block_open {
            return self.fail("the block before this does not say where it goes on");
        }
        let name = self.function.name_or_number(name);
        let block = BlockId(self.function.body.blocks.len() as u32);
        let mention = self.mention(name);
        let known = &mut self.function.mentions[mention.0 as usize].block;
        if known.replace(block).is_some() {
            return self.fail(format!("block `%{}` is defined twice", name.text()));
        }
        self.function
            .body
            .blocks
            .push(crate::ir::Block { name: name.text(), instructions: Vec::new() });
        self.function.is_block_open = true;
        Ok(())
    }

    /// A mention of a block; the id is replaced when the function ends.
    pub(super) fn mention(&mut self, name: Name<'a>) -> BlockId {
        let (line, column) = (self.current.line, self.current.column);
        let mentions = &mut self.function.mentions;
        let id = *self.function.mentioned.entry(name).or_insert_with(|| {
            mentions.push(Mention { name, block: None, line, column });
            mentions.len() as u32 - 1
        });
        BlockId(id)
    }

    /// Gives every name used in the function its definition, and hands it over.
    pub(super) fn finish_body(&mut self) -> Read<FunctionBody> {
        let forward = self.resolve_forward()?;
        let mut blocks = Vec::with_capacity(self.function.mentions.len());
        for mention in &self.function.mentions {
            match mention.block {
                Some(block) => blocks.push(block),
                None => return Err(undefined("block", mention.name, mention.line, mention.column)),
            }
        }
        let mut body = std::mem::take(&mut self.function.body);
        let instructions = body.blocks.iter_mut().flat_map(|block| &mut block.instructions);
        for instruction in instructions {
            instruction.op.parts_mut(&mut |part| match part {
                Part::Operand(Operand::Local(id)) if id.0 >= FIRST_FORWARD => {
                    *id = forward[(id.0 - FIRST_FORWARD) as usize];
                }
                Part::Block(id) => *id = blocks[id.0 as usize],
                _ => {}
            });
        }
        Ok(body)
    }

    fn resolve_forward(&self) -> Read<Vec<LocalId>> {
        let mut resolved = Vec::with_capacity(self.function.forward.len());
        for used in &self.function.forward {
            let Some(&id) = self.function.locals.get(&used.name) else {
                return Err(undefined("value", used.name, used.line, used.column));
            };
            if self.function.body.locals[id.0 as usize].ty != used.ty {
                let message = format!("value `%{}` has another type", used.name.text());
                return Err(ReadError { line: used.line, column: used.column, message });
            }
            resolved.push(id);
        }
        Ok(resolved)
    }
}

fn undefined(what: &str, name: Name<'_>, line: u32, column: u32) -> ReadError {
    ReadError { line, column, message: format!("unknown {what} `%{}`", name.text()) }
}
