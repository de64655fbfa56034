// The input, with the lines of the steps marked.

class Source {
  constructor(files, story) {
    this.files = files;
    this.story = story;
    this.lines = new Map();
    this.codes = new Map();
    this.marked = [];
    this.open = 0;
    this.visited = this.visits();
    this.scroll = element("div", { class: "scroll code", tabindex: "0", "aria-label": "Source text" });
    this.choice = element("select", { "aria-label": "File" },
      files.map((file, idx) => element("option", { value: idx }, file.name)));
    this.choice.addEventListener("change", () => this.openFile(Number(this.choice.value)));
    const legend = story && story.steps.some((step) => step.place)
      ? element("p", { class: "legend" },
          story.lanes.length > 1 ? [chip(0, story.lanes[0].name), " this step   "] : null,
          story.start.next.length > 0 ? [chip(0, story.lanes[0].name, "next"), " goes on here   "] : null,
          element("span", { class: "sample" }), " lines of the run")
      : null;
    this.node = panel("source", files.length === 1 ? files[0].name : "Source",
      files.length > 1 ? this.choice : null, this.scroll, legend);
    this.openFile(this.firstFile());
  }

  firstFile() {
    const step = this.story && this.story.steps.find((step) => step.place);
    return step ? step.place.file : 0;
  }

  /** The lines that steps of the run stand in, by file. */
  visits() {
    const visited = this.files.map(() => new Set());
    for (const step of this.story ? this.story.steps : []) {
      if (step.place && visited[step.place.file]) visited[step.place.file].add(step.place.line);
    }
    return visited;
  }

  openFile(idx) {
    const file = this.files[idx];
    if (!file) return;
    this.open = idx;
    this.choice.value = String(idx);
    this.lines.clear();
    this.codes.clear();
    this.marked = [];
    const rows = [];
    let next = 1;
    for (const part of file.parts) {
      if (part.first_line > next) rows.push(this.gap(part.first_line - next));
      part.lines.forEach((text, offset) => rows.push(this.line(part.first_line + offset, text)));
      next = part.first_line + part.lines.length;
    }
    if (next <= file.n_lines) rows.push(this.gap(file.n_lines - next + 1));
    if (rows.length === 0) rows.push(element("p", { class: "remark" }, "There is no text to show."));
    this.scroll.replaceChildren(...rows);
    this.scroll.scrollTop = 0;
  }

  gap(n) {
    return element("div", { class: "gap" }, `… ${n} lines`);
  }

  line(number, text) {
    const code = element("span", { class: "text" }, text);
    const node = element("div", { class: "line", "data-line": number },
      element("span", { class: "no" }, number), element("span", { class: "marks" }), code);
    if (this.visited[this.open].has(number)) node.classList.add("visited");
    this.lines.set(number, node);
    this.codes.set(number, text);
    return node;
  }

  /** Marks the step that leads to a moment, and where everybody is. */
  show(marks, current) {
    if (current && current.place && current.place.file !== this.open) this.openFile(current.place.file);
    for (const node of this.marked) this.clear(node);
    this.marked = [];
    for (const mark of marks) {
      if (!mark.place || mark.place.file !== this.open) continue;
      const node = this.lines.get(mark.place.line);
      if (!node) continue;
      this.marked.push(node);
      node.querySelector(".marks").append(chip(mark.lane, mark.text, mark.kind));
      if (mark.kind !== "next") node.classList.add(mark.kind || "current");
    }
    this.widen();
    if (!current || !current.place) return;
    for (let line = current.place.line; line <= Math.min(current.place.end_line, current.place.line + 200); line++) {
      const node = this.lines.get(line);
      if (!node) continue;
      this.marked.push(node);
      node.classList.add(line === current.place.line ? "current" : "within");
    }
    this.underline(current.place);
    const node = this.lines.get(current.place.line);
    if (node) this.center(node);
  }

  /** Makes room for the marks; it never shrinks again, so that the text stays where it is. */
  widen() {
    const widths = this.marked.map((node) => node.querySelector(".marks").scrollWidth);
    const width = Math.max(this.gutter || 0, ...widths);
    if (width === this.gutter) return;
    this.gutter = width;
    this.scroll.style.setProperty("--gutter", `${width}px`);
  }

  clear(node) {
    node.classList.remove("current", "within", "wrong");
    node.querySelector(".marks").replaceChildren();
    node.querySelector(".text").replaceChildren(this.codes.get(Number(node.dataset.line)));
  }

  underline(place) {
    const node = this.lines.get(place.line);
    if (!node) return;
    const letters = Array.from(this.codes.get(place.line));
    const end = place.end_line === place.line ? place.end_column - 1 : letters.length;
    const start = Math.min(place.column - 1, letters.length);
    // Compilers tell where something starts alone: then it ends with its line.
    if (end <= start || end >= letters.join("").trimEnd().length) return;
    node.querySelector(".text").replaceChildren(letters.slice(0, start).join(""),
      element("mark", {}, letters.slice(start, end).join("")), letters.slice(end).join(""));
  }

  center(node) {
    const outer = this.scroll.getBoundingClientRect();
    const inner = node.getBoundingClientRect();
    if (inner.top < outer.top + 40 || inner.bottom > outer.bottom - 40) {
      this.scroll.scrollTop += inner.top - outer.top - outer.height / 3;
    }
  }
}
