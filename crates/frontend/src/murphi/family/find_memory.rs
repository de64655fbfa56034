//! Models whose elements share nodes of another scalarset: the family for any number of both.

use model::Diagnostic;

use crate::murphi::MurphiModel;
use crate::murphi::resolve::SizedType;
use crate::murphi::typed::{Program, TypeId};

use super::abstraction::{MurphiAbstraction, n_slots};
use super::find::{
    Families, MurphiFamily, elements_of, independent_of_size, instance, interchangeable, resized,
};
use super::memory::{NodeType, candidate};
use super::memory_use;

/// Nodes of a state of the abstraction: more are tried where they are too few.
const N_NODES: [u32; 2] = [12, 16];

/// Nodes of small instances, which are enough for few elements.
const N_NODES_OF_INSTANCES: u32 = 16;

impl Families<'_> {
    /// The family of a model with nodes. `None` where no scalarset can be one of nodes.
    pub(super) fn with_memory(
        &self,
        n_visible: u32,
        n_instances: u32,
    ) -> Option<Result<MurphiFamily, Vec<Diagnostic>>> {
        let reader = resized(self.request, &[(self.chosen, n_slots(1) + 1)]).ok()?;
        let elements = elements_of(&reader.program, self.chosen, n_slots(1));
        let ty = candidate(&reader.program, elements.ty)?;
        let name = &reader.program.types.get(ty).name;
        let nodes = reader.sized_types().iter().find(|sized| sized.name == *name)?.clone();
        (n_visible == 1).then(|| self.of_nodes(&nodes, n_instances))
    }

    fn of_nodes(
        &self,
        nodes: &SizedType,
        n_instances: u32,
    ) -> Result<MurphiFamily, Vec<Diagnostic>> {
        let reader = resized(self.request, &[(self.chosen, n_slots(1) + 1)])?;
        let constants = reader.size_constants(&nodes.name);
        independent_of_size(self.request, nodes, &constants)?;
        interchangeable(&reader.program, nodes).map_err(|diagnostic| vec![*diagnostic])?;
        let one = |n| {
            let nodes = Some((nodes, N_NODES_OF_INSTANCES));
            instance(self.request, self.chosen, self.constants, n, nodes)
        };
        let instances = (1..=n_instances).map(one);
        let instances = instances.collect::<Result<Vec<MurphiModel>, Vec<Diagnostic>>>()?;
        let abstractions = N_NODES.iter().map(|n_nodes| self.abstraction(nodes, *n_nodes));
        let abstractions = abstractions.collect::<Result<Vec<_>, Vec<Diagnostic>>>()?;
        Ok(self.family(abstractions, instances))
    }

    fn abstraction(
        &self,
        nodes: &SizedType,
        n_nodes: u32,
    ) -> Result<MurphiAbstraction, Vec<Diagnostic>> {
        let sizes = [(self.chosen, n_slots(1) + 1), (nodes, n_nodes)];
        let mut program = resized(self.request, &sizes)?.program;
        let elements = elements_of(&program, self.chosen, n_slots(1));
        let ty = type_named(&program, &nodes.name);
        let made = NodeType::new(&mut program, ty).and_then(|memory| {
            memory_use::check(&program, &elements, &memory)?;
            MurphiAbstraction::with_memory(&program, elements, memory)
        });
        made.map_err(|diagnostic| vec![*diagnostic])
    }
}

fn type_named(program: &Program, name: &str) -> TypeId {
    let ids = (0..).map(TypeId);
    let found = ids.zip(&program.types.all).find(|(_, ty)| ty.name == name);
    found.map(|(id, _)| id).expect("the type was found by its name before")
}
