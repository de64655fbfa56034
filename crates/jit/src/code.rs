//! Produces machine code for all units of a plan and owns it.
#![allow(unsafe_code, reason = "turns addresses of machine code into functions")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::settings::{self, Configurable, Flags};
use cranelift_codegen::{CodegenError, Context as CodegenContext};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleReloc};

use crate::context::Context;
use crate::error::CompileError;
use crate::plan::{Group, Plan, Unit, n_ops_of};
use crate::translate::{signature, translate};

/// The machine code of a unit of roots. Gets the context and the state; returns
/// non-zero when a limit was reached.
pub(crate) type Root = unsafe extern "C" fn(*mut Context, *const u64) -> u64;

/// Operations from which on a second thread is worth its start.
const OPS_FOR_ANOTHER_THREAD: usize = 1500;

/// Operations up to which the code is optimised: 20,000 take a fifth of a second of
/// processor time. Longer programs start faster with plain code.
const OPS_TO_OPTIMISE: usize = 20_000;

/// Threads that compile at once.
const MAX_THREADS: usize = 8;

/// Executable memory, and where things are in it.
pub(crate) struct Code {
    /// Code that emits initial states.
    pub starts: Vec<Root>,
    /// Code that emits successors, in groups of ascending priority.
    pub steps: Vec<Group<Root>>,
    /// Code that judges.
    pub judges: Vec<Root>,
    /// Code that computes the valuation.
    pub valuation: Option<Root>,
    /// Owns the memory. Present until the end.
    module: Option<JITModule>,
}

// SAFETY: once the code is final, the module is only touched to be freed, with the
// value in one hand. Code itself is constant.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: whoever runs the code borrows this value, so nobody does.
            unsafe { module.free_memory() };
        }
    }
}

impl Code {
    /// Compiles everything.
    ///
    /// # Errors
    /// The code generator does not know this computer, or refuses a function.
    pub fn new(plan: &Plan<'_>) -> Result<Code, CompileError> {
        let n_ops = plan.units.iter().map(|unit| n_ops_of_unit(plan, unit)).sum();
        let isa = host_isa(n_ops)?;
        let units = generate_all(plan, n_ops, &isa)?;
        let n_bytes = units.iter().map(|unit| unit.bytes.len() + 64).sum::<usize>();
        let memory = ArenaMemoryProvider::new_with_size(n_bytes + (1 << 16))
            .map_err(|error| generation(&error))?;
        let names = cranelift_module::default_libcall_names();
        let mut builder = JITBuilder::with_isa(Arc::clone(&isa), names);
        builder.memory_provider(Box::new(memory));
        let mut code = Code {
            starts: Vec::new(),
            steps: Vec::new(),
            judges: Vec::new(),
            valuation: None,
            module: Some(JITModule::new(builder)),
        };
        let module = code.module.as_mut().expect("it is there until the end");
        link(module, plan, &units, &*isa).map_err(|error| generation(&error))?;
        let root = |&unit: &usize| root(module, unit);
        code.starts = plan.starts.iter().map(root).collect();
        let group = |group: &Group<usize>| Group {
            steps: group.steps.iter().map(root).collect(),
            guards: group.guards.iter().map(root).collect(),
        };
        code.steps = plan.steps.iter().map(group).collect();
        code.judges = plan.judges.iter().map(root).collect();
        code.valuation = plan.valuation.as_ref().map(root);
        Ok(code)
    }
}

fn generation(error: &dyn std::fmt::Display) -> CompileError {
    CompileError::Generation { why: error.to_string() }
}

fn root(module: &JITModule, unit: usize) -> Root {
    let address = module.get_finalized_function(FuncId::from_u32(unit as u32));
    // SAFETY: the unit was compiled with the signature of `Root`, in the calling
    // convention of this computer, and is final.
    unsafe { std::mem::transmute::<*const u8, Root>(address) }
}

/// A code generator for this computer, for a program of this size.
fn host_isa(n_ops: usize) -> Result<Arc<dyn TargetIsa>, CompileError> {
    let host = |why: &dyn std::fmt::Display| CompileError::Host { why: why.to_string() };
    if cfg!(target_endian = "big") || size_of::<usize>() != 8 {
        return Err(host(&"states are read as little-endian words"));
    }
    let mut flags = settings::builder();
    let verifies = if cfg!(debug_assertions) { "true" } else { "false" };
    let optimises = n_ops <= OPS_TO_OPTIMISE;
    let wanted = [
        ("opt_level", if optimises { "speed" } else { "none" }),
        ("regalloc_algorithm", if optimises { "backtracking" } else { "single_pass" }),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("enable_verifier", verifies),
        ("enable_probestack", "false"),
        ("unwind_info", "false"),
    ];
    for (name, value) in wanted {
        flags.set(name, value).map_err(|error| host(&error))?;
    }
    let isa = cranelift_native::builder().map_err(|why| host(&why))?;
    isa.finish(Flags::new(flags)).map_err(|error| host(&error))
}

/// The machine code of one unit, before it has an address.
struct Generated {
    bytes: Vec<u8>,
    alignment: u64,
    relocations: Vec<ModuleReloc>,
}

/// Generates code for all units, on several threads where that pays.
fn generate_all(
    plan: &Plan<'_>,
    n_ops: usize,
    isa: &Arc<dyn TargetIsa>,
) -> Result<Vec<Generated>, CompileError> {
    let n_cores = thread::available_parallelism().map_or(1, |n_cores| n_cores.get());
    let n_threads = n_cores.min(MAX_THREADS).min(1 + n_ops / OPS_FOR_ANOTHER_THREAD);
    let next = AtomicUsize::new(0);
    let work = || generate_some(plan, &**isa, &next);
    let results = thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(work)).collect();
        let mut all = vec![work()];
        all.extend(others.into_iter().map(|other| {
            other.join().unwrap_or_else(|_| Err(generation(&"the code generator gave up")))
        }));
        all.into_iter().collect::<Result<Vec<_>, _>>()
    })?;
    let mut results: Vec<(usize, Generated)> = results.into_iter().flatten().collect();
    results.sort_by_key(|(unit, _)| *unit);
    Ok(results.into_iter().map(|(_, generated)| generated).collect())
}

fn n_ops_of_unit(plan: &Plan<'_>, unit: &Unit) -> usize {
    match unit {
        Unit::Callee(id) => n_ops_of(plan.program, *id),
        Unit::Roots(roots) => roots.iter().map(|(id, _)| n_ops_of(plan.program, *id)).sum(),
    }
}

/// Generates code for units until none is left.
fn generate_some(
    plan: &Plan<'_>,
    isa: &dyn TargetIsa,
    next: &AtomicUsize,
) -> Result<Vec<(usize, Generated)>, CompileError> {
    let mut builder_context = FunctionBuilderContext::new();
    let mut context = CodegenContext::new();
    let mut done = Vec::new();
    loop {
        let idx = next.fetch_add(1, Ordering::Relaxed);
        let Some(unit) = plan.units.get(idx) else { return Ok(done) };
        context.clear();
        context.func.signature = signature(plan, unit, isa);
        let host = isa.default_call_conv();
        translate(plan, unit, host, &mut context.func, &mut builder_context);
        let generated = generate(&mut context, isa, idx).map_err(|error| generation(&error))?;
        done.push((idx, generated));
    }
}

fn generate(
    context: &mut CodegenContext,
    isa: &dyn TargetIsa,
    unit: usize,
) -> Result<Generated, CodegenError> {
    let compiled =
        context.compile(isa, &mut ControlPlane::default()).map_err(|error| error.inner)?;
    let (bytes, alignment) = (compiled.code_buffer().to_vec(), compiled.buffer.alignment);
    let relocations = compiled.buffer.relocs().to_vec();
    let id = FuncId::from_u32(unit as u32);
    let relocations = relocations
        .iter()
        .map(|relocation| ModuleReloc::from_mach_reloc(relocation, &context.func, id))
        .collect();
    Ok(Generated { bytes, alignment: alignment.into(), relocations })
}

/// Puts all units into executable memory, so that each unit has its own number.
fn link(
    module: &mut JITModule,
    plan: &Plan<'_>,
    generated: &[Generated],
    isa: &dyn TargetIsa,
) -> Result<(), Box<cranelift_module::ModuleError>> {
    for unit in &plan.units {
        module.declare_anonymous_function(&signature(plan, unit, isa))?;
    }
    for (unit, idx) in generated.iter().zip(0..) {
        let (id, alignment) = (FuncId::from_u32(idx), unit.alignment.max(16));
        module.define_function_bytes(id, alignment, &unit.bytes, &unit.relocations)?;
    }
    module.finalize_definitions()?;
    Ok(())
}
