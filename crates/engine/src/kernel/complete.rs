//! The only way from a search of states to `Holds`: nothing was left out.

use model::{Certificate, Omissions, Proof, Scope, StopReason, Variant, Verdict, Vocabulary};

/// A search that left nothing out.
pub struct Complete(());

impl Complete {
    /// The search was complete, unless it left out something.
    ///
    /// # Errors
    /// It did.
    pub fn unless(omissions: Omissions) -> Result<Complete, StopReason> {
        omissions.none_or_stop().map(|()| Complete(()))
    }

    /// All states were searched, so many, and no error is among them: no run violates the
    /// formula, if there is one.
    pub fn holds(self, n_states: u64, symmetry: bool, formula: Option<String>) -> Verdict {
        Verdict::Holds(Certificate {
            variant: Variant::AS_WRITTEN,
            scope: Scope::AsGiven,
            vocabulary: Vocabulary::None,
            proof: Proof::Exhausted { n_states, symmetry, formula },
        })
    }
}
