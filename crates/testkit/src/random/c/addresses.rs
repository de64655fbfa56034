//! Random programs that remember addresses and compare them: threads make, free and hand over
//! blocks, tell each other old addresses as numbers, and note how they compare.
//!
//! `crate::reference::addresses` has all they can note, by an allocator that tries every
//! address.

use crate::rng::Rng;

/// Variables of each kind.
pub const N_EACH: usize = 2;

/// What a thread does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Makes a block, if the variable has none.
    Make(usize),
    /// Frees the block of a variable, which has none then.
    Free(usize),
    /// Lets the block of a variable grow, if it has one.
    Grow(usize),
    /// Exchanges a variable and a shared one, under a lock.
    Swap(usize, usize),
    /// Remembers the address of a block as a number.
    Remember(usize, usize),
    /// Tells others a number.
    Tell(usize, usize),
    /// Takes a number that was told.
    Hear(usize, usize),
    /// Puts the address of a block in place of a told number, if that is the one remembered;
    /// notes whether it was, and remembers what there was.
    Exchange(usize, usize, usize),
    /// Notes whether two numbers are equal.
    Equal(Source, Source),
    /// Notes whether one is less.
    Less(Source, Source),
}

/// Where an address comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A remembered number.
    Number(usize),
    /// A block.
    Block(usize),
}

/// Threads that run side by side.
#[derive(Clone, Debug)]
pub struct Rememberers {
    /// What each does.
    pub threads: Vec<Vec<Action>>,
}

impl Action {
    /// Does it note something?
    pub fn notes(self) -> bool {
        matches!(self, Action::Exchange(..) | Action::Equal(..) | Action::Less(..))
    }

    fn allocates(self) -> bool {
        matches!(self, Action::Make(_) | Action::Grow(_))
    }
}

impl Rememberers {
    /// The program of a seed.
    pub fn random(rng: &mut Rng) -> Rememberers {
        let n_threads = rng.between(1, 2);
        let n_actions = if n_threads == 1 { 14 } else { 7 };
        let (mut n_made, mut threads) = (0, Vec::new());
        for _ in 0..n_threads {
            let mut actions = vec![Action::Make(0), Action::Remember(0, 0)];
            n_made += 1;
            while actions.len() < n_actions {
                let action = action(rng);
                if action.allocates() {
                    if n_made == 4 {
                        continue;
                    }
                    n_made += 1;
                }
                actions.push(action);
            }
            threads.push(actions);
        }
        Rememberers { threads }
    }

    /// How many blocks there can be, and so how many addresses are enough.
    pub fn n_blocks(&self) -> u8 {
        self.threads.iter().flatten().filter(|action| action.allocates()).count() as u8
    }

    /// How much is noted.
    pub fn n_notes(&self) -> usize {
        self.threads.iter().flatten().filter(|action| action.notes()).count()
    }

    /// The program in C, with an assertion that these are not the notes in the end.
    pub fn text(&self, notes: &[u64]) -> String {
        let n_notes = self.n_notes().max(1);
        let mut text = format!(
            "pthread_mutex_t @m = PTHREAD_MUTEX_INITIALIZER;\nu64 @out[{n_notes}];\n\
             i32 *@p[{N_EACH}];\n_Atomic u64 @told[{N_EACH}];\n"
        );
        let mut n_before = 0;
        for (number, actions) in self.threads.iter().enumerate() {
            text += &format!("static void *@work{number}(void *unused) {{\n");
            text += "  i32 *l0 = 0, *l1 = 0, *t;\n  u64 o0 = 0, o1 = 0;\n";
            for &action in actions {
                text += &format!("  {}\n", statement(action, n_before));
                n_before += usize::from(action.notes());
            }
            text += "  return 0;\n}\n";
        }
        text + &self.main(notes)
    }

    fn main(&self, notes: &[u64]) -> String {
        let n_threads = self.threads.len();
        let mut text = format!("int @main(void) {{\n  pthread_t id[{n_threads}];\n");
        for number in 0..n_threads {
            text += &format!("  pthread_create(&id[{number}], 0, @work{number}, 0);\n");
        }
        for number in 0..n_threads {
            text += &format!("  pthread_join(id[{number}], 0);\n");
        }
        let equal = notes.iter().enumerate().map(|(at, note)| format!("@out[{at}] == {note}"));
        let equal: Vec<String> = equal.collect();
        text + &format!("  assert(!({}));\n  return 0;\n}}\n", equal.join(" && "))
    }
}

fn action(rng: &mut Rng) -> Action {
    let mut variable = || rng.below(N_EACH as u32) as usize;
    let (one, other, third) = (variable(), variable(), variable());
    let mut source = |at| if rng.chance(75) { Source::Number(at) } else { Source::Block(at) };
    let sources = (source(one), source(other));
    match rng.below(16) {
        0..3 => Action::Make(one),
        3..5 => Action::Free(one),
        5 => Action::Grow(one),
        6..8 => Action::Swap(one, other),
        8..10 => Action::Remember(one, other),
        10 => Action::Tell(one, other),
        11 => Action::Hear(one, other),
        12 => Action::Exchange(one, other, third),
        13..15 => Action::Equal(sources.0, sources.1),
        _ => Action::Less(sources.0, sources.1),
    }
}

fn statement(action: Action, note: usize) -> String {
    match action {
        Action::Make(l) => format!("if (!l{l}) l{l} = malloc(4);"),
        Action::Free(l) => format!("free(l{l}); l{l} = 0;"),
        Action::Grow(l) => format!("if (l{l}) l{l} = realloc(l{l}, 8);"),
        Action::Swap(l, p) => format!(
            "pthread_mutex_lock(&@m); t = @p[{p}]; @p[{p}] = l{l}; l{l} = t; \
             pthread_mutex_unlock(&@m);"
        ),
        Action::Remember(o, l) => format!("o{o} = (u64)l{l};"),
        Action::Tell(o, a) => format!("@told[{a}] = o{o};"),
        Action::Hear(o, a) => format!("o{o} = @told[{a}];"),
        Action::Exchange(o, a, l) => {
            format!("@out[{note}] = atomic_compare_exchange_strong(&@told[{a}], &o{o}, (u64)l{l});")
        }
        Action::Equal(left, right) => {
            format!("@out[{note}] = {} == {};", operand(left), operand(right))
        }
        Action::Less(left, right) => {
            format!("@out[{note}] = {} < {};", operand(left), operand(right))
        }
    }
}

fn operand(source: Source) -> String {
    match source {
        Source::Number(o) => format!("o{o}"),
        Source::Block(l) => format!("(u64)l{l}"),
    }
}
