//! Instructions written out again, and compared with the lines that they were read
//! from. What the reader drops on purpose (attributes, flags that only allow
//! optimisations, metadata) is dropped from the line too.

use llvm::ir::{
    BinaryOp, BlockId, Callee, CastOp, Constant, Definition, FloatKind, FunctionBody, Instruction,
    IntPredicate, Module, Op, Operand, Ordering, RmwOp, Shape, Type, TypeId, TypedOperand,
};

/// How many instructions were compared, and those that differ: what was read, what
/// is written.
#[derive(Default)]
pub struct Comparison {
    pub n_compared: usize,
    pub differences: Vec<(String, String)>,
}

/// Compares all instructions of a module with its text, which must have opaque
/// pointers. Floating-point and composed constants are left out.
pub fn compare(module: &Module, text: &str) -> Comparison {
    let lines: Vec<&str> = text.lines().collect();
    let mut comparison = Comparison::default();
    for symbol in &module.symbols {
        if let Definition::Function(function) = &symbol.definition
            && let Some(body) = &function.body
        {
            let writer = Writer { module, body };
            for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
                let written = without_decoration(&joined(&lines, instruction.line as usize));
                if let Some(read) = writer.instruction(instruction) {
                    comparison.n_compared += 1;
                    if read != written {
                        comparison.differences.push((read, written));
                    }
                }
            }
        }
    }
    comparison
}

/// The line, with those that go on with it.
fn joined(lines: &[&str], line: usize) -> String {
    let mut whole = lines[line - 1].trim().to_owned();
    if whole.starts_with("switch") {
        for more in &lines[line..] {
            whole = format!("{whole} {}", more.trim());
            if more.trim_start().starts_with(']') {
                break;
            }
        }
    } else if whole.contains("invoke ") {
        whole = format!("{whole} {}", lines[line].trim());
    }
    whole
}

const FLAGS: &[&str] = &[
    "nneg",
    "disjoint",
    "samesign",
    "nusw",
    "fast",
    "nnan",
    "ninf",
    "nsz",
    "arcp",
    "contract",
    "afn",
    "reassoc",
    "tail",
    "musttail",
    "notail",
    "noundef",
    "nonnull",
    "zeroext",
    "signext",
    "noalias",
    "nocapture",
    "readonly",
    "readnone",
    "writeonly",
    "returned",
    "immarg",
    "fastcc",
    "coldcc",
    "inreg",
    "nofree",
    "noread",
    "dead_on_unwind",
    "writable",
    "allocptr",
    "allocalign",
    "nest",
    "dead_on_return",
];

const FLAGS_WITH_ARGUMENT: &[&str] = &[
    "captures(",
    "dereferenceable(",
    "dereferenceable_or_null(",
    "range(",
    "sret(",
    "byval(",
    "elementtype(",
    "initializes(",
    "nofpclass(",
];

/// The line without what the reader drops, and without quotes.
fn without_decoration(line: &str) -> String {
    let line = line.split(", !").next().unwrap_or("");
    let line = cut_groups(line);
    let mut words: Vec<&str> = Vec::new();
    let keeps_overflow = !line.contains(" trunc ") && !line.contains(" getelementptr ");
    let is_call = line.contains("call ") || line.contains("invoke ");
    let is_pure_atomic = line.contains(" cmpxchg ") || line.contains(" atomicrmw ");
    let mut drops_next = false;
    for word in line.split(' ').filter(|word| !word.is_empty()) {
        let is_dropped = FLAGS.contains(&word)
            || word.starts_with('#')
            || (!keeps_overflow && matches!(word, "nuw" | "nsw"))
            || (is_pure_atomic && word == "volatile")
            || std::mem::take(&mut drops_next);
        if (is_call || is_pure_atomic) && word == "align" {
            drops_next = true;
        } else if !is_dropped {
            words.push(word);
        }
    }
    words.join(" ").trim_end_matches(',').replace('"', "")
}

/// The line without attributes that have an argument.
fn cut_groups(line: &str) -> String {
    let mut line = line.to_owned();
    while let Some(begin) = FLAGS_WITH_ARGUMENT.iter().find_map(|flag| {
        let spaced = format!(" {flag}");
        line.find(&spaced)
    }) {
        let mut depth = 0;
        let end = line[begin..].find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ')' && depth == 0
        });
        let Some(end) = end else { break };
        line.replace_range(begin..=begin + end, "");
    }
    line
}

struct Writer<'m> {
    module: &'m Module,
    body: &'m FunctionBody,
}

impl Writer<'_> {
    /// The instruction as text; `None` for what is not written out here.
    fn instruction(&self, instruction: &Instruction) -> Option<String> {
        let text = self.op(&instruction.op)?;
        match instruction.result {
            Some(id) => {
                Some(format!("{} = {text}", name('%', &self.body.locals[id.0 as usize].name)?))
            }
            None => Some(text),
        }
    }

    fn op(&self, op: &Op) -> Option<String> {
        Some(match op {
            Op::Return(None) => "ret void".to_owned(),
            Op::Return(Some(value)) => format!("ret {}", self.typed(value)?),
            Op::Unreachable => "unreachable".to_owned(),
            Op::Resume(value) => format!("resume {}", self.typed(value)?),
            Op::Freeze(value) => format!("freeze {}", self.typed(value)?),
            Op::Fence(ordering) => format!("fence {}", order(*ordering)),
            Op::Jump(target) => format!("br {}", self.label(*target)?),
            Op::Branch { condition, targets: (yes, no) } => {
                let condition = self.value(condition, Some(1))?;
                format!("br i1 {condition}, {}, {}", self.label(*yes)?, self.label(*no)?)
            }
            Op::Switch { value, cases, default } => self.switch(value, cases, *default)?,
            Op::Binary { op, ty, operands: (left, right), flags } => {
                let mut name = binary(*op).to_owned();
                for (is_set, flag) in [
                    (flags.no_unsigned, " nuw"),
                    (flags.no_signed, " nsw"),
                    (flags.exact, " exact"),
                ] {
                    name.push_str(if is_set { flag } else { "" });
                }
                format!("{name} {}, {}", self.at(*ty, left)?, self.of(*ty, right)?)
            }
            Op::Compare { predicate, ty, operands: (left, right) } => {
                let (left, right) = (self.at(*ty, left)?, self.of(*ty, right)?);
                format!("icmp {} {left}, {right}", predicate_name(*predicate))
            }
            Op::Cast { op, value, to } => {
                format!("{} {} to {}", cast(*op), self.typed(value)?, self.ty(*to)?)
            }
            Op::Select { condition, ty, values: (yes, no) } => {
                let values = (self.at(*ty, yes)?, self.at(*ty, no)?);
                format!("select {}, {}, {}", self.typed(condition)?, values.0, values.1)
            }
            Op::Phi { ty, incoming } => {
                let pair = |(value, block): &(Operand, BlockId)| {
                    Some(format!("[ {}, {} ]", self.of(*ty, value)?, self.block(*block)?))
                };
                let pairs = incoming.iter().map(pair).collect::<Option<Vec<_>>>()?;
                format!("phi {} {}", self.ty(*ty)?, pairs.join(", "))
            }
            Op::Call { .. } => self.call(op)?,
            _ => self.memory(op)?,
        })
    }

    fn memory(&self, op: &Op) -> Option<String> {
        Some(match op {
            Op::Alloca { ty, count, align } => {
                let count = match count {
                    Some(count) => format!(", {}", self.typed(count)?),
                    None => String::new(),
                };
                format!("alloca {}{count}{}", self.ty(*ty)?, align_text(*align))
            }
            Op::Load { ty, pointer, shape } => {
                let (before, after) = shape_text(shape);
                format!("load {before}{}, ptr {}{after}", self.ty(*ty)?, self.value(pointer, None)?)
            }
            Op::Store { value, pointer, shape } => {
                let (before, after) = shape_text(shape);
                format!(
                    "store {before}{}, ptr {}{after}",
                    self.typed(value)?,
                    self.value(pointer, None)?
                )
            }
            Op::Element { source, base, indices, is_inbounds } => {
                let flag = if *is_inbounds { "inbounds " } else { "" };
                let mut text =
                    format!("getelementptr {flag}{}, {}", self.ty(*source)?, self.typed(base)?);
                for idx in indices {
                    text.push_str(&format!(", {}", self.typed(idx)?));
                }
                text
            }
            Op::CompareExchange { pointer, ty, values: (old, new), is_weak, orderings } => {
                let weak = if *is_weak { "weak " } else { "" };
                let (success, failure) = (order(orderings.0), order(orderings.1));
                let values = format!("{}, {}", self.at(*ty, old)?, self.at(*ty, new)?);
                let pointer = self.value(pointer, None)?;
                format!("cmpxchg {weak}ptr {pointer}, {values} {success} {failure},")
                    .trim_end_matches(',')
                    .to_owned()
            }
            Op::ReadModifyWrite { op, pointer, value, ordering } => {
                let pointer = self.value(pointer, None)?;
                let value = self.typed(value)?;
                format!("atomicrmw {} ptr {pointer}, {value} {}", rmw(*op), order(*ordering))
            }
            Op::Extract { value, path } => {
                format!("extractvalue {}{}", self.typed(value)?, path_text(path))
            }
            Op::Insert { into, value, path } => {
                let members = format!("{}, {}", self.typed(into)?, self.typed(value)?);
                format!("insertvalue {members}{}", path_text(path))
            }
            _ => return None,
        })
    }

    fn switch(
        &self,
        value: &TypedOperand,
        cases: &[(u128, BlockId)],
        default: BlockId,
    ) -> Option<String> {
        let mut text = format!("switch {}, {} [", self.typed(value)?, self.label(default)?);
        for (number, target) in cases {
            let number = self.constant(&Constant::Int(*number), self.bits(value.ty))?;
            text.push_str(&format!(" {} {number}, {}", self.ty(value.ty)?, self.label(*target)?));
        }
        Some(format!("{text} ]"))
    }

    fn call(&self, op: &Op) -> Option<String> {
        let Op::Call { callee: Callee::Operand(callee), result_ty, arguments, invoke } = op else {
            return None;
        };
        let Operand::Constant(Constant::Symbol(id)) = callee else {
            return None;
        };
        // Variadic calls spell out the type of the function.
        if self.module.function(*id)?.is_variadic {
            return None;
        }
        let texts = arguments.iter().map(|(argument, _)| self.typed(argument));
        let texts = texts.collect::<Option<Vec<_>>>()?.join(", ");
        let call = format!("{} {}({texts})", self.ty(*result_ty)?, self.value(callee, None)?);
        Some(match invoke {
            Some((normal, unwind)) => {
                format!("invoke {call} to {} unwind {}", self.label(*normal)?, self.label(*unwind)?)
            }
            None => format!("call {call}"),
        })
    }

    fn typed(&self, operand: &TypedOperand) -> Option<String> {
        self.at(operand.ty, &operand.value)
    }

    fn at(&self, ty: TypeId, value: &Operand) -> Option<String> {
        Some(format!("{} {}", self.ty(ty)?, self.of(ty, value)?))
    }

    fn of(&self, ty: TypeId, value: &Operand) -> Option<String> {
        self.value(value, self.bits(ty))
    }

    fn bits(&self, ty: TypeId) -> Option<u32> {
        match self.module.types.get(ty) {
            Type::Int(bits) => Some(*bits),
            _ => None,
        }
    }

    fn value(&self, value: &Operand, bits: Option<u32>) -> Option<String> {
        match value {
            Operand::Local(id) => name('%', &self.body.locals[id.0 as usize].name),
            Operand::Constant(constant) => self.constant(constant, bits),
        }
    }

    fn constant(&self, constant: &Constant, bits: Option<u32>) -> Option<String> {
        Some(match (constant, bits) {
            (Constant::Int(number), Some(1)) => (*number == 1).to_string(),
            (Constant::Int(number), Some(bits)) => {
                let shift = 128 - bits;
                (((*number << shift) as i128) >> shift).to_string()
            }
            (Constant::Null, _) => "null".to_owned(),
            (Constant::Undef, _) => "undef".to_owned(),
            (Constant::Poison, _) => "poison".to_owned(),
            (Constant::Zero, _) => "zeroinitializer".to_owned(),
            (Constant::Symbol(id), _) => name('@', &self.module.symbol(*id).name)?,
            _ => return None,
        })
    }

    fn block(&self, block: BlockId) -> Option<String> {
        name('%', &self.body.blocks[block.0 as usize].name)
    }

    fn label(&self, block: BlockId) -> Option<String> {
        Some(format!("label {}", self.block(block)?))
    }

    fn ty(&self, id: TypeId) -> Option<String> {
        Some(match self.module.types.get(id) {
            Type::Void => "void".to_owned(),
            Type::Int(bits) => format!("i{bits}"),
            Type::Pointer => "ptr".to_owned(),
            Type::Float(FloatKind::Single) => "float".to_owned(),
            Type::Float(FloatKind::Double) => "double".to_owned(),
            Type::Array(n, element) => format!("[{n} x {}]", self.ty(*element)?),
            Type::Vector(n, element) => format!("<{n} x {}>", self.ty(*element)?),
            Type::Struct(body) => {
                if let Some(text) = &body.name {
                    return name('%', text);
                }
                let members = body.members.iter().map(|&member| self.ty(member));
                let members = members.collect::<Option<Vec<_>>>()?.join(", ");
                match body.is_packed {
                    _ if members.is_empty() => return None,
                    true => format!("<{{ {members} }}>"),
                    false => format!("{{ {members} }}"),
                }
            }
            _ => return None,
        })
    }
}

/// A name after its sigil, without quotes; `None` where it would have to be escaped
/// or has blanks.
fn name(sigil: char, text: &str) -> Option<String> {
    let is_plain = text.chars().all(|c| ('!'..='~').contains(&c) && !"\"\\".contains(c));
    is_plain.then(|| format!("{sigil}{text}"))
}

fn align_text(align: Option<u32>) -> String {
    align.map_or(String::new(), |align| format!(", align {align}"))
}

fn path_text(path: &[u32]) -> String {
    path.iter().map(|idx| format!(", {idx}")).collect()
}

/// What stands after the opcode, and what after the pointer.
fn shape_text(shape: &Shape) -> (String, String) {
    let atomic = if shape.ordering.is_some() { "atomic " } else { "" };
    let volatile = if shape.is_volatile { "volatile " } else { "" };
    let ordering = shape.ordering.map_or(String::new(), |ordering| format!(" {}", order(ordering)));
    (format!("{atomic}{volatile}"), format!("{ordering}{}", align_text(shape.align)))
}

fn order(ordering: Ordering) -> &'static str {
    match ordering {
        Ordering::Unordered => "unordered",
        Ordering::Monotonic => "monotonic",
        Ordering::Acquire => "acquire",
        Ordering::Release => "release",
        Ordering::AcquireRelease => "acq_rel",
        Ordering::SequentiallyConsistent => "seq_cst",
    }
}

fn binary(op: BinaryOp) -> String {
    format!("{op:?}").to_lowercase()
}

fn cast(op: CastOp) -> String {
    format!("{op:?}").to_lowercase()
}

fn predicate_name(predicate: IntPredicate) -> String {
    format!("{predicate:?}").to_lowercase()
}

fn rmw(op: RmwOp) -> String {
    match op {
        RmwOp::UIncWrap => "uinc_wrap".to_owned(),
        RmwOp::UDecWrap => "udec_wrap".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}
