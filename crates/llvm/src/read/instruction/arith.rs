//! Arithmetic, comparisons, conversions and choices.

use super::Parsed;
use crate::ir::{
    BinaryOp, CastOp, FloatPredicate, IntPredicate, Op, OverflowFlags, TypedOperand, UnaryOp,
};
use crate::read::Reader;
use crate::read::cursor::Read;
use crate::read::lex::Token;
use crate::read::types::is_type_word;

/// The operation on two values with this opcode.
pub(in crate::read) fn binary_op(opcode: &str) -> Option<BinaryOp> {
    Some(match opcode {
        "add" => BinaryOp::Add,
        "sub" => BinaryOp::Sub,
        "mul" => BinaryOp::Mul,
        "udiv" => BinaryOp::UDiv,
        "sdiv" => BinaryOp::SDiv,
        "urem" => BinaryOp::URem,
        "srem" => BinaryOp::SRem,
        "shl" => BinaryOp::Shl,
        "lshr" => BinaryOp::LShr,
        "ashr" => BinaryOp::AShr,
        "and" => BinaryOp::And,
        "or" => BinaryOp::Or,
        "xor" => BinaryOp::Xor,
        "fadd" => BinaryOp::FAdd,
        "fsub" => BinaryOp::FSub,
        "fmul" => BinaryOp::FMul,
        "fdiv" => BinaryOp::FDiv,
        "frem" => BinaryOp::FRem,
        _ => return None,
    })
}

/// The conversion with this opcode.
pub(in crate::read) fn cast_op(opcode: &str) -> Option<CastOp> {
    Some(match opcode {
        "trunc" => CastOp::Trunc,
        "zext" => CastOp::ZExt,
        "sext" => CastOp::SExt,
        "fptrunc" => CastOp::FpTrunc,
        "fpext" => CastOp::FpExt,
        "fptoui" => CastOp::FpToUi,
        "fptosi" => CastOp::FpToSi,
        "uitofp" => CastOp::UiToFp,
        "sitofp" => CastOp::SiToFp,
        // The address alone is all that our integers from pointers hold.
        "ptrtoint" | "ptrtoaddr" => CastOp::PtrToInt,
        "inttoptr" => CastOp::IntToPtr,
        "bitcast" => CastOp::BitCast,
        "addrspacecast" => CastOp::AddrSpaceCast,
        _ => return None,
    })
}

/// The comparison with this name.
pub(in crate::read) fn int_predicate(word: &str) -> Option<IntPredicate> {
    Some(match word {
        "eq" => IntPredicate::Eq,
        "ne" => IntPredicate::Ne,
        "ugt" => IntPredicate::Ugt,
        "uge" => IntPredicate::Uge,
        "ult" => IntPredicate::Ult,
        "ule" => IntPredicate::Ule,
        "sgt" => IntPredicate::Sgt,
        "sge" => IntPredicate::Sge,
        "slt" => IntPredicate::Slt,
        "sle" => IntPredicate::Sle,
        _ => return None,
    })
}

fn float_predicate(word: &str) -> Option<FloatPredicate> {
    let (less, equal, greater, unordered) = match word {
        "false" => (false, false, false, false),
        "oeq" => (false, true, false, false),
        "ogt" => (false, false, true, false),
        "oge" => (false, true, true, false),
        "olt" => (true, false, false, false),
        "ole" => (true, true, false, false),
        "one" => (true, false, true, false),
        "ord" => (true, true, true, false),
        "ueq" => (false, true, false, true),
        "ugt" => (false, false, true, true),
        "uge" => (false, true, true, true),
        "ult" => (true, false, false, true),
        "ule" => (true, true, false, true),
        "une" => (true, false, true, true),
        "uno" => (false, false, false, true),
        "true" => (true, true, true, true),
        _ => return None,
    };
    Some(FloatPredicate { less, equal, greater, unordered })
}

impl<'a> Reader<'a> {
    pub(super) fn binary(&mut self, op: BinaryOp) -> Read<Parsed> {
        let mut flags = OverflowFlags::default();
        self.flags(|flag| match flag {
            "nsw" => flags.no_signed = true,
            "nuw" => flags.no_unsigned = true,
            "exact" => flags.exact = true,
            _ => {}
        })?;
        let ty = self.ty()?;
        let operands = self.operand_pair(ty)?;
        Ok(Parsed::valued(Op::Binary { op, ty, operands, flags }, ty))
    }

    pub(super) fn cast(&mut self, op: CastOp) -> Read<Parsed> {
        self.flags(|_| {})?;
        let value = self.typed_operand()?;
        self.expect_word("to")?;
        let to = self.ty()?;
        Ok(Parsed::valued(Op::Cast { op, value, to }, to))
    }

    pub(super) fn negation(&mut self) -> Read<Parsed> {
        self.flags(|_| {})?;
        let value = self.typed_operand()?;
        let ty = value.ty;
        Ok(Parsed::valued(Op::Unary(UnaryOp::FNeg, value), ty))
    }

    pub(super) fn freeze(&mut self) -> Read<Parsed> {
        self.advance();
        let value = self.typed_operand()?;
        let ty = value.ty;
        Ok(Parsed::valued(Op::Freeze(value), ty))
    }

    pub(super) fn compare(&mut self) -> Read<Parsed> {
        self.advance();
        let predicate = self.int_predicate()?;
        let ty = self.ty()?;
        let operands = self.operand_pair(ty)?;
        let truth = self.truth_type(ty);
        Ok(Parsed::valued(Op::Compare { predicate, ty, operands }, truth))
    }

    pub(super) fn float_compare(&mut self) -> Read<Parsed> {
        self.advance();
        let predicate = loop {
            match self.token() {
                Token::Word(word) if !is_type_word(word) => {
                    self.advance();
                    if let Some(predicate) = float_predicate(word) {
                        break predicate;
                    }
                }
                _ => return self.expected("a predicate"),
            }
        };
        let ty = self.ty()?;
        let operands = self.operand_pair(ty)?;
        let truth = self.truth_type(ty);
        Ok(Parsed::valued(Op::FloatCompare { predicate, ty, operands }, truth))
    }

    pub(super) fn select(&mut self) -> Read<Parsed> {
        self.flags(|_| {})?;
        let condition = self.typed_operand()?;
        self.expect(b',')?;
        let TypedOperand { ty, value: yes } = self.typed_operand()?;
        self.expect(b',')?;
        let no = self.typed_operand()?;
        if no.ty != ty {
            return self.fail("the two values have different types");
        }
        let values = (yes, no.value);
        Ok(Parsed::valued(Op::Select { condition, ty, values }, ty))
    }
}
