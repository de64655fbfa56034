//! Ten states in a row, the last of which leads to itself; and ways to leave something out.

use model::{
    Choice, ChoiceLabel, Field, Judgement, Limits, Omission, Property, PropertyKind, Stepper,
    StopReason, Stuck, Successors, Symmetry, TransitionSystem,
};

const N_STATES: u64 = 10;
const OMISSION: Omission = Omission::Threads { room: 1 };

pub struct Chain {
    /// The state with a step that is left out.
    cut_at: Option<u64>,
    omits_a_start: bool,
    properties: Vec<Property>,
    /// Where covers and goals are true.
    true_at: Option<u64>,
    symmetry: Symmetry,
}

impl Chain {
    /// Nothing is left out.
    pub fn whole() -> Chain {
        let properties = vec![property(PropertyKind::Invariant)];
        let symmetry = Symmetry::default();
        Chain { cut_at: None, omits_a_start: false, properties, true_at: None, symmetry }
    }

    pub fn cut_at(state: u64) -> Chain {
        Chain { cut_at: Some(state), ..Chain::whole() }
    }

    pub fn omitting_a_start() -> Chain {
        Chain { omits_a_start: true, ..Chain::whole() }
    }

    /// Also asks for a state that there is none of.
    pub fn never(mut self, kind: PropertyKind) -> Chain {
        self.properties.push(property(kind));
        self
    }

    /// Also asks for the last state.
    pub fn last(self, kind: PropertyKind) -> Chain {
        Chain { true_at: Some(N_STATES - 1), ..self.never(kind) }
    }
}

fn property(kind: PropertyKind) -> Property {
    Property { name: format!("{kind:?}"), kind, span: None }
}

impl TransitionSystem for Chain {
    fn state_bits(&self) -> u32 {
        8
    }

    fn stepper<'a>(&'a self, _limits: &Limits) -> Box<dyn Stepper + Send + 'a> {
        Box::new(Walker(self))
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn n_propositions(&self) -> usize {
        1
    }

    fn choice_label(&self, choice: Choice, _initial: bool) -> ChoiceLabel {
        ChoiceLabel { name: choice.0.to_string(), parameters: Vec::new(), span: None }
    }

    fn describe(&self, _state: &[u64]) -> Vec<Field> {
        Vec::new()
    }

    fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }
}

struct Walker<'a>(&'a Chain);

impl Stepper for Walker<'_> {
    fn initial(&mut self, out: &mut Successors) -> Result<(), StopReason> {
        out.push(Choice(0), &[0]);
        if self.0.omits_a_start {
            out.omit(&OMISSION);
        }
        Ok(())
    }

    fn expand(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        if self.0.cut_at == Some(state[0]) {
            out.cut(Choice(1), &OMISSION);
        }
        if self.0.true_at == Some(state[0]) {
            let is_statement =
                |idx: &usize| self.0.properties[*idx].kind == PropertyKind::CoverStatement;
            let covered = (0..self.0.properties.len()).filter(is_statement);
            out.covered.extend(covered.map(|idx| idx as u32));
        }
        // The last state steps to itself and back, so that it is no deadlock.
        let next =
            if state[0] + 1 < N_STATES { [state[0] + 1].to_vec() } else { vec![0, state[0]] };
        for next in next {
            out.n_enabled += 1;
            out.push(Choice(0), &[next]);
        }
        Ok(())
    }

    fn judge(&mut self, state: &[u64], out: &mut Judgement) -> Result<(), StopReason> {
        let is_true = self.0.true_at == Some(state[0]);
        let is_of_state =
            |idx: &u32| self.0.properties[*idx as usize].kind != PropertyKind::CoverStatement;
        let asked = (1..self.0.properties.len() as u32).filter(is_of_state);
        out.reached.extend(asked.filter(|_| is_true));
        Ok(())
    }

    fn valuation(&mut self, _state: &[u64]) -> Result<u64, Stuck> {
        Ok(1)
    }
}
