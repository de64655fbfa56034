// The values of all variables at a moment, with what the last step changed.

/** With more variables than this, the page begins with those that ever change. */
const MANY = 40;

class Values {
  constructor(story) {
    this.story = story;
    this.changing = this.everChanging();
    this.moment = 0;
    this.values = new Map();
    this.before = new Map();
    this.filter = element("input", { type: "search", placeholder: "Filter", "aria-label": "Filter variables by name" });
    this.filter.addEventListener("input", () => this.draw());
    this.only = element("input", { type: "checkbox", id: "only-changing" });
    this.only.checked = story.variables.length > MANY;
    this.only.addEventListener("change", () => this.draw());
    const bar = element("div", { class: "bar" },
      element("label", { for: "only-changing" }, this.only, " Only what changes in this run"), this.filter);
    this.scroll = element("div", { class: "scroll", tabindex: "0", "aria-label": "Values" });
    this.node = panel("values", "Values", bar, this.scroll);
  }

  everChanging() {
    const changing = new Set();
    for (const step of this.story.steps) for (const [variable] of step.changes) changing.add(variable);
    return changing;
  }

  /** Goes to a moment: forwards from where it is, or from the start. */
  show(moment) {
    if (this.values.size === 0 || moment <= this.moment) {
      this.values = new Map(this.story.start.changes);
      this.before = new Map();
      this.moment = 0;
    }
    while (this.moment < moment) {
      this.moment += 1;
      this.before = new Map();
      for (const [variable, value] of this.story.steps[this.moment - 1].changes) {
        this.before.set(variable, this.values.has(variable) ? this.values.get(variable) : null);
        this.values.set(variable, value);
      }
    }
    this.draw();
  }

  isShown(variable) {
    const wanted = this.filter.value.trim().toLowerCase();
    const { name, group } = this.story.variables[variable];
    if (wanted && !`${this.story.groups[group]} ${name}`.toLowerCase().includes(wanted)) return false;
    return !this.only.checked || this.changing.has(variable);
  }

  draw() {
    const rows = this.story.groups.map(() => []);
    this.story.variables.forEach((variable, idx) => {
      const isChanged = this.before.has(idx);
      const value = this.values.get(idx);
      const isThere = value !== undefined && value !== null;
      if ((isThere || isChanged) && this.isShown(idx)) rows[variable.group].push(this.row(idx, isThere, isChanged));
    });
    const groups = [];
    this.story.groups.forEach((title, group) => {
      if (rows[group].length === 0) return;
      const lane = this.story.groups.length > 1 && group > 0 ? laneClass(group - 1) : "lane-none";
      groups.push(element("table", { class: `values ${lane}` },
        element("caption", {}, title), element("tbody", {}, rows[group])));
    });
    if (groups.length === 0) groups.push(element("p", { class: "remark" }, "No variable to show."));
    this.scroll.replaceChildren(...groups);
  }

  row(idx, isThere, isChanged) {
    const value = isThere ? this.values.get(idx) : "gone";
    const before = this.before.get(idx);
    const was = before === null ? "new" : `was ${before}`;
    return element("tr", { class: isChanged ? "changed" : null },
      element("th", { scope: "row" }, isChanged ? element("span", { class: "flag", "aria-hidden": "true" }, "●") : null,
        this.story.variables[idx].name),
      element("td", { class: isThere && value !== "undefined" ? null : "faint" }, value),
      element("td", { class: "was" }, isChanged ? [spoken("changed, "), was] : null));
  }
}
