// Puts the page together, and goes through the run step by step.

const VERDICTS = { holds: ["✓", "Holds"], violated: ["✗", "Violated"], unknown: ["?", "Unknown"] };

class Page {
  constructor(content) {
    this.content = content;
    this.story = content.story;
    this.moment = 0;
    document.title = `${content.headline} - ${content.inputs[0] || "threadproof"}`;
    const root = document.getElementById("page");
    root.append(this.header());
    if (this.story) this.tell(root);
    if (content.proof) root.append(this.proof());
    root.append(this.facts());
    if (!this.story && content.files.length > 0) root.append(new Source(content.files, null).node);
    window.addEventListener("hashchange", () => this.followAddress());
    this.followAddress();
  }

  header() {
    const [sign, word] = VERDICTS[this.content.verdict];
    const rest = this.content.headline.replace(/^[A-Z]+:? ?/, "");
    this.theme = element("button", { type: "button", class: "theme", click: () => this.turnTheme() }, "Dark");
    return element("header", { class: this.content.verdict },
      element("div", { class: "verdict" }, element("span", { class: "sign", "aria-hidden": "true" }, sign),
        element("h1", {}, element("span", { class: "word" }, word), " ", element("span", { class: "rest" }, withCode(rest)))),
      element("p", { class: "origin" }, this.content.inputs.join(", "), element("span", { class: "tool" }, this.content.tool)),
      this.theme);
  }

  tell(root) {
    const select = (moment) => this.select(moment);
    const showPlace = (place) => this.source.show(this.marks(), { place });
    this.last = this.story.steps.length;
    this.diagram = new Diagram(this.story, select);
    this.source = new Source(this.content.files, this.story);
    this.values = new Values(this.story);
    root.append(troublePanel(this.content, select, showPlace), this.controls(),
      element("main", { class: "columns" }, this.source.node,
        element("div", { class: "side" }, this.diagram.node, this.values.node)));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  controls() {
    const button = (sign, label, keys, moment) => element("button",
      { type: "button", "aria-label": label, title: `${label} (${keys})`, click: () => this.select(moment()) },
      drawing("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, drawing("path", { d: sign })));
    this.slider = element("input", { type: "range", min: 0, max: this.last, step: 1, "aria-label": "Step" });
    this.slider.addEventListener("input", () => this.select(Number(this.slider.value)));
    this.position = element("span", { class: "position", "aria-live": "polite" });
    this.saying = element("span", { class: "saying" });
    return element("nav", { class: "controls", "aria-label": "Steps of the run" },
      element("div", { class: "buttons" },
        button("M2 2h2v12H2zM14 2v12L5 8z", "First state", "Home", () => 0),
        button("M13 2v12L3 8z", "Back one step", "Left", () => this.moment - 1),
        button("M3 2v12l10-6z", "On one step", "Right", () => this.moment + 1),
        button("M12 2h2v12h-2zM2 2v12l9-6z", "Last state", "End", () => this.last)),
      this.position, this.slider, this.saying);
  }

  key(event) {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.altKey || event.ctrlKey || event.metaKey || typing) return;
    const moments = { ArrowRight: this.moment + 1, ArrowDown: this.moment + 1, ArrowLeft: this.moment - 1,
      ArrowUp: this.moment - 1, Home: 0, End: this.last, PageDown: this.moment + 10, PageUp: this.moment - 10 };
    if (!Object.hasOwn(moments, event.key)) return;
    event.preventDefault();
    this.select(moments[event.key]);
  }

  /** Goes to the state after so many steps. */
  select(moment) {
    this.moment = Math.max(0, Math.min(this.last, moment));
    const step = this.moment === 0 ? null : this.story.steps[this.moment - 1];
    const start = this.story.start;
    this.diagram.show(this.moment);
    this.values.show(this.moment);
    this.source.show(this.marks(), step || start);
    this.slider.value = String(this.moment);
    this.position.textContent = this.moment === 0 ? `Start, before ${this.last} steps` : `Step ${this.moment} of ${this.last}`;
    const who = step && step.lane !== null && this.story.lanes.length > 1 ? [chip(step.lane, this.story.lanes[step.lane].name), " "] : [];
    this.saying.replaceChildren(...who, element("code", {}, step ? step.label : start.label));
    document.documentElement.dataset.step = String(this.moment);
    this.writeAddress();
  }

  /** What the source shows at this moment: the step, where lanes go on, what is wrong. */
  marks() {
    const { steps, start, lanes, trouble } = this.story;
    const marks = [];
    const wrong = new Set();
    if (this.moment === this.last) {
      const both = [...trouble.waits.map((wait) => ({ ...wait, verb: "waits" })), ...trouble.accesses];
      // An access of an earlier step says nothing of where its thread goes on.
      const isNow = ({ step }) => (step ?? null) === null || step === this.last - 1;
      for (const side of both) if (side.place && isNow(side)) wrong.add(side.lane);
      marks.push(...this.together(both, "wrong"));
      const taken = trouble.waits.flatMap((wait) => wait.holders.map((holder) => ({ ...holder, verb: "took it" })));
      marks.push(...this.together(taken, "taken"));
      if (trouble.place && trouble.accesses.length === 0) marks.push({ lane: null, place: trouble.place, text: "✗", kind: "wrong" });
    }
    const step = this.moment === 0 ? null : steps[this.moment - 1];
    if (step && step.place && step.lane !== null) {
      marks.push({ lane: step.lane, place: step.place, text: lanes.length > 1 ? lanes[step.lane].name : "▶" });
    }
    const next = new Map(start.next);
    for (const done of steps.slice(0, this.moment)) for (const [lane, place] of done.next) next.set(lane, place);
    for (const [lane, place] of next) {
      if (!wrong.has(lane)) marks.push({ lane, place, text: lanes[lane].name, kind: "next" });
    }
    return marks;
  }

  /** One mark for all that do the same in the same line. */
  together(sides, kind) {
    const groups = new Map();
    for (const side of sides) {
      if (!side.place) continue;
      const key = `${side.place.file}:${side.place.line}:${side.verb}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(side);
    }
    return [...groups.values()].map((group) => {
      const lanes = [...new Set(group.map((side) => side.lane))].sort((a, b) => a - b);
      const names = lanes.map((lane) => this.story.lanes[lane].name).join(", ");
      const verb = lanes.length > 1 ? group[0].verb.replace(/s$/, "") : group[0].verb;
      return { lane: group[0].lane, place: group[0].place, text: `${names} ${verb}`, kind };
    });
  }

  proof() {
    const { sentence, lines } = this.content.proof;
    return panel("proof", "Why it holds", element("p", { class: "sentence" }, sentence),
      lines.length > 0 ? element("ul", { class: "proof-lines" }, lines.map((line) => element("li", {}, element("code", {}, line)))) : null);
  }

  facts() {
    const rows = this.content.facts.map((fact, idx) => {
      const again = idx > 0 && this.content.facts[idx - 1].key === fact.key;
      return [element("dt", {}, again ? "" : fact.key), element("dd", {}, withCode(fact.text))];
    });
    return panel("facts", "About this answer", element("dl", {}, rows));
  }

  /** `#step=3&theme=dark` in the address. */
  followAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const theme = wanted.get("theme");
    if (theme === "dark" || theme === "light") this.setTheme(theme);
    else this.nameTheme();
    if (!this.story) return;
    const step = Number.parseInt(wanted.get("step") ?? "", 10);
    const moment = Number.isNaN(step) ? this.last : Math.max(0, Math.min(this.last, step));
    if (moment !== this.moment || document.documentElement.dataset.step === undefined) this.select(moment);
  }

  writeAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    wanted.set("step", String(this.moment));
    try {
      history.replaceState(null, "", `#${wanted}`);
    } catch {
      // Some browsers forbid this for local files that are stepped through quickly.
    }
  }

  isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  turnTheme() {
    this.setTheme(this.isDark() ? "light" : "dark");
  }

  setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    this.nameTheme();
  }

  nameTheme() {
    this.theme.textContent = this.isDark() ? "Light" : "Dark";
    this.theme.setAttribute("aria-label", this.isDark() ? "Use light colours" : "Use dark colours");
  }
}

try {
  new Page(JSON.parse(document.getElementById("content").textContent));
  document.documentElement.dataset.ready = "yes";
} catch (error) {
  document.documentElement.dataset.failed = String(error);
  document.getElementById("page").append(element("p", {}, `This report cannot be shown: ${error}`));
}
