//! Calls, local memory, faults, and the ways out of a function.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, AliasRegion, InstBuilder, MemFlags, Value, types};
use model::PropertyKind;
use model::rule_code::{FaultId, FunctionId, Reg};

use super::{Body, Exit, callee_signature, plain_signature};
use crate::context::Context;
use crate::plan::Role;
use crate::{bits, runtime};

/// Words of local memory that are zeroed without a call.
const WORDS_CLEARED_INLINE: u32 = 8;

impl Body<'_, '_, '_> {
    /// Calls a function of the run time at `address` that returns one value or none.
    pub(super) fn call_host(
        &mut self,
        address: *const (),
        arguments: &[Value],
        returns: bool,
    ) -> Option<Value> {
        let signature = self.unit.host_signature(arguments.len(), returns);
        let address = self.iconst(address as i64);
        let call = self.unit.builder.ins().call_indirect(signature, address, arguments);
        self.unit.builder.inst_results(call).first().copied()
    }

    pub(super) fn call(&mut self, dst: Option<Reg>, function: FunctionId, arguments: &[Reg]) {
        let mut values = vec![self.context, self.state, self.next()];
        if self.unit.plan.counts_calls {
            values.push(match self.depth {
                Some(depth) => self.unit.builder.ins().iadd_imm(depth, 1),
                None => self.iconst(1),
            });
        }
        for &argument in arguments {
            let value = self.get(argument);
            values.push(value);
        }
        let callee = self.unit.import(function);
        let call = self.unit.builder.ins().call(callee, &values);
        let results = self.unit.builder.inst_results(call);
        let (failed, value) = (results[0], results[1]);
        let failed_block = self.failed_block();
        let ok = self.unit.builder.create_block();
        self.unit.builder.ins().brif(failed, failed_block, &[], ok, &[]);
        self.go_on_in(ok);
        if let Some(dst) = dst {
            self.set(dst, value);
        }
    }

    /// Refuses a call that nests too deeply, or for which the stack is too small.
    pub(super) fn count_call(&mut self) {
        let Some(depth) = self.depth else { return };
        let deepest = self.iconst(i64::from(self.unit.plan.program.max_call_depth));
        let too_deep = self.unit.builder.ins().icmp(IntCC::SignedGreaterThan, depth, deepest);
        self.fault_if(too_deep, self.unit.plan.program.too_deep);
        let stack = self.unit.builder.ins().get_stack_pointer(types::I64);
        let floor = self.load_context(offset_of!(Context, stack_floor));
        let too_low = self.unit.builder.ins().icmp(IntCC::UnsignedLessThan, stack, floor);
        self.exhausted_if(too_low);
    }

    /// Takes local memory from the pool.
    pub(super) fn callee_frame(&mut self) {
        let n_words = self.unit.plan.frame_of(self.id);
        if n_words == 0 {
            return;
        }
        let frame = self.load_context(offset_of!(Context, frame_top));
        let top = self.unit.builder.ins().iadd_imm(frame, i64::from(n_words) * 8);
        let end = self.load_context(offset_of!(Context, frame_end));
        let too_high = self.unit.builder.ins().icmp(IntCC::UnsignedGreaterThan, top, end);
        self.exhausted_if(too_high);
        self.store_context(offset_of!(Context, frame_top), top);
        self.clear_frame(frame, n_words);
    }

    /// Takes local memory from the start of the pool, which is large enough for it.
    pub(super) fn root_frame(&mut self) {
        let n_words = self.unit.plan.frame_of(self.id);
        if n_words == 0 {
            return;
        }
        let frame = self.load_context(offset_of!(Context, frame_base));
        let top = self.unit.builder.ins().iadd_imm(frame, i64::from(n_words) * 8);
        self.store_context(offset_of!(Context, frame_top), top);
        self.clear_frame(frame, n_words);
    }

    fn clear_frame(&mut self, frame: Value, n_words: u32) {
        self.frame = Some(frame);
        if n_words > WORDS_CLEARED_INLINE {
            let n_words = self.iconst(n_words.into());
            self.call_host(bits::clear_words as *const (), &[frame, n_words], false);
            return;
        }
        let zero = self.iconst(0);
        let flags = MemFlags::trusted().with_alias_region(Some(AliasRegion::Heap));
        for word_idx in 0..n_words as i32 {
            self.unit.builder.ins().store(flags, zero, frame, word_idx * 8);
        }
    }

    /// Leaves the function in good order.
    pub(super) fn leave(&mut self, value: Option<Reg>) {
        let value = value.map(|register| self.get(register));
        if let Some(frame) = self.frame {
            self.store_context(offset_of!(Context, frame_top), frame);
        }
        match self.exit {
            Exit::Callee => {
                let zero = self.iconst(0);
                self.unit.builder.ins().return_(&[zero, value.unwrap_or(zero)]);
            }
            Exit::Root { role, leave, .. } => {
                self.tell(role, value, leave);
            }
        }
    }

    /// Tells what a judge or the valuation returned, and goes on.
    fn tell(&mut self, role: Role, value: Option<Value>, leave: ir::Block) {
        match (role, value) {
            (Role::Judge(idx, kind), Some(value)) => self.verdict(idx, kind, value, leave),
            (Role::Valuation, Some(value)) => {
                self.store_context(offset_of!(Context, value), value);
                self.unit.builder.ins().jump(leave, &[]);
            }
            _ => {
                self.unit.builder.ins().jump(leave, &[]);
            }
        }
    }

    fn verdict(&mut self, property: u32, kind: PropertyKind, value: Value, leave: ir::Block) {
        let rare = self.rare_block();
        let event = match kind {
            PropertyKind::Invariant => {
                self.unit.builder.ins().brif(value, leave, &[], rare, &[]);
                runtime::violated as *const ()
            }
            PropertyKind::Cover | PropertyKind::CoverStatement | PropertyKind::AlwaysReachable => {
                self.unit.builder.ins().brif(value, rare, &[], leave, &[]);
                runtime::reached as *const ()
            }
        };
        self.go_on_in(rare);
        let property = self.iconst(property.into());
        self.call_host(event, &[self.context, property], false);
        self.unit.builder.ins().jump(leave, &[]);
    }

    pub(super) fn fault_if(&mut self, condition: Value, fault: FaultId) {
        let fault = self.fault_block(fault);
        let ok = self.unit.builder.create_block();
        self.unit.builder.ins().brif(condition, fault, &[], ok, &[]);
        self.go_on_in(ok);
    }

    pub(super) fn fault_unless(&mut self, condition: Value, fault: FaultId) {
        let fault = self.fault_block(fault);
        let ok = self.unit.builder.create_block();
        self.unit.builder.ins().brif(condition, ok, &[], fault, &[]);
        self.go_on_in(ok);
    }

    /// Stops everything when memory for calls has run out.
    fn exhausted_if(&mut self, condition: Value) {
        let (rare, ok) = (self.rare_block(), self.unit.builder.create_block());
        self.unit.builder.ins().brif(condition, rare, &[], ok, &[]);
        self.go_on_in(rare);
        self.call_host(runtime::exhausted as *const (), &[self.context], false);
        let failed = self.failed_block();
        self.unit.builder.ins().jump(failed, &[]);
        self.go_on_in(ok);
    }

    /// Leaves the function when `stop` is not zero: the run time knows why.
    pub(super) fn stop_if(&mut self, stop: Value) {
        let failed = self.failed_block();
        let ok = self.unit.builder.create_block();
        self.unit.builder.ins().brif(stop, failed, &[], ok, &[]);
        self.go_on_in(ok);
    }

    /// Where `fault` is told.
    pub(super) fn fault_block(&mut self, fault: FaultId) -> ir::Block {
        if let Some(&block) = self.fault_blocks.get(&fault.0) {
            return block;
        }
        let block = self.rare_block();
        self.fault_blocks.insert(fault.0, block);
        block
    }

    /// Where a function goes that failed because one that it called did, or because
    /// a limit was reached.
    fn failed_block(&mut self) -> ir::Block {
        if let Some(block) = self.failed_block {
            return block;
        }
        let block = self.rare_block();
        self.failed_block = Some(block);
        block
    }

    /// Fills the blocks that are reached when something went wrong.
    pub(super) fn fill_fault_blocks(&mut self) {
        for (fault, block) in std::mem::take(&mut self.fault_blocks) {
            self.go_on_in(block);
            let fault = self.iconst(fault.into());
            self.store_context(offset_of!(Context, fault), fault);
            let failed = self.failed_block();
            self.unit.builder.ins().jump(failed, &[]);
        }
        if let Some(block) = self.failed_block {
            self.go_on_in(block);
            self.fail();
        }
    }

    fn fail(&mut self) {
        match self.exit {
            Exit::Callee => {
                let (failed, zero) = (self.iconst(1), self.iconst(0));
                self.unit.builder.ins().return_(&[failed, zero]);
            }
            Exit::Root { role, leave, stop } => {
                let number = match role {
                    Role::Judge(idx, _) => self.iconst(idx.into()),
                    _ => self.choice(),
                };
                let place = self.iconst(role.place() as i64);
                let fault = self.load_context(offset_of!(Context, fault));
                let arguments = [self.context, place, number, fault];
                let stops = self
                    .call_host(runtime::fault as *const (), &arguments, true)
                    .expect("the function returns a value");
                self.unit.builder.ins().brif(stops, stop, &[], leave, &[]);
            }
        }
    }
}

impl super::UnitTranslator<'_, '_> {
    fn host_signature(&mut self, n_arguments: usize, returns: bool) -> ir::SigRef {
        if let Some(&known) = self.signatures.get(&(n_arguments, returns)) {
            return known;
        }
        let signature = plain_signature(n_arguments, usize::from(returns), self.host);
        let signature = self.builder.import_signature(signature);
        self.signatures.insert((n_arguments, returns), signature);
        signature
    }

    /// Makes a planned function callable here.
    fn import(&mut self, function: FunctionId) -> ir::FuncRef {
        if let Some(&known) = self.imports.get(&function) {
            return known;
        }
        let unit = self.plan.callees[function.0 as usize].expect("called functions are planned");
        let index = u32::try_from(unit).expect("there are fewer units than functions");
        let signature = callee_signature(self.plan, function);
        let signature = self.builder.import_signature(signature);
        let name = ir::UserExternalName { namespace: 0, index };
        let name = self.builder.func.declare_imported_user_function(name);
        let name = ir::ExternalName::user(name);
        // All code lies in one stretch of memory, see `code.rs`: near calls do.
        let import = ir::ExtFuncData { name, signature, colocated: true };
        let import = self.builder.import_function(import);
        self.imports.insert(function, import);
        import
    }
}
