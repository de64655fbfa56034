//! A run as witnesses tell it: moves in the program's files, and where it ends.

use model::{RunEvent, RunEventKind, Span, ThreadProgram, ThreadTrace};

use super::parenthesis::closing;
use crate::story::{SourceMap, SourceRange};

/// The function whose call is the error, whatever its body does.
const ERROR_FUNCTION: &str = "reach_error";

/// A run.
pub(super) struct WitnessPath {
    /// What happens.
    pub moves: Vec<WitnessMove>,
    /// Where it ends.
    pub target: SourceRange,
    /// The thread that takes the last step.
    pub thread: usize,
}

/// Something that happens.
pub(super) struct WitnessMove {
    /// By which thread.
    pub thread: usize,
    /// What.
    pub kind: MoveKind,
    /// Where.
    pub place: Option<SourceRange>,
    /// The parenthesis that closes the call, for calls and inputs.
    pub closing: Option<SourceRange>,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MoveKind {
    /// The thread begins with this function.
    Begin(String),
    /// It calls a function.
    Call(String),
    /// A function returns.
    Return(String),
    /// It touches shared memory.
    Access,
    /// It starts a thread with this number.
    Start(usize),
    /// It reads an input.
    Input { function: String, value: String },
}

impl WitnessPath {
    /// The moves of a run, which ends with `ends` if it is not the call of an error
    /// function: threads, where it is not the last one, and where they come to.
    pub fn new(
        program: &dyn ThreadProgram,
        trace: &ThreadTrace,
        places: &SourceMap<'_>,
        ends: &[(Option<usize>, SourceRange)],
    ) -> Option<WitnessPath> {
        let mut teller = PathBuilder { places, moves: Vec::new(), begins: Vec::new() };
        let mut events = program.narrator().events(trace).into_iter();
        let mut n_threads = trace.threads.len();
        for step in &trace.steps {
            let thread = step.thread? as usize;
            teller.begin(thread);
            let mut told = events.next().unwrap_or_default();
            if told.is_empty() {
                told.push(RunEvent { kind: RunEventKind::Access, span: step.span });
            }
            let mut started = n_threads..;
            for event in told {
                teller.tell(thread, event, &mut started);
            }
            n_threads += step.spawned.len();
        }
        if let Some(idx) = error_call(&teller.moves) {
            // The call is what is wrong, so the run ends there.
            let call = teller.moves.drain(idx..).next()?;
            return Some(WitnessPath {
                moves: teller.moves,
                target: call.place?,
                thread: call.thread,
            });
        }
        let last_thread = teller.moves.last().map_or(0, |last| last.thread);
        let (&(thread, target), before) = ends.split_last()?;
        for &(thread, place) in before {
            let thread = thread.unwrap_or(last_thread);
            teller.begin(thread);
            let kind = MoveKind::Access;
            teller.moves.push(WitnessMove { thread, kind, place: Some(place), closing: None });
        }
        let thread = thread.unwrap_or(last_thread);
        teller.begin(thread);
        Some(WitnessPath { moves: teller.moves, target, thread })
    }
}

/// The call of the error function that the run ends in, if it does.
fn error_call(moves: &[WitnessMove]) -> Option<usize> {
    let thread = moves.last()?.thread;
    let is_it = |one: &WitnessMove| {
        one.thread == thread
            && matches!(&one.kind,
                MoveKind::Call(name) | MoveKind::Return(name) if name == ERROR_FUNCTION)
    };
    let idx = moves.iter().rposition(is_it)?;
    (matches!(moves[idx].kind, MoveKind::Call(_)) && moves[idx].place.is_some()).then_some(idx)
}

struct PathBuilder<'a> {
    places: &'a SourceMap<'a>,
    moves: Vec<WitnessMove>,
    /// The threads that have not moved yet, and the functions that they begin with.
    begins: Vec<(usize, String)>,
}

impl PathBuilder<'_> {
    /// Lets a thread begin before its first move.
    fn begin(&mut self, thread: usize) {
        if let Some(idx) = self.begins.iter().position(|(new, _)| *new == thread) {
            let (_, function) = self.begins.remove(idx);
            let kind = MoveKind::Begin(function);
            self.moves.push(WitnessMove { thread, kind, place: None, closing: None });
        }
    }

    fn tell(&mut self, thread: usize, event: RunEvent, started: &mut impl Iterator<Item = usize>) {
        let place = event.span.and_then(|span| self.places.of(span));
        let closing = |function: &str| event.span.and_then(|span| self.closing(span, function));
        let (kind, closing) = match event.kind {
            RunEventKind::Call(function) => {
                let closing = closing(&function);
                (MoveKind::Call(function), closing)
            }
            RunEventKind::Return(function) => (MoveKind::Return(function), None),
            RunEventKind::Access => (MoveKind::Access, None),
            RunEventKind::Start(function) => {
                let Some(new) = started.next() else { return };
                self.begins.push((new, function));
                (MoveKind::Start(new), None)
            }
            RunEventKind::Input { function, value } => {
                let closing = closing(&function);
                (MoveKind::Input { function, value }, closing)
            }
        };
        let line = |place: Option<SourceRange>| place.map(|place| (place.file, place.line));
        let is_told = self.moves.last().is_some_and(|last| {
            kind == MoveKind::Access
                && matches!(last.kind, MoveKind::Access | MoveKind::Start(_))
                && (last.thread, line(last.place)) == (thread, line(place))
        });
        if !is_told {
            self.moves.push(WitnessMove { thread, kind, place, closing });
        }
    }

    fn closing(&self, span: Span, function: &str) -> Option<SourceRange> {
        let text = &self.places.files().get(span.file as usize)?.text;
        let at = closing(text, span.start as usize, function)?;
        self.places.of(Span::new(span.file, at, at + 1))
    }
}
