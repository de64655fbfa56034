//! Making successors, and counting turns of loops.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use model::rule_code::{FaultId, Reg};

use super::Body;
use super::memory::{next_flags, state_flags};
use crate::context::Context;
use crate::{bits, runtime};

/// States of up to this many words are copied without a call.
const WORDS_COPIED_INLINE: u32 = 24;

impl Body<'_, '_, '_> {
    /// Copies the state to the free room of the batch. The state of an initial-state
    /// function is zero.
    pub(super) fn begin(&mut self) {
        let next = self.load_context(offset_of!(Context, cursor));
        self.def_next(next);
        let n_words = self.unit.plan.state_words;
        if n_words > WORDS_COPIED_INLINE {
            let n_words = self.iconst(n_words.into());
            let arguments = [next, self.state, n_words];
            self.call_host(bits::copy_words as *const (), &arguments, false);
            return;
        }
        for word_idx in 0..n_words as i32 {
            let ins = self.unit.builder.ins();
            let word = ins.load(types::I64, state_flags(), self.state, word_idx * 8);
            self.unit.builder.ins().store(next_flags(), word, next, word_idx * 8);
        }
    }

    pub(super) fn commit(&mut self) {
        let choice = self.choice();
        let choices = self.load_context(offset_of!(Context, choices));
        self.unit.builder.ins().store(next_flags(), choice, choices, 0);
        let choices = self.unit.builder.ins().iadd_imm(choices, 8);
        self.store_context(offset_of!(Context, choices), choices);
        let next = self.next();
        let n_bytes = i64::from(self.unit.plan.state_words) * 8;
        let cursor = self.unit.builder.ins().iadd_imm(next, n_bytes);
        self.store_context(offset_of!(Context, cursor), cursor);
        let end = self.load_context(offset_of!(Context, choices_end));
        let full = self.unit.builder.ins().icmp(IntCC::Equal, choices, end);
        let (rare, ok) = (self.rare_block(), self.unit.builder.create_block());
        self.unit.builder.ins().brif(full, rare, &[], ok, &[]);
        self.go_on_in(rare);
        self.ask_host(runtime::flush as *const ());
        self.unit.builder.ins().jump(ok, &[]);
        self.go_on_in(ok);
    }

    /// Calls a function of the run time that may stop everything.
    fn ask_host(&mut self, address: *const ()) {
        let stop = self.call_host(address, &[self.context], true);
        self.stop_if(stop.expect("the function returns a value"));
    }

    /// The choice of the instance that is being computed.
    pub(super) fn choice(&mut self) -> Value {
        let choice = &self.function.choice;
        let mut sum = self.iconst(choice.first.cast_signed());
        for &(register, weight) in &choice.terms {
            let value = self.get(register);
            let weight = self.iconst(weight.cast_signed());
            let term = self.unit.builder.ins().imul(value, weight);
            sum = self.unit.builder.ins().iadd(sum, term);
        }
        sum
    }

    pub(super) fn enabled(&mut self) {
        let n_enabled = self.load_context(offset_of!(Context, n_enabled));
        let n_enabled = self.unit.builder.ins().iadd_imm(n_enabled, 1);
        self.store_context(offset_of!(Context, n_enabled), n_enabled);
    }

    /// Sets the bit of a `cover` statement.
    pub(super) fn cover(&mut self, cover: u32) {
        let all = self.load_context(offset_of!(Context, covered));
        let all = self.unit.builder.ins().iadd_imm(all, i64::from(cover / 64) * 8);
        let word = self.unit.builder.ins().load(types::I64, next_flags(), all, 0);
        let bit = self.iconst(1 << (cover % 64));
        let word = self.unit.builder.ins().bor(word, bit);
        self.unit.builder.ins().store(next_flags(), word, all, 0);
    }

    pub(super) fn tick(&mut self) {
        let fuel = self.load_context(offset_of!(Context, fuel));
        let fuel = self.unit.builder.ins().iadd_imm(fuel, -1);
        self.store_context(offset_of!(Context, fuel), fuel);
        let empty = self.unit.builder.ins().icmp_imm(IntCC::SignedLessThan, fuel, 0);
        let (rare, ok) = (self.rare_block(), self.unit.builder.create_block());
        self.unit.builder.ins().brif(empty, rare, &[], ok, &[]);
        self.go_on_in(rare);
        self.ask_host(runtime::refuel as *const ());
        self.unit.builder.ins().jump(ok, &[]);
        self.go_on_in(ok);
    }

    pub(super) fn turn(&mut self, turns: Reg, fault: FaultId) {
        let n_turns = self.get(turns);
        let n_turns = self.unit.builder.ins().iadd_imm(n_turns, 1);
        self.set(turns, n_turns);
        let most = self.iconst(self.unit.plan.program.max_loop_turns.cast_signed());
        let too_many = IntCC::UnsignedGreaterThan;
        let too_many = self.unit.builder.ins().icmp(too_many, n_turns, most);
        self.fault_if(too_many, fault);
    }
}
