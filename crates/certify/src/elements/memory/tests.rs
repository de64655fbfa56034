//! A system by hand: its views are accepted, and no list without one of them is.

mod crowd;
mod pairs;
mod toy;

use std::collections::BTreeSet;

use model::parameterized::{Cells, ElementViews, Memory, ParameterizedSystem};
use model::{Limits, Store, Successors, TransitionSystem};

use super::check;
use super::composition::compositions;
use super::faces::Faces;
use super::layout::Layout;
use super::listed::Listed;
use super::look::looks;
use super::sight::{Reached, View};
use crate::rejection::Rejection;
use toy::{BY_HAND, COLLECTED, Free, MOODY, Toy, Ways, mood};

type Views = BTreeSet<Vec<u64>>;

fn layout_of(toy: &Toy) -> Layout {
    Layout::new(&toy.cells, toy.own().state_bits()).expect("the cells make sense")
}

fn view_of(layout: &Layout, state: &[u64]) -> View {
    let values = layout.read(state).expect("it is a state");
    Reached::new(layout, &values, 1).view_of_first(layout, &values)
}

/// The least set of views that is closed under steps that may be believed.
fn closure(toy: &Toy) -> Views {
    let layout = layout_of(toy);
    let mut views = Views::new();
    let mut n_before = usize::MAX;
    while n_before != views.len() {
        n_before = views.len();
        let known: Vec<View> = views.iter().map(|view| view_of(&layout, view)).collect();
        let mut add = |out: &Successors, n_shown: usize| {
            for state in (0..out.len()).map(|idx| out.state(idx)) {
                let values = layout.read(state).expect("it is a state");
                let reached = Reached::new(&layout, &values, n_shown);
                if reached.objection(&layout, &values).is_none() {
                    let view = reached.view_of_first(&layout, &values);
                    views.insert(layout.packed(&view.values).into_vec());
                }
            }
        };
        add(&starts(toy.own()), 1);
        for v in &known {
            add(&after(toy.own(), &layout.packed(&v.values)), 1);
            for w in known.iter().filter(|w| v.values[toy::TOP] == w.values[toy::TOP]) {
                let all = compositions(&layout, (v, w), |composition| {
                    let state = layout.packed(&composition.values);
                    let beside = (0..toy.n_beside()).map(|idx| toy.beside(idx).system);
                    beside.for_each(|steps| add(&after(steps, &state), 2));
                    Ok(())
                });
                all.expect("there is room");
            }
        }
    }
    views
}

fn starts(system: &dyn TransitionSystem) -> Successors {
    let mut out = Successors::new(system.state_words());
    system.stepper(&Limits::none()).initial(&mut out).expect("there is no limit");
    out
}

fn after(system: &dyn TransitionSystem, state: &[u64]) -> Successors {
    let mut out = Successors::new(system.state_words());
    system.stepper(&Limits::none()).expand(state, &mut out).expect("there is no limit");
    out
}

fn verdict<'a>(toy: &Toy, views: impl IntoIterator<Item = &'a Vec<u64>>) -> Result<(), Rejection> {
    let views = views.into_iter().map(|view| Store::of_words(view)).collect();
    check(toy, &ElementViews { n_visible: 1, views }, &Limits::none())
}

fn verdict_of_closure(ways: Ways) -> Result<(), Rejection> {
    let toy = Toy::new(ways);
    verdict(&toy, &closure(&toy))
}

#[test]
fn right_lists_are_accepted_and_no_view_is_superfluous() {
    for ways in [BY_HAND, COLLECTED, MOODY] {
        for guarded_by_actors in [false, true] {
            let toy = Toy::new(Ways { guarded_by_actors, ..ways });
            let views = closure(&toy);
            assert_eq!(verdict(&toy, &views), Ok(()), "{ways:?}");
            for left_out in &views {
                let others = views.iter().filter(|view| *view != left_out);
                let is_rejected = matches!(
                    verdict(&toy, others),
                    Err(Rejection::NotInductive { .. } | Rejection::InitialNotCovered { .. })
                );
                assert!(is_rejected, "{ways:?} without {left_out:?}");
            }
        }
    }
}

#[test]
fn all_that_threads_see_in_crowds_is_in_the_views() {
    for ways in [BY_HAND, COLLECTED, MOODY] {
        let toy = Toy::new(ways);
        let views = closure(&toy);
        for n in 1..=if ways.moods { 2 } else { 3 } {
            let crowds = crowd::reachable(ways, n);
            assert!(crowds.len() > 5 * n);
            for crowd in &crowds {
                for thread in 0..crowd.n_threads() {
                    assert!(views.contains(&crowd.view(&toy, thread)), "{crowd:?} {thread}");
                }
            }
        }
    }
}

#[test]
fn nodes_in_views_may_have_any_numbers() {
    let toy = Toy::new(COLLECTED);
    let reversed = |code: u64| if code == 0 { 0 } else { 9 - code };
    let renumbered = closure(&toy).into_iter().map(|view| {
        let codes = toy::unpacked(&view, toy.cells.cells.len());
        let mut other = codes.clone();
        for node in 1..=8 {
            for field in 0..4 {
                other[toy::field(reversed(node), field)] = codes[toy::field(node, field)];
            }
        }
        for (cell, code) in toy.cells.cells.iter().zip(&mut other) {
            if cell.first_node_code.is_some() {
                *code = reversed(*code);
            }
        }
        toy::packed(&other)
    });
    let renumbered: Vec<Vec<u64>> = renumbered.collect();
    assert_eq!(verdict(&toy, &renumbered), Ok(()));
}

#[test]
fn memory_that_is_used_wrongly_is_rejected() {
    let why = |ways: Ways| match verdict_of_closure(ways) {
        Err(Rejection::NotInductive { step, why }) => format!("{step}: {why}"),
        other => format!("{other:?}"),
    };
    let doubt = "let go: a node that others may reach is taken as unreached";
    assert_eq!(why(Ways { free: Free::Careless, ..COLLECTED }), doubt);
    assert_eq!(why(Ways { owners: false, ..BY_HAND }), doubt);
    let lost = "let go: a node is lost: nobody reaches it, and it is not free";
    assert_eq!(why(Ways { free: Free::Never, ..BY_HAND }), lost);
    // Others do not show that they still reach it: this is no error, but not shown to be none.
    let lost = "look away: a node is lost: nobody reaches it, and it is not free";
    assert_eq!(why(Ways { readers: true, ..BY_HAND }), lost);
}

#[test]
fn faults_failed_properties_and_omissions_are_rejected() {
    let target = "two let go at once".to_owned();
    let fault = verdict_of_closure(Ways { fault: true, ..BY_HAND });
    assert_eq!(fault, Err(Rejection::TargetNotExcluded { target }));
    let target = "what is in hand is a box".to_owned();
    let violated = verdict_of_closure(Ways { wrong_property: true, ..BY_HAND });
    assert_eq!(violated, Err(Rejection::TargetNotExcluded { target }));
    let omission = verdict_of_closure(Ways { omission: true, ..BY_HAND });
    assert_eq!(omission, Err(Rejection::LeftOut { what: "so".to_owned() }));
}

#[test]
fn states_without_spare_nodes_are_rejected() {
    // Two in the place, two in the hands of each, two to spare.
    let mut toy = Toy::new(BY_HAND);
    let views = closure(&toy);
    memory(&mut toy.cells).n_spare = 3;
    let too_few = Err(Rejection::LeftOut { what: "8 nodes are too few".to_owned() });
    assert_eq!(verdict(&toy, &views), too_few);
    memory(&mut toy.cells).n_spare = 2;
    assert_eq!(verdict(&toy, &views), Ok(()));
}

#[test]
fn what_steps_look_at_must_be_known() {
    let mut toy = Toy::new(BY_HAND);
    let views = closure(&toy);
    toy.reads[0].clear();
    assert!(matches!(verdict(&toy, &views), Err(Rejection::Malformed(_))));
}

#[test]
fn steps_are_taken_by_fewer_actors_than_there_are_views_beside_fewer_faces() {
    let toy = Toy::new(MOODY);
    let layout = layout_of(&toy);
    let views: Vec<Store> = closure(&toy).iter().map(|view| Store::of_words(view)).collect();
    let listed = Listed::new(&layout, &views).expect("they are views");
    let looks = looks(&toy, &layout).expect("it is known what steps look at");
    assert_eq!(looks.len(), 5);
    let groups = listed.groups(&layout);
    for look in looks.keys() {
        let faces = Faces::new(&layout, &listed, &look.unread);
        let n_faces: usize = groups.keys().map(|common| faces.with(common).len()).sum();
        let n_actors: usize =
            groups.values().map(|group| look.companies(&layout, group).len()).sum();
        assert!(2 * n_faces < views.len() && 2 * n_actors < views.len());
    }
}

#[test]
fn views_are_told_apart_by_codes_that_a_step_writes_and_does_not_look_at() {
    let toy = Toy::new(MOODY);
    let views = closure(&toy);
    let is_annoyed = |view: &&Vec<u64>| toy::unpacked(view, toy.cells.cells.len())[mood(0)] == 3;
    assert!(views.iter().any(|view| is_annoyed(&view)));
    let others = views.iter().filter(|view| !is_annoyed(view));
    let annoy = verdict(&toy, others);
    assert!(matches!(annoy, Err(Rejection::NotInductive { step, .. }) if step == "annoy"));
}

#[test]
fn views_of_two_elements_and_steps_of_two_actors_are_rejected() {
    let mut toy = Toy::new(BY_HAND);
    let views: Vec<Store> = closure(&toy).iter().map(|view| Store::of_words(view)).collect();
    let two = ElementViews { n_visible: 2, views: views.clone() };
    assert!(matches!(check(&toy, &two, &Limits::none()), Err(Rejection::Malformed(_))));
    toy.n_actors = 2;
    let one = ElementViews { n_visible: 1, views };
    assert!(matches!(check(&toy, &one, &Limits::none()), Err(Rejection::Malformed(_))));
}

#[test]
fn cells_that_make_no_sense_are_rejected() {
    let toy = Toy::new(BY_HAND);
    let (in_node, in_slot) = (toy::field(1, 0), toy::pc(0));
    type Break<'a> = (&'a str, &'a dyn Fn(&mut Cells));
    let broken: [Break<'_>; 16] = [
        ("overlap", &|c| c.cells[1].bit = 2),
        ("outside of the state", &|c| c.cells[1].bit = 1 << 20),
        ("no bits", &|c| c.cells[1].bits = 0),
        ("two kinds of names", &|c| c.cells[1].first_node_code = Some(1)),
        ("no room for names", &|c| c.cells[1].first_code = Some(30)),
        ("no room for nodes", &|c| c.cells[0].first_node_code = Some(25)),
        ("two slots", &|c| c.cells[in_slot].slots = vec![0, 1]),
        ("no such slot", &|c| c.cells[in_slot].slots = vec![2]),
        ("slot and node", &|c| c.cells[in_node].slots = vec![0]),
        ("no such node", &|c| c.cells[in_node].node = Some(8)),
        ("nodes differ", &|c| c.cells[in_node].family = 20),
        ("slots differ", &|c| c.cells[in_slot].family = 20),
        ("fresh is short", &|c| memory(c).fresh.truncate(5)),
        ("fresh differs", &|c| memory(c).fresh[in_node] = 1),
        ("doubt is shared", &|c| memory(c).doubts.push(0)),
        ("doubts differ", &|c| memory(c).doubts.truncate(3)),
    ];
    for (what, break_it) in broken {
        let mut cells = toy.cells.clone();
        break_it(&mut cells);
        let layout = Layout::new(&cells, toy.own().state_bits());
        assert!(matches!(layout, Err(Rejection::Malformed(_))), "{what}");
    }
    let uncovered = Layout::new(&toy.cells, toy.own().state_bits()).expect("the cells make sense");
    assert!(uncovered.read(&[0, 0, 0, 1 << 63]).is_err());
}

fn memory(cells: &mut Cells) -> &mut Memory {
    cells.memory.as_mut().expect("there is memory")
}
