//! Do two threads race: can they access one object next, one of them writing it, and not both
//! accesses atomic?
//!
//! That is a question about two local stores in one shared store, so every engine can ask it
//! of any two threads that it thinks are together: those of a state, of a view, or two that a
//! count stands for. What a thread touches next are the footprints of all its steps there, and
//! what it touches on ways that come to nothing (`Touched`). An object that the shared store
//! does not have is none that both can access: steps of two threads may give the same number
//! to two objects that each of them has just made.
//!
//! **Sound** as far as footprints are known: a step that may touch everything races with nothing,
//! see `model::Footprint`.

use model::{Access, Footprint, Steps, ThreadProgram};

/// What a thread may touch with its next step, each access once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched(Box<[Access]>);

impl Touched {
    /// What these steps touch, of one thread in one shared store.
    pub fn of(steps: &Steps) -> Touched {
        let mut all: Vec<Access> = steps.in_vain().to_vec();
        for step in steps.iter() {
            if let Footprint::Known(accesses) = step.footprint() {
                all.extend_from_slice(accesses);
            }
        }
        all.sort_unstable();
        all.dedup();
        Touched(all.into())
    }

    /// What a thread in `local` touches next while the shared store is `shared`.
    pub fn by(program: &dyn ThreadProgram, shared: &[u8], local: &[u8]) -> Touched {
        let mut steps = Steps::new();
        program.steps(shared, local, &mut steps);
        Touched::of(&steps)
    }

    /// The accesses, ascending.
    pub fn accesses(&self) -> &[Access] {
        &self.0
    }
}

/// A thread: its local store, and what it touches next.
pub type Toucher<'a> = (&'a [u8], &'a Touched);

/// Is there a race of two threads in `shared` that is reported?
pub fn is_race(program: &dyn ThreadProgram, shared: &[u8], threads: [Toucher<'_>; 2]) -> bool {
    let [(left, touched), (right, others)] = threads;
    racing(program, shared, touched.accesses(), others.accesses().iter()).any(|(one, other)| {
        !program.requirements().accepts_race(shared, [(left, one), (right, other)])
    })
}

/// Each access of one thread with each of another one's that it races with in `shared`.
pub fn racing<'a>(
    program: &'a dyn ThreadProgram,
    shared: &'a [u8],
    touched: impl IntoIterator<Item = &'a Access>,
    others: impl Iterator<Item = &'a Access> + Clone,
) -> impl Iterator<Item = (Access, Access)> {
    touched.into_iter().flat_map(move |access| {
        let racing = others.clone().filter(move |other| access.races(other));
        racing
            .filter(move |_| program.has_object(shared, access.object))
            .map(move |other| (*access, *other))
    })
}

#[cfg(test)]
mod tests {
    use model::{
        Access, Footprint, LabelId, Narrator, Requirements, StepParts, Steps, Store, Template,
        ThreadProgram,
    };

    use super::{Touched, is_race};
    use crate::kernel::step_table::scripted::{Scripted, store};

    /// Objects below 10 exist in every shared store.
    struct WithObjects(Scripted);

    impl ThreadProgram for WithObjects {
        fn initial_shared(&self) -> Vec<Store> {
            self.0.initial_shared()
        }

        fn templates(&self) -> &[Template] {
            self.0.templates()
        }

        fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
            self.0.steps(shared, local, out);
        }

        fn has_object(&self, _shared: &[u8], object: u32) -> bool {
            object < 10
        }

        fn requirements(&self) -> &dyn Requirements {
            self.0.requirements()
        }

        fn narrator(&self) -> &dyn Narrator {
            self.0.narrator()
        }
    }

    fn access(object: u32, at: u32, is_write: bool, is_atomic: bool) -> Access {
        Access { object, at, len: 4, is_write, is_atomic }
    }

    fn touched(of_steps: &[Access], in_vain: &[Access]) -> Touched {
        let mut steps = Steps::new();
        for access in of_steps {
            steps.push(StepParts {
                shared: &[],
                local: None,
                spawned: &[],
                broadcast: None,
                footprint: Footprint::Known(&[*access]),
                label: LabelId(0),
                violation: None,
            });
        }
        steps.touch_in_vain(in_vain);
        Touched::of(&steps)
    }

    fn check(left: &Touched, right: &Touched, expected: bool) {
        let program = WithObjects(Scripted::new(|_, _| Vec::new()));
        let (shared, local) = (store(0), store(0));
        for [one, other] in [[left, right], [right, left]] {
            let threads = [(local.bytes(), one), (local.bytes(), other)];
            assert_eq!(is_race(&program, shared.bytes(), threads), expected, "{one:?} {other:?}");
        }
    }

    #[test]
    fn a_race_is_a_common_part_a_write_and_a_plain_access_to_what_exists() {
        let write = touched(&[access(1, 0, true, false)], &[]);
        let read = touched(&[access(2, 0, false, false), access(1, 3, false, false)], &[]);
        check(&write, &write, true);
        check(&write, &read, true);
        check(&read, &read, false);
        check(&write, &touched(&[access(1, 4, true, false)], &[]), false);
        let atomic = touched(&[access(1, 0, true, true)], &[]);
        check(&atomic, &atomic, false);
        check(&write, &atomic, true);
        let new = touched(&[access(10, 0, true, false)], &[]);
        check(&new, &new, false);
    }

    #[test]
    fn what_is_touched_in_vain_counts_and_what_may_be_everything_does_not() {
        let write = touched(&[access(1, 0, true, false)], &[]);
        check(&write, &touched(&[], &[access(1, 0, false, false)]), true);
        // Scripted steps have no known footprint.
        let program = Scripted::new(|_, _| vec![Default::default()]);
        let touched = Touched::by(&program, store(0).bytes(), store(0).bytes());
        assert_eq!(touched, Touched::default());
        check(&write, &touched, false);
    }
}
