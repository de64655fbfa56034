//! What was compared: a comparison that compares nothing must fail.

/// How many programs had which answer.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Programs.
    pub programs: u64,
    /// Questions about any number of threads, proved thread by thread.
    pub proved: u64,
    /// The same, proved by another stage.
    pub proved_otherwise: u64,
    /// Refuted by a run that was followed.
    pub followed: u64,
    /// Refuted otherwise.
    pub refuted: u64,
    /// Not decided.
    pub open: u64,
    /// Programs without an answer, since the code is refused.
    pub no_program: u64,
    /// Proofs by a stage alone.
    pub alone: u64,
    /// Those where more was forgotten than was chosen.
    pub alone_forgotten: u64,
    /// Stages alone that prove nothing.
    pub alone_open: u64,
    /// Verdicts about so many threads that were compared.
    pub compared: u64,
    /// Those in which something was violated.
    pub violated: u64,
    /// Verdicts about so many threads that were not found.
    pub left_out: u64,
}

impl Tally {
    /// Adds another one.
    pub fn add(&mut self, other: &Tally) {
        self.programs += other.programs;
        self.proved += other.proved;
        self.proved_otherwise += other.proved_otherwise;
        self.followed += other.followed;
        self.refuted += other.refuted;
        self.open += other.open;
        self.no_program += other.no_program;
        self.alone += other.alone;
        self.alone_forgotten += other.alone_forgotten;
        self.alone_open += other.alone_open;
        self.compared += other.compared;
        self.violated += other.violated;
        self.left_out += other.left_out;
    }

    /// Is what was compared worth comparing? About half of what was measured.
    ///
    /// # Errors
    /// What there was too little of.
    pub fn check(&self, n_seeds: u64) -> Result<(), String> {
        let floors = [
            ("proofs", self.proved, 2),
            ("refutations", 16 * self.refuted, 1),
            ("proofs by a stage alone", self.alone, 2),
            ("comparisons", self.compared, 8),
        ];
        let few = floors.iter().find(|(_, n, floor)| n_seeds >= 4 && *n < floor * n_seeds);
        few.map_or(Ok(()), |(what, n, _)| Err(format!("only {n} {what}: {self:?}")))
    }
}
