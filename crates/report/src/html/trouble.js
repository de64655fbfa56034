// What is wrong in the end: in words, and as a picture of who waits for whom.

function troublePanel({ story, files }, select, open) {
  const { trouble } = story;
  const source = { files, open };
  const body = [];
  if (trouble.waits.length > 0) body.push(waitList(story, select, source), waitGraph(story));
  else if (trouble.accesses.length > 0) body.push(raceCards(story, select, source));
  else body.push(element("p", { class: "sentence" }, withCode(trouble.text), " ", placeButton(trouble.place, source)));
  return panel("trouble", trouble.title, element("div", { class: "trouble-body" }, body));
}

/** A way to a place in the source. */
function placeButton(place, { files, open }) {
  if (!place) return null;
  const file = place.file === 0 ? "" : ` of ${files[place.file].name}`;
  return element("button", { type: "button", class: "place", click: () => open(place) }, `line ${place.line}${file}`);
}

function laneTitle(story, lane) {
  const { name, about } = story.lanes[lane];
  return about ? `${name} ${about}` : name;
}

function waitList(story, select, source) {
  const entries = story.trouble.waits.map((wait) => {
    const held = wait.holders.flatMap((holder) => heldBy(story, wait, holder, select, source));
    const why = (wait.holders.length > 0 ? wait.why.replace(/, held by [a-z ]*$/, "") : wait.why).replace(/^it /, "");
    return element("li", {}, chip(wait.lane, laneTitle(story, wait.lane)), " ", placeButton(wait.place, source), " ",
      withCode(why), ".", held);
  });
  const cycle = cycleOf(story.trouble.waits);
  const own = story.trouble.waits.find(({ lane, holders }) => holders.some((holder) => holder.lane === lane));
  const holds = story.trouble.waits.every((wait) => wait.what || !cycle.includes(wait.lane));
  const sentence = cycle.length > 0
    ? `${cycle.map((lane) => story.lanes[lane].name).join(" → ")}: each waits for ${holds ? "what the next one holds" : "the next one"}.`
    : own ? `${story.lanes[own.lane].name} waits for what it holds itself.` : "Nobody can go on.";
  return element("div", {}, element("p", { class: "sentence" }, sentence), element("ul", { class: "waits" }, entries));
}

function heldBy(story, wait, { lane, step, place }, select, source) {
  const who = chip(lane, laneTitle(story, lane));
  if (step === null) return [wait.what ? " Held by " : " It needs ", who, "."];
  const where = place ? [" in ", placeButton(place, source)] : null;
  return [" ", who, " took it", where, " (", stepButton(step, select), ")."];
}

/** A way to the moment after a step. */
function stepButton(step, select) {
  return element("button", { type: "button", class: "place", click: () => select(step + 1) }, `step ${step + 1}`);
}

/** Lanes each of which waits for the next, closed; empty if there is no such cycle. */
function cycleOf(waits) {
  const others = ({ lane, holders }) => holders.map((holder) => holder.lane).filter((other) => other !== lane);
  const next = new Map(waits.map((wait) => [wait.lane, others(wait)]));
  const search = (path) => {
    for (const lane of next.get(path[path.length - 1]) || []) {
      const at = path.indexOf(lane);
      if (at >= 0) return [...path.slice(at), lane];
      if (!done.has(lane)) {
        const cycle = search([...path, lane]);
        if (cycle.length > 0) return cycle;
      }
    }
    done.add(path[path.length - 1]);
    return [];
  };
  const done = new Set();
  for (const start of next.keys()) {
    const cycle = done.has(start) ? [] : search([start]);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

function raceCards(story, select, source) {
  const { accesses } = story.trouble;
  const happened = accesses.every((access) => access.step !== null);
  const cards = accesses.map((access) =>
    element("div", { class: `card ${laneClass(access.lane)}` },
      element("p", {}, chip(access.lane, laneTitle(story, access.lane)), " ",
        element("strong", {}, access.verb), " ", withCode(access.what), " ", placeButton(access.place, source),
        access.step === null ? null : [" (", stepButton(access.step, select), ")"]),
      access.place ? null : element("p", { class: "remark" }, "in the step that begins with"),
      element("pre", {}, access.label)));
  const sentence = happened
    ? "One came after the other in this run, but nothing makes the first happen before the second."
    : "Both can happen next, in either order, and nothing orders them.";
  return element("div", {},
    element("p", { class: "sentence" }, sentence),
    element("div", { class: "cards" }, cards[0], element("span", { class: "against", "aria-hidden": "true" }, "⚡"), cards[1]));
}

/** The threads on a ring, an arrow from each that waits to the one it waits for. */
function waitGraph(story) {
  const edges = story.trouble.waits.flatMap(({ lane, what, holders }) =>
    holders.filter((holder) => holder.lane !== lane).map((holder) => ({ from: lane, what, holder })));
  const lanes = [...new Set(edges.flatMap(({ from, holder }) => [from, holder.lane]))].sort((a, b) => a - b);
  if (lanes.length < 2 || lanes.length > 12) return null;
  const at = layOut(lanes, cycleOf(story.trouble.waits).slice(0, -1));
  for (const lane of lanes) at.get(lane).half = halfWidth(shortened(laneTitle(story, lane), 16));
  const rows = [...at.values()].map((point) => point.y);
  // Labels may lie below the lowest nodes, and above a ring of two.
  const [top, bottom] = [Math.min(...rows) - (rows.length > 2 ? 44 : 70), Math.max(...rows) + 70];
  const parts = edges.flatMap((wait) => edge(at.get(wait.from), at.get(wait.holder.lane), edgeTexts(wait)));
  for (const lane of lanes) parts.push(node(at.get(lane), laneTitle(story, lane), lane));
  const arrow = drawing("marker", { id: "arrow", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
    drawing("path", { d: "M0 0L10 5L0 10z", class: "arrow-head" }));
  const words = edges.map((wait) => `${laneTitle(story, wait.from)} waits for ${edgeTexts(wait).join(", ")}: ${laneTitle(story, wait.holder.lane)}`);
  return element("figure", { class: "graph" },
    drawing("svg", { viewBox: `-265 ${top} 530 ${bottom - top}`, role: "img", "aria-label": `Who waits for whom: ${words.join("; ")}` },
      drawing("defs", {}, arrow), parts),
    element("figcaption", {}, "An arrow leads from a thread that waits, over what it waits for and the line where that was taken, to the thread that it needs."));
}

/** Points for lanes: those of the cycle on a ring, the others in rows above it. */
function layOut(lanes, cycle) {
  const ring = cycle.length > 1 ? cycle : lanes;
  const radius = ring.length === 2 ? { x: 145, y: 0 } : { x: 135, y: 34 * Math.min(ring.length, 5) - 20 };
  const at = new Map(ring.map((lane, idx) => {
    const angle = (2 * Math.PI * idx) / ring.length + (ring.length === 2 ? Math.PI : -Math.PI / 2);
    return [lane, { x: Math.cos(angle) * radius.x, y: Math.sin(angle) * radius.y }];
  }));
  const others = lanes.filter((lane) => !ring.includes(lane));
  const perRow = 3;
  others.forEach((lane, idx) => {
    const row = Math.floor(idx / perRow);
    const n = Math.min(perRow, others.length - row * perRow);
    at.set(lane, { x: ((idx % perRow) - (n - 1) / 2) * 150, y: -radius.y - 105 - 50 * row, above: true });
  });
  return at;
}

/** What a thread waits for, and where the other one took it. */
function edgeTexts({ what, holder }) {
  if (!what) return ["its end"];
  return holder.place ? [what, `taken in line ${holder.place.line}`] : [what];
}

/** Half the width of a node with this text. */
function halfWidth(text) {
  return 14 + text.length * 3.9;
}

function node({ x, y, half }, text, lane) {
  const label = shortened(text, 16);
  return drawing("g", { class: laneClass(lane) },
    drawing("rect", { x: x - half, y: y - 15, width: 2 * half, height: 30, rx: 15, class: "node" }),
    drawing("text", { x, y: y + 4, "text-anchor": "middle" }, label));
}

/** A curve from one node to another, bent so that two opposite ones part. */
function edge(from, to, texts) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const centre = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  // From above the ring, curves go round it and not into it.
  const side = from.above && centre.x * dy < 0 ? -1 : 1;
  const [nx, ny] = [(side * dy) / length, (-side * dx) / length];
  const bend = 38;
  const middle = { x: centre.x + nx * bend, y: centre.y + ny * bend };
  const start = border(from, middle);
  const end = border(to, middle);
  const labels = texts.map((text) => shortened(text, 30));
  const half = 6 + Math.max(...labels.map((label) => label.length)) * 3.6;
  const height = 7 + 14 * labels.length;
  // Beside the curve, so that the text does not hide it.
  const away = Math.abs(nx) * half + Math.abs(ny) * (height / 2) + 3;
  const x = (start.x + 2 * middle.x + end.x) / 4 + nx * away;
  const y = (start.y + 2 * middle.y + end.y) / 4 + ny * away;
  return [
    drawing("path", { d: `M${start.x} ${start.y}Q${middle.x} ${middle.y} ${end.x} ${end.y}`, class: "wait-edge", "marker-end": "url(#arrow)" }),
    drawing("rect", { x: x - half, y: y - height / 2, width: 2 * half, height, rx: 4, class: "edge-back" }),
    ...labels.map((label, idx) =>
      drawing("text", { x, y: y + 4 + 14 * (idx - (labels.length - 1) / 2), "text-anchor": "middle", class: idx === 0 ? "edge-text" : "edge-text since" }, label)),
  ];
}

/** A point near a node, on the way to another point. */
function border(node, towards) {
  const [dx, dy] = [towards.x - node.x, towards.y - node.y];
  const scale = Math.min((node.half + 3) / (Math.abs(dx) || 1), 18 / (Math.abs(dy) || 1), 1);
  return { x: node.x + dx * scale, y: node.y + dy * scale };
}

function shortened(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
