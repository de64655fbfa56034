// The interleaving: a row per step, a column per lane.

/** Rows that are on the page at once; longer runs show those around the present step. */
const ROWS = 400;

class Diagram {
  constructor(story, select) {
    this.story = story;
    this.select = select;
    this.first = null;
    this.body = element("tbody", {});
    const lanes = story.lanes.map((lane, idx) =>
      element("th", { scope: "col", class: laneClass(idx) },
        element("span", { class: "lane-name" }, lane.name), " ",
        element("span", { class: "lane-about" }, lane.about)));
    this.table = element("table", { class: "diagram" },
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Step"), lanes)),
      this.body);
    this.scroll = element("div", { class: "scroll", tabindex: "0", "aria-label": "Steps" }, this.table);
    this.alive = this.lifetimes();
    this.node = panel("diagram", story.lanes.length > 1 ? "Interleaving" : "Run", this.scroll,
      story.remarks.map((remark) => element("p", { class: "remark" }, remark)));
  }

  /** For each lane, the steps after which it begins and ends. */
  lifetimes() {
    const alive = this.story.lanes.map((lane) => ({ from: lane.at_start ? 0 : Infinity, to: Infinity }));
    this.story.steps.forEach((step, idx) => {
      for (const lane of step.starts) alive[lane].from = idx + 1;
      if (step.ends && step.lane !== null) alive[step.lane].to = idx + 1;
    });
    return alive;
  }

  show(moment) {
    const last = this.story.steps.length;
    const first = Math.max(0, Math.min(moment - ROWS / 2, last - ROWS + 1));
    if (this.first === null || moment < this.first || moment >= this.first + ROWS || last < ROWS) {
      if (this.first === null || last >= ROWS) this.fill(first, Math.min(last, first + ROWS - 1));
    }
    for (const row of this.body.querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
    const row = this.body.querySelector(`[data-moment="${moment}"]`);
    if (row) {
      row.setAttribute("aria-current", "step");
      reveal(this.scroll, moment === last ? this.body.lastElementChild : row);
      if (moment === last) reveal(this.scroll, row);
    }
    this.body.classList.toggle("at-end", moment === last);
  }

  fill(first, last) {
    this.first = first;
    const rows = [];
    if (first > 0) rows.push(this.gap(`${first} earlier steps`));
    for (let moment = first; moment <= last; moment++) {
      if (moment - 1 === this.story.loop_start) rows.push(this.gap("↻ the loop begins: what follows repeats for ever"));
      rows.push(moment === 0 ? this.startRow() : this.row(moment));
    }
    const more = this.story.steps.length - last;
    rows.push(more > 0 ? this.gap(`${more} more steps`) : this.endRow());
    this.body.replaceChildren(...rows);
  }

  gap(text) {
    const width = this.story.lanes.length + 1;
    return element("tr", { class: "gap" }, element("td", { colspan: width }, text));
  }

  number(moment, text) {
    return element("td", { class: "number" },
      element("button", { type: "button", click: () => this.select(moment),
        "aria-label": moment === 0 ? "Go to the start" : `Go to step ${moment}` }, text));
  }

  startRow() {
    const cells = this.story.lanes.map((lane, idx) =>
      element("td", { class: `cell ${laneClass(idx)} ${lane.at_start ? "begins" : "absent"}` },
        lane.at_start ? element("span", { class: "dot" }) : null));
    const label = this.story.start.label;
    if (cells.length === 1 && label !== "start") cells[0].append(this.box(0, label));
    return element("tr", { "data-moment": 0 }, this.number(0, "start"), cells);
  }

  row(moment) {
    const step = this.story.steps[moment - 1];
    const looped = this.story.loop_start !== null && moment > this.story.loop_start;
    if (step.lane === null) {
      const cell = element("td", { class: "cell environment", colspan: this.story.lanes.length },
        this.box(moment, step.label, "by the environment"));
      return element("tr", { "data-moment": moment }, this.number(moment, moment), cell);
    }
    const cells = this.story.lanes.map((_, lane) => this.cell(step, moment, lane));
    return element("tr", { "data-moment": moment, class: looped ? "looped" : null },
      this.number(moment, moment), cells);
  }

  cell(step, moment, lane) {
    const { from, to } = this.alive[lane];
    const begins = step.starts.includes(lane);
    const kinds = ["cell", laneClass(lane)];
    if (moment < from || moment > to) kinds.push("absent");
    if (begins) kinds.push("begins");
    if (step.lane === lane && step.ends) kinds.push("ends");
    const cell = element("td", { class: kinds.join(" ") });
    if (step.lane === lane) {
      const starts = step.starts.map((other) => `starts ${this.story.lanes[other].name}`);
      if (step.ends && !/ ends$/.test(step.label)) starts.push("ends");
      cell.append(element("span", { class: "dot" }), this.box(moment, step.label, starts.join(", ")));
    } else if (begins || step.moves.includes(lane)) {
      cell.append(element("span", { class: "dot hollow" }),
        element("span", { class: "aside" }, begins ? "begins" : "is moved"));
    }
    return cell;
  }

  box(moment, label, more) {
    return element("button", { type: "button", class: "box", title: label, click: () => this.select(moment) },
      element("span", { class: "label" }, label),
      more ? element("span", { class: "more" }, more) : null);
  }

  /** What is wrong, in the lanes that it concerns. */
  endRow() {
    const { trouble, loop_start, steps } = this.story;
    const said = new Map();
    for (const wait of trouble.waits) said.set(wait.lane, wait.what ? `waits for \`${wait.what}\`` : wait.why.replace(/^it /, ""));
    for (const { lane, verb, what, step } of trouble.accesses) {
      said.set(lane, step === null ? `${verb} ${what}` : `${verb} ${what} in step ${step + 1}`);
    }
    if (said.size === 0) {
      const text = loop_start === null ? trouble.text
        : loop_start === steps.length ? "the last state stays for ever" : `back to before step ${loop_start + 1}`;
      return element("tr", { class: "end" }, element("td", { class: "number" }, loop_start === null ? "✗" : "↻"),
        element("td", { colspan: this.story.lanes.length }, element("span", { class: "wrong" }, withCode(text))));
    }
    const cells = this.story.lanes.map((_, lane) => {
      const absent = this.alive[lane].to !== Infinity ? "absent" : "";
      return element("td", { class: `cell ${laneClass(lane)} ${absent}` },
        said.has(lane) ? element("span", { class: "wrong" }, withCode(said.get(lane))) : null);
    });
    return element("tr", { class: "end" },
      element("td", { class: "number" }, "✗", spoken("the error")), cells);
  }
}

/** Scrolls a box, and nothing else, so that a part of it is seen. */
function reveal(box, part) {
  if (!part) return;
  const head = box.querySelector("thead");
  const above = head ? head.getBoundingClientRect().height : 0;
  const outer = box.getBoundingClientRect();
  const inner = part.getBoundingClientRect();
  if (inner.top < outer.top + above) box.scrollTop += inner.top - outer.top - above - 8;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
}
