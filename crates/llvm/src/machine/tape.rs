//! Choices within one step: the step is run again from its start for each way to
//! choose, so nothing has to be copied when a choice comes up.

/// The choices of one run of a step, and which are left.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// For each choice of the run: which way was taken, of how many.
    choices: Vec<(u32, u32)>,
    /// How many were asked for in this run.
    at: usize,
}

impl Tape {
    /// Starts over with all choices.
    pub fn reset(&mut self) {
        self.choices.clear();
        self.at = 0;
    }

    /// Starts over with the choices of this run.
    pub fn rewind(&mut self) {
        self.at = 0;
    }

    /// One of `n` ways, counted from zero; `n` must be at least one.
    pub fn choose(&mut self, n: u32) -> u32 {
        if n <= 1 {
            return 0;
        }
        if self.at == self.choices.len() {
            self.choices.push((0, n));
        }
        let (way, _) = self.choices[self.at];
        self.at += 1;
        way
    }

    /// How often this run has chosen so far.
    pub fn n_chosen(&self) -> usize {
        self.at
    }

    /// Forgets all but the first `n` choices, as if this run had not come to them.
    pub fn forget_from(&mut self, n: usize) {
        self.choices.truncate(n);
        self.at = self.at.min(n);
    }

    /// Was there a choice in this run?
    pub fn has_chosen(&self) -> bool {
        self.at > 0
    }

    /// Moves on to the next run; false when all ways were taken.
    pub fn advance(&mut self) -> bool {
        self.choices.truncate(self.at);
        self.at = 0;
        while let Some((way, n)) = self.choices.pop() {
            if way + 1 < n {
                self.choices.push((way + 1, n));
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Tape;

    #[test]
    fn all_ways_are_taken_once_in_order() {
        let mut tape = Tape::default();
        let mut runs = Vec::new();
        loop {
            let first = tape.choose(2);
            let run = if first == 1 { vec![first, tape.choose(3)] } else { vec![first] };
            runs.push(run);
            if !tape.advance() {
                break;
            }
        }
        assert_eq!(runs, [vec![0], vec![1, 0], vec![1, 1], vec![1, 2]]);
    }

    #[test]
    fn a_shorter_run_leaves_the_rest_of_its_choices_to_others() {
        let mut tape = Tape::default();
        tape.choose(2);
        tape.choose(3);
        tape.rewind();
        assert_eq!(tape.choose(2), 0);
        assert!(tape.advance());
        assert_eq!(tape.choose(2), 1);
        assert!(!tape.advance());
    }

    #[test]
    fn a_forgotten_choice_is_not_taken_again() {
        let mut tape = Tape::default();
        tape.choose(2);
        tape.choose(3);
        tape.forget_from(1);
        assert!(tape.advance());
        assert_eq!(tape.choose(2), 1);
        assert!(!tape.advance());
    }
}
