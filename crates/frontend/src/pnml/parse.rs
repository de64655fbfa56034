//! Picks the net out of the tree of elements. Graphics and tool-specific parts
//! are passed over; labels of other net types are refused.

use model::Diagnostic;

use crate::pnml::ast::{Arc, ArcKind, Net, Node, Place, Reference};
use crate::pnml::element::Element;
use crate::pnml::number::labelled;
use crate::sink::Sink;

/// The one net of a document.
pub(crate) fn parse(root: &Element, sink: &mut Sink) -> Option<Net> {
    let nets: Vec<&Element> = match root.name.as_str() {
        "net" => vec![root],
        _ => root.children_named("net").collect(),
    };
    let &[net] = nets.as_slice() else {
        let message = format!("the file holds {} nets; exactly one is needed", nets.len());
        let span = nets.get(1).map_or(root.span, |second| second.span);
        sink.push(Diagnostic::error("PN004", message, span));
        return None;
    };
    check_type(net, sink)?;
    let mut parser = Parser {
        sink,
        net: Net {
            places: Vec::new(),
            transitions: Vec::new(),
            arcs: Vec::new(),
            references: Vec::new(),
            span: net.span,
        },
    };
    parser.page(net);
    Some(parser.net)
}

/// Refuses nets that are not place/transition nets, unless they do not say.
fn check_type(net: &Element, sink: &mut Sink) -> Option<()> {
    let Some(kind) = net.attribute("type") else { return Some(()) };
    let lower = kind.to_ascii_lowercase();
    if lower.is_empty() || ["ptnet", "p/t", "pnmlcoremodel"].iter().any(|ok| lower.contains(ok)) {
        return Some(());
    }
    let shown: String = kind.chars().take(80).collect();
    let message = format!("net type `{shown}` is not a place/transition net");
    let help = "unfold the net first; many tools export a P/T net";
    sink.push(Diagnostic::error("PN003", message, net.span).help(help));
    None
}

struct Parser<'s> {
    sink: &'s mut Sink,
    net: Net,
}

impl Parser<'_> {
    /// The tree is at most `MAX_DEPTH` deep, and so is this recursion.
    fn page(&mut self, page: &Element) {
        for element in &page.children {
            match element.name.as_str() {
                "page" => self.page(element),
                "place" => self.place(element),
                "transition" => self.transition(element),
                "arc" => self.arc(element),
                "referencePlace" | "referenceTransition" => self.reference(element),
                "declaration" => self.coloured(element),
                _ => {}
            }
        }
    }

    fn place(&mut self, element: &Element) {
        for label in ["type", "hlinitialMarking"] {
            element.children_named(label).for_each(|label| self.coloured(label));
        }
        let marking = labelled(element, "initialMarking", 0, self.sink);
        if let Some(node) = self.node(element) {
            self.net.places.push(Place { node, marking });
        }
    }

    fn transition(&mut self, element: &Element) {
        element.children_named("condition").for_each(|label| self.coloured(label));
        if let Some(node) = self.node(element) {
            self.net.transitions.push(node);
        }
    }

    fn arc(&mut self, element: &Element) {
        element.children_named("hlinscription").for_each(|label| self.coloured(label));
        let weight = labelled(element, "inscription", 1, self.sink);
        if weight == 0 {
            let message = "the weight of an arc is a positive number";
            self.sink.push(Diagnostic::error("PN009", message, element.span));
        }
        let kind = self.arc_kind(element);
        let source = self.required(element, "source");
        let target = self.required(element, "target");
        if let (Some(source), Some(target), Some(kind)) = (source, target, kind) {
            self.net.arcs.push(Arc { source, target, weight, kind, span: element.span });
        }
    }

    fn arc_kind(&mut self, element: &Element) -> Option<ArcKind> {
        let child = element.child("type").or_else(|| element.child("arctype"));
        let name = element
            .attribute("type")
            .or_else(|| child?.attribute("value"))
            .or_else(|| Some(child?.child("text")?.text.as_str()))
            .unwrap_or("normal");
        match name.to_ascii_lowercase().as_str() {
            "" | "normal" => Some(ArcKind::Normal),
            "read" | "test" => Some(ArcKind::Read),
            "inhibitor" => Some(ArcKind::Inhibitor),
            "reset" => Some(ArcKind::Reset),
            _ => {
                let shown: String = name.chars().take(40).collect();
                let message = format!("arcs of type `{shown}` are not supported");
                let help = "supported are `normal`, `read`, `inhibitor` and `reset`";
                self.sink.push(Diagnostic::error("PN010", message, element.span).help(help));
                None
            }
        }
    }

    fn reference(&mut self, element: &Element) {
        let id = self.required(element, "id");
        let to = self.required(element, "ref");
        if let (Some(id), Some(to)) = (id, to) {
            self.net.references.push(Reference { id, to, span: element.span });
        }
    }

    fn node(&mut self, element: &Element) -> Option<Node> {
        let id = self.required(element, "id")?;
        let name = element.child("name").and_then(|name| name.child("text"));
        let name = name.map(|text| text.text.clone()).filter(|name| !name.is_empty());
        Some(Node { id, name, span: element.span })
    }

    fn required(&mut self, element: &Element, attribute: &str) -> Option<String> {
        let value = element.attribute(attribute).filter(|value| !value.is_empty());
        if value.is_none() {
            let message = format!("`{}` has no attribute `{attribute}`", element.name);
            self.sink.push(Diagnostic::error("PN005", message, element.span));
        }
        value.map(str::to_owned)
    }

    fn coloured(&mut self, label: &Element) {
        let message = format!("label `{}` belongs to coloured nets", label.name);
        let help = "unfold the net to a place/transition net first";
        self.sink.push(Diagnostic::error("PN003", message, label.span).help(help));
    }
}
