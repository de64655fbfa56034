// Builds elements. Text becomes text nodes, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; absent children are skipped. */
function element(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for pictures. */
function drawing(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "click") node.addEventListener("click", value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

/** Text for those who listen to the page. */
function spoken(text) {
  return element("span", { class: "spoken" }, text);
}

/** A short name of a lane in its colour. */
function chip(lane, text, kind) {
  return element("span", { class: `chip ${kind || ""} ${laneClass(lane)}` }, text);
}

/** Colours repeat after eight; names tell lanes apart. */
function laneClass(lane) {
  return lane === null || lane === undefined ? "lane-none" : `lane-${lane % 8}`;
}

/** A panel of the page with a heading. */
function panel(id, title, ...children) {
  const heading = `${id}-title`;
  return element("section", { id, class: "panel", "aria-labelledby": heading },
    element("h2", { id: heading }, title), ...children);
}

/** `code` in text as code, as far as it is in backticks. */
function withCode(text) {
  return text.split("`").map((part, idx) => (idx % 2 === 1 ? element("code", {}, part) : part));
}
