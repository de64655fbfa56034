//! Types: read, named, and checked for containing themselves.

use super::ReadError;
use super::Reader;
use super::cursor::Read;
use super::lex::{Name, Token};
use crate::ir::{FloatKind, StructType, Type, TypeId, Types};

/// Widest integer of LLVM.
const MAX_INT_BITS: u32 = 1 << 23;

/// How deep types may contain each other, names followed.
const MAX_TYPE_DEPTH: u32 = 256;

/// How many parts a type may have, names followed. Whoever asks for a size walks
/// through them all.
const MAX_TYPE_PARTS: u64 = 1 << 20;

/// Types that are needed all the time.
pub(super) struct Common {
    pub(super) void: TypeId,
    pub(super) bool: TypeId,
    pub(super) pointer: TypeId,
    pub(super) metadata: TypeId,
}

impl Common {
    pub(super) fn intern(types: &mut Types) -> Common {
        Common {
            void: types.intern(Type::Void),
            bool: types.intern(Type::Int(1)),
            pointer: types.intern(Type::Pointer),
            metadata: types.intern(Type::Metadata),
        }
    }
}

/// A type with a name.
pub(super) struct NamedType {
    id: TypeId,
    /// Line and column of the first use, where no definition was read yet.
    undefined: Option<(u32, u32)>,
}

/// Does a type begin with this word?
pub(super) fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "ptr"
            | "half"
            | "bfloat"
            | "float"
            | "double"
            | "x86_fp80"
            | "fp128"
            | "ppc_fp128"
            | "label"
            | "metadata"
            | "token"
            | "x86_mmx"
            | "x86_amx"
            | "target"
            | "opaque"
    ) || is_int_word(word)
}

fn is_int_word(word: &str) -> bool {
    word.strip_prefix('i')
        .is_some_and(|bits| !bits.is_empty() && bits.bytes().all(|b| b.is_ascii_digit()))
}

impl<'a> Reader<'a> {
    /// `%name = type ...`.
    pub(super) fn type_definition(&mut self, name: Name<'a>) -> Read<()> {
        let known = self.named_types.get(&name).map(|named| (named.id, named.undefined.is_some()));
        if let Some((_, false)) = known {
            return self.fail(format!("type `%{}` is defined twice", name.text()));
        }
        self.advance();
        self.expect(b'=')?;
        self.expect_word("type")?;
        let forward = known.map(|(id, _)| id);
        let id = match self.token() {
            Token::Word("opaque") => {
                self.advance();
                forward.unwrap_or_else(|| self.without_body(name))
            }
            Token::Mark(b'{' | b'<') => self.named_body(name, forward)?,
            _ if forward.is_some() => return self.expected("a struct"),
            _ => self.ty()?,
        };
        self.named_types.insert(name, NamedType { id, undefined: None });
        Ok(())
    }

    /// A named struct whose body comes later, or never.
    fn without_body(&mut self, name: Name<'a>) -> TypeId {
        self.module.types.intern(Type::Opaque(name.text()))
    }

    /// The body of a named struct, or a vector with a name.
    fn named_body(&mut self, name: Name<'a>, forward: Option<TypeId>) -> Read<TypeId> {
        let id = forward.unwrap_or_else(|| self.without_body(name));
        let undefined = Some((self.current.line, self.current.column));
        self.named_types.insert(name, NamedType { id, undefined });
        let body = self.ty()?;
        let Type::Struct(mut body) = self.module.types.get(body).clone() else {
            return Ok(body);
        };
        body.name = Some(name.text());
        self.module.types.define(id, Type::Struct(body));
        Ok(id)
    }

    /// A type.
    pub(super) fn ty(&mut self) -> Read<TypeId> {
        self.nested(|reader| {
            let mut ty = reader.plain_type()?;
            loop {
                match reader.token() {
                    Token::Mark(b'*') => {
                        reader.advance();
                        ty = reader.common.pointer;
                    }
                    Token::Word("addrspace") => {
                        ty = reader.address_space()?;
                        reader.eat(b'*');
                    }
                    Token::Mark(b'(') => ty = reader.function_type(ty)?,
                    _ => return Ok(ty),
                }
            }
        })
    }

    /// `addrspace(n)`: a plain pointer for 0, otherwise a type that no access takes.
    fn address_space(&mut self) -> Read<TypeId> {
        self.advance();
        self.expect(b'(')?;
        let space = self.current_text();
        self.advance();
        self.expect(b')')?;
        if space == "0" {
            return Ok(self.common.pointer);
        }
        Ok(self.module.types.intern(Type::Opaque(format!("addrspace({space})"))))
    }

    fn plain_type(&mut self) -> Read<TypeId> {
        match self.token() {
            Token::Word(word) => self.worded_type(word),
            Token::Local(name) => {
                let place = (self.current.line, self.current.column);
                self.advance();
                Ok(self.named_type(name, place))
            }
            Token::Mark(b'[') => {
                self.advance();
                let (n, element) = self.repeated(b']')?;
                Ok(self.module.types.intern(Type::Array(n, element)))
            }
            Token::Mark(b'{') => self.struct_type(false),
            Token::Mark(b'<') => self.vector_or_packed(),
            _ => self.expected("a type"),
        }
    }

    fn named_type(&mut self, name: Name<'a>, place: (u32, u32)) -> TypeId {
        if let Some(named) = self.named_types.get(&name) {
            return named.id;
        }
        let id = self.without_body(name);
        self.named_types.insert(name, NamedType { id, undefined: Some(place) });
        id
    }

    fn worded_type(&mut self, word: &str) -> Read<TypeId> {
        let ty = match word {
            "void" => Type::Void,
            "ptr" => Type::Pointer,
            "half" | "bfloat" => Type::Float(FloatKind::Half),
            "float" => Type::Float(FloatKind::Single),
            "double" => Type::Float(FloatKind::Double),
            "x86_fp80" | "fp128" | "ppc_fp128" => Type::Float(FloatKind::Extended),
            "label" => Type::Label,
            "metadata" => Type::Metadata,
            "token" => Type::Token,
            _ if is_int_word(word) => match word[1..].parse() {
                Ok(bits @ 1..=MAX_INT_BITS) => Type::Int(bits),
                _ => return self.fail(format!("unknown type `{word}`")),
            },
            _ => return self.fail(format!("unknown type `{word}`")),
        };
        self.advance();
        Ok(self.module.types.intern(ty))
    }

    /// `n x type` and the closing bracket.
    fn repeated(&mut self, close: u8) -> Read<(u64, TypeId)> {
        let n = self.number()?;
        self.expect_word("x")?;
        let element = self.ty()?;
        self.expect(close)?;
        Ok((n, element))
    }

    fn vector_or_packed(&mut self) -> Read<TypeId> {
        self.advance();
        if self.at(b'{') {
            let ty = self.struct_type(true)?;
            self.expect(b'>')?;
            return Ok(ty);
        }
        if self.at_word("vscale") {
            return self.fail("unknown type: a vector whose length the target chooses");
        }
        let (n, element) = self.repeated(b'>')?;
        Ok(self.module.types.intern(Type::Vector(n, element)))
    }

    fn struct_type(&mut self, is_packed: bool) -> Read<TypeId> {
        self.expect(b'{')?;
        let mut members = Vec::new();
        if !self.at(b'}') {
            members.push(self.ty()?);
            while self.eat(b',') {
                members.push(self.ty()?);
            }
        }
        self.expect(b'}')?;
        let ty = Type::Struct(StructType { name: None, members, is_packed });
        Ok(self.module.types.intern(ty))
    }

    fn function_type(&mut self, result: TypeId) -> Read<TypeId> {
        self.expect(b'(')?;
        let mut parameters = Vec::new();
        let mut is_variadic = false;
        while !self.at(b')') {
            if self.eat_word("...") {
                is_variadic = true;
            } else {
                parameters.push(self.ty()?);
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(self.module.types.intern(Type::Function { result, parameters, is_variadic }))
    }

    /// Names without a definition, and types that contain themselves or are too
    /// large for their size to be found.
    pub(super) fn check_types(&self) -> Vec<ReadError> {
        let undefined = self.named_types.iter().filter_map(|(name, named)| {
            let (line, column) = named.undefined?;
            Some(ReadError { line, column, message: format!("unknown type `%{}`", name.text()) })
        });
        let mut errors: Vec<ReadError> = undefined.collect();
        errors.sort_by_key(|error| (error.line, error.column));
        errors.truncate(super::MAX_ERRORS);
        if let Some(ty) = too_large(&self.module.types) {
            let message = match ty {
                Type::Struct(StructType { name: Some(name), .. }) => {
                    format!("type `%{name}` contains itself or is too large")
                }
                _ => "a type is too large".to_owned(),
            };
            errors.push(ReadError { line: 1, column: 1, message });
        }
        errors
    }
}

/// What a type contains.
fn contained(ty: &Type) -> &[TypeId] {
    match ty {
        Type::Array(_, element) | Type::Vector(_, element) => std::slice::from_ref(element),
        Type::Struct(body) => &body.members,
        Type::Function { parameters, .. } => parameters,
        _ => &[],
    }
}

/// How deep a type is, and how many types it is made of, each use counted.
#[derive(Clone, Copy)]
struct Extent {
    depth: u32,
    n_parts: u64,
}

/// A type that is deeper or larger than allowed, or endless.
fn too_large(types: &Types) -> Option<&Type> {
    let mut extents: Vec<Option<Extent>> = vec![None; types.len()];
    for root in 0..types.len() {
        // Types on the way down from the root, each with the next member to look at.
        let mut path = vec![(root, 0usize)];
        while let Some((idx, next)) = path.pop() {
            let ty = types.get(TypeId(idx as u32));
            let members = contained(ty);
            let extent_of = |member: &TypeId| extents[member.0 as usize];
            let unknown = members.iter().skip(next).position(|member| extent_of(member).is_none());
            if let Some(ahead) = unknown {
                path.push((idx, next + ahead));
                path.push((members[next + ahead].0 as usize, 0));
            }
            if path.len() as u32 > MAX_TYPE_DEPTH {
                return Some(ty);
            }
            if unknown.is_none() {
                let extent = whole(members.iter().filter_map(extent_of));
                if extent.depth > MAX_TYPE_DEPTH || extent.n_parts > MAX_TYPE_PARTS {
                    return Some(ty);
                }
                extents[idx] = Some(extent);
            }
        }
    }
    None
}

/// The extent of a type with such members.
fn whole(members: impl Iterator<Item = Extent>) -> Extent {
    members.fold(Extent { depth: 0, n_parts: 1 }, |whole, member| Extent {
        depth: whole.depth.max(member.depth + 1),
        n_parts: whole.n_parts.saturating_add(member.n_parts),
    })
}
