//! Calls: inlined where that is not too long, else real calls with references.

use model::rule_code::{End, FaultId, Op, Reg};

use super::super::faults;
use super::super::typed::{Argument, Function, FunctionId, Local, LocalKind};
use super::facts::Held;
use super::operand::Operand;
use super::place::{Region, Site, Spot};
use super::stmt::span_of;
use super::unit::{Callee, SiteKind};
use super::{Binding, Lowering, MAX_OPS_BEFORE_CALLS, Scope};

/// Nested statements and calls beyond this are real calls, so that the lowering
/// itself does not nest without bound.
const MAX_INLINE_DEPTH: u32 = 60;

impl<'p> Lowering<'_, 'p> {
    /// Calls a function or procedure; its value where it has one.
    pub(super) fn call(&mut self, id: FunctionId, arguments: &'p [Argument]) -> Option<Operand> {
        let function = &self.unit.program.functions[id.0 as usize];
        let bindings: Vec<Binding> = arguments
            .iter()
            .enumerate()
            .map(|(idx, argument)| self.argument((function, idx), argument))
            .collect();
        if self.should_inline(id) {
            self.inline(function, bindings)
        } else {
            self.call_really(id, function, &bindings)
        }
    }

    fn should_inline(&self, id: FunctionId) -> bool {
        let traits = &self.unit.traits;
        let size = traits.size[id.0 as usize].saturating_mul(2);
        !traits.is_recursive[id.0 as usize]
            && self.depth < MAX_INLINE_DEPTH
            && self.code.n_ops.saturating_add(size) <= MAX_OPS_BEFORE_CALLS
    }

    /// What a parameter stands for.
    fn argument(
        &mut self,
        (function, idx): (&'p Function, usize),
        argument: &'p Argument,
    ) -> Binding {
        let parameter = &function.locals[idx];
        let value = match argument {
            Argument::Value(value) => self.value(value),
            Argument::Place(place) => {
                let by_value = parameter.kind == LocalKind::ReadOnly
                    && parameter.ty != place.ty
                    && self.unit.program.types.is_simple(place.ty);
                if by_value {
                    self.read(place)
                } else {
                    match self.resolve(place) {
                        Binding::Value(value) => value,
                        bound => return bound,
                    }
                }
            }
        };
        let scope = self.scope.names(self.unit.program);
        let fault = self.unit.fault(argument, SiteKind::Argument, idx, || {
            scope.argument_out_of_range(function, idx as u32, span_of(argument))
        });
        Binding::Value(self.checked(value, parameter.ty, fault))
    }

    fn inline(&mut self, function: &'p Function, bindings: Vec<Binding>) -> Option<Operand> {
        let frame = self.code.frame_end();
        let scope = self.new_scope(&function.locals, Some(function), bindings);
        let caller = std::mem::replace(&mut self.scope, scope);
        self.depth += 1;
        self.declare_variables();
        self.run(&function.body);
        self.leave_function(function);
        self.depth -= 1;
        let done = std::mem::replace(&mut self.scope, caller);
        self.code.start(done.exit);
        self.code.release_frame(frame);
        let (result, ty) = (done.result?, function.returns?);
        self.known_nonzero(result);
        Some(self.decoded(Held::Reg(result), ty))
    }

    /// What comes after the last statement of a function.
    pub(super) fn leave_function(&mut self, function: &'p Function) {
        let (exit, missing) = (self.scope.exit, self.scope.missing);
        self.code.jump(if self.scope.result.is_some() { missing } else { exit });
        self.code.start(missing);
        if self.code.is_live() {
            let make = || faults::missing_return(function);
            let fault = self.unit.fault(function, SiteKind::Statement, 0, make);
            self.code.end(End::Fault(fault));
        }
    }

    /// Names for a function or rule; parameters are bound already.
    pub(super) fn new_scope(
        &mut self,
        locals: &'p [Local],
        function: Option<&'p Function>,
        mut bindings: Vec<Binding>,
    ) -> Scope<'p> {
        bindings.resize(locals.len(), Binding::Unbound);
        let returns = function.is_some_and(|function| function.returns.is_some());
        Scope {
            locals,
            bindings,
            function,
            result: returns.then(|| self.code.reg()),
            exit: self.code.block(),
            missing: self.code.block(),
        }
    }

    fn call_really(
        &mut self,
        id: FunctionId,
        function: &'p Function,
        bindings: &[Binding],
    ) -> Option<Operand> {
        let frame = self.code.frame_end();
        let mut spilled: Vec<(Reg, Site, u32)> = Vec::new();
        let mut arguments = Vec::new();
        for (parameter, binding) in function.locals.iter().zip(bindings) {
            let site = self.in_memory(parameter, *binding, &mut spilled);
            arguments.push(self.reference(site));
        }
        let drops = self.unit.traits.may_drop[id.0 as usize];
        let flag = drops.then(|| self.drop_flag());
        if let Some(flag) = flag {
            let reference = self.reference(flag);
            arguments.push(reference);
        }
        let callee = self.unit.callable(Callee::Function(id), self.world);
        let dst = function.returns.map(|_| self.code.reg());
        self.code.emit(Op::Call { dst, function: callee, arguments });
        self.after_call(function, &spilled, flag);
        self.code.release_frame(frame);
        let (code, ty) = (dst?, function.returns?);
        self.known_nonzero(code);
        Some(self.decoded(Held::Reg(code), ty))
    }

    fn after_call(
        &mut self,
        function: &Function,
        spilled: &[(Reg, Site, u32)],
        flag: Option<Site>,
    ) {
        self.code.facts.memory_written();
        if function.has_effects {
            self.touched.push((0, u32::MAX));
        }
        if let Some(flag) = flag {
            let dropped = self.load(Spot::Memory(flag), 1);
            let dropped = self.register(dropped);
            let (next, drop) = (self.code.block(), self.drop_block());
            self.code.branch(dropped, drop, next);
            self.code.start(next);
        }
        for (reg, site, n) in spilled {
            let held = self.load(Spot::Memory(*site), *n);
            self.store(Spot::Register(*reg), *n, held);
        }
    }

    fn drop_flag(&mut self) -> Site {
        let bit = self.code.frame(1, false);
        let site =
            Site { region: Region::Frame, bit, index: None, extent: (bit, bit + 1), member: None };
        self.store(Spot::Memory(site), 1, Held::Const(0));
        site
    }

    /// A place in memory with what a parameter is bound to. Variables in registers
    /// are written there, and read back after the call.
    fn in_memory(
        &mut self,
        parameter: &Local,
        binding: Binding,
        spilled: &mut Vec<(Reg, Site, u32)>,
    ) -> Site {
        let held = match binding {
            Binding::Place(Spot::Memory(site)) => return site,
            Binding::Place(Spot::Register(reg)) => {
                if let Some((_, site, _)) = spilled.iter().find(|(other, ..)| *other == reg) {
                    return *site;
                }
                let held = self.code_at(Spot::Register(reg), parameter.ty);
                let site = self.temporary(parameter, held);
                spilled.push((reg, site, self.unit.layouts.bits(parameter.ty)));
                return site;
            }
            // The value was checked when the argument was computed.
            Binding::Value(value) => self.encoded(value, parameter.ty, FaultId(0)),
            Binding::Unbound => Held::Const(0),
        };
        self.temporary(parameter, held)
    }

    fn temporary(&mut self, parameter: &Local, held: Held) -> Site {
        let layout = self.unit.layouts.of(parameter.ty);
        let bit = self.code.frame(layout.bits, layout.byte_aligned);
        let site = self.whole(Region::Frame, bit, parameter.ty);
        self.store(Spot::Memory(site), layout.bits, held);
        site
    }

    fn reference(&mut self, site: Site) -> Reg {
        let dst = self.code.reg();
        let address = self.address(site);
        self.code.emit(Op::Address { dst, address });
        dst
    }
}
