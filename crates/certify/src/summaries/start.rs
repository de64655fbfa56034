//! Is every start of a thread among the entries?

use model::{Multiplicity, SummaryEdge, Template, ThreadCount};

use super::Obligations;
use crate::rejection::Rejection;

/// The least and the largest number of threads that may start in some way.
#[derive(Clone, Copy)]
struct Range(u64, u64);

impl Obligations<'_> {
    /// Each thread at the start enters its procedure in each world that is possible then.
    pub(super) fn threads_start(&mut self, scope: ThreadCount) -> Result<(), Rejection> {
        let ranges = ranges(self.claim.program.templates(), scope)?;
        let vectors = self.count_vectors(&ranges);
        let nobody = vec![false; self.claim.summaries.exposed.len()];
        for shared in self.claim.program.initial_shared() {
            for (template, range) in self.claim.program.templates().iter().zip(&ranges) {
                let tops = template.initial.iter().filter(|_| range.1 > 0);
                for top in tops {
                    let members = self.claim.membership(&nobody, top.bytes());
                    let fitting = vectors.iter().filter(|counts| {
                        counts.iter().zip(&members).all(|(count, is_in)| *count > 0 || !is_in)
                    });
                    for counts in fitting {
                        self.starts(shared.bytes(), counts, top.bytes(), &nobody)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn starts(
        &mut self,
        shared: &[u8],
        counts: &[u8],
        top: &[u8],
        nobody: &[bool],
    ) -> Result<(), Rejection> {
        let missing =
            || Rejection::InitialNotCovered { why: "a thread starts in no entry".to_owned() };
        let world = self.claim.world(shared, counts.to_vec()).ok_or_else(missing)?;
        let view = self.claim.view(top, nobody.to_vec(), None).ok_or_else(missing)?;
        let own = SummaryEdge { entry_world: world, entry_view: view, world, view };
        if !self.claim.has_edge(own) {
            return Err(missing());
        }
        self.roots.insert((world, view));
        Ok(())
    }

    /// All counts of the classes that may be at the start.
    fn count_vectors(&self, ranges: &[Range]) -> Vec<Vec<u8>> {
        let templates = self.claim.program.templates();
        let nobody = vec![false; self.claim.summaries.exposed.len()];
        let mut vectors = vec![Vec::new()];
        for class in 0..nobody.len() {
            let mut total = Range(0, 0);
            for (template, range) in templates.iter().zip(ranges) {
                let belongs =
                    |top: &model::Store| self.claim.membership(&nobody, top.bytes())[class];
                let n_in = template.initial.iter().filter(|top| belongs(top)).count();
                total.0 += if n_in == template.initial.len() { range.0 } else { 0 };
                total.1 += if n_in > 0 { range.1 } else { 0 };
            }
            let (least, most) = (total.0.min(2) as u8, total.1.min(2) as u8);
            let mut longer = Vec::new();
            for vector in vectors {
                longer.extend((least..=most).map(|count| [&vector[..], &[count]].concat()));
            }
            vectors = longer;
        }
        vectors
    }
}

fn ranges(templates: &[Template], scope: ThreadCount) -> Result<Vec<Range>, Rejection> {
    let mut fixed = 0;
    let mut n_free = 0;
    for template in templates {
        match template.multiplicity {
            Multiplicity::Exactly(n) => fixed += u64::from(n),
            Multiplicity::Any => n_free += 1,
        }
    }
    let free = match scope {
        ThreadCount::Exactly(n) => match u64::from(n).checked_sub(fixed) {
            Some(rest) if n_free == 1 => Range(rest, rest),
            Some(rest) if n_free > 1 || rest == 0 => Range(0, rest),
            _ => return Err(Rejection::malformed("no run starts with so many threads")),
        },
        ThreadCount::Any => Range(0, u64::from(u32::MAX)),
        ThreadCount::AsGiven => return Err(Rejection::malformed("threads are counted")),
    };
    let range = |template: &Template| match template.multiplicity {
        Multiplicity::Exactly(n) => Range(u64::from(n), u64::from(n)),
        Multiplicity::Any => free,
    };
    Ok(templates.iter().map(range).collect())
}
