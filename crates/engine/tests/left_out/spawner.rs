//! A thread that creates another one; both count to three. Ways to leave something out.

use model::{
    Footprint, LabelId, MatchingAbstraction, Multiplicity, Narrator, Requirements, StepLabel,
    StepParts, Steps, Store, TargetShape, Template, ThreadProgram,
};

pub const UNKNOWN: &str = "nobody knows";
pub const ABSTRACTION: &str = "alike";

/// The local store at which a thread ends.
const LAST: u8 = 3;

pub struct Spawner {
    /// Are all steps known?
    pub knows_all: bool,
    /// Does every new thread create another one?
    pub spawns_for_ever: bool,
    /// Is there an abstraction that takes all states for equal?
    pub is_abstract: bool,
    pub templates: Vec<Template>,
    pub targets: Vec<TargetShape>,
}

impl Default for Spawner {
    fn default() -> Spawner {
        let template = Template {
            name: "first".into(),
            initial: vec![Store::new(&[0])],
            multiplicity: Multiplicity::Exactly(1),
        };
        let shape = TargetShape { name: "never".into(), slots: Vec::new() };
        Spawner {
            knows_all: true,
            spawns_for_ever: false,
            is_abstract: false,
            templates: vec![template],
            targets: vec![shape],
        }
    }
}

impl ThreadProgram for Spawner {
    fn initial_shared(&self) -> Vec<Store> {
        vec![Store::new(&[0])]
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        let at = local[0];
        let first = [if self.spawns_for_ever { 0 } else { 1 }];
        let spawned: &[&[u8]] = if at == 0 { &[&first] } else { &[] };
        // What is created for ever waits, so that threads add up.
        if at == 2 && !self.knows_all {
            out.set_incomplete(UNKNOWN);
        }
        if at == 1 && self.spawns_for_ever {
            return;
        }
        let next = [at + 1];
        out.push(StepParts {
            shared,
            local: (at < LAST).then_some(&next),
            spawned,
            broadcast: None,
            footprint: Footprint::Everything,
            label: LabelId(u32::from(at)),
            violation: None,
        });
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }

    fn matching_abstraction(&self) -> Option<&dyn MatchingAbstraction> {
        self.is_abstract.then_some(self as &dyn MatchingAbstraction)
    }
}

impl Requirements for Spawner {
    fn targets(&self) -> &[TargetShape] {
        &self.targets
    }

    fn target_shared(&self, _target: usize, _shared: &[u8]) -> bool {
        false
    }

    fn target_local(&self, _target: usize, _slot: usize, _shared: &[u8], _local: &[u8]) -> bool {
        false
    }

    fn propositions(&self) -> &[TargetShape] {
        &self.targets
    }

    fn proposition_shared(&self, _proposition: usize, _shared: &[u8]) -> bool {
        true
    }
}

impl MatchingAbstraction for Spawner {
    fn name(&self) -> &str {
        ABSTRACTION
    }

    fn abstract_state(
        &self,
        _shared: &[u8],
        locals: &[&[u8]],
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        out.push(locals.len() as u8);
        Ok(())
    }
}

impl Narrator for Spawner {
    fn label(&self, label: LabelId) -> StepLabel {
        StepLabel { text: format!("from {}", label.0), span: None }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        shared[0].to_string()
    }

    fn describe_local(&self, local: &[u8]) -> String {
        local[0].to_string()
    }
}
