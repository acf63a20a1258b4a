// The cases: filtered, sorted, and drawn a page at a time.

const PAGE = 50;
const RANK = { error: 0, failed: 1, flaky: 2, passed: 3 };

const worstFirst = (a, b) =>
  RANK[a.status] - RANK[b.status]
  || Number(b.protected) - Number(a.protected)
  || Number(b.change === "worse") - Number(a.change === "worse")
  || (a.rate ?? -1) - (b.rate ?? -1)
  || a.index - b.index;

const unknownLast = (field) => (a, b) =>
  (known(a[field]) ? 0 : 1) - (known(b[field]) ? 0 : 1) || (a[field] ?? 0) - (b[field] ?? 0);

const CHANGE_RANK = ["worse", "unmeasured", "changed", "checks", "new", "better", null];
const COLUMNS = [
  { id: "case", name: "Case", order: (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0) },
  { id: "status", name: "Status", order: (a, b) => worstFirst(a, b) },
  { id: "trials", name: "Trials" },
  { id: "passed", name: "Passed", order: unknownLast("rate"), number: true },
  { id: "change", name: "Change", order: (a, b) => CHANGE_RANK.indexOf(a.change) - CHANGE_RANK.indexOf(b.change) },
  { id: "steps", name: "Steps", order: unknownLast("steps"), number: true },
  { id: "tokens", name: "Tokens", order: unknownLast("tokens"), number: true },
  { id: "cost", name: "Cost", order: unknownLast("cost"), number: true },
];

const haystack = (one) =>
  [one.id, one.place, one.about, one.asks, ...(one.why || []), ...one.tags].join("\n").toLowerCase();

const casesTable = () => {
  const state = { text: "", status: "", tag: "", change: "", only: false, sort: "status", down: false, shown: PAGE };
  const hay = new Map();
  const rows = new Map();
  const compared = DATA.compare ? "other run" : DATA.gate?.baseline ? "baseline" : null;

  const rowOf = (one) => {
    if (rows.has(one)) return rows.get(one);
    const row = el("tr", { class: one.status, "data-case": one.index, onclick: (event) => {
      if (!event.target.closest("a, button") && !String(getSelection())) location.hash = caseHash(one.id);
    } },
    el("th", { scope: "row" },
      el("a", { href: caseHash(one.id), class: "open" }, bdi(one.id)),
      one.protected ? el("span", { class: "tag protected" }, "protected") : null,
      one.informs ? el("span", { class: "tag" }, "informs, never gates") : null,
      one.tags.length ? el("span", { class: "tags" }, one.tags.slice(0, 6).map((tag) => el("span", { class: "tag" }, bdi(tag))),
        one.tags.length > 6 ? el("span", { class: "aside" }, ` and ${one.tags.length - 6} more`) : null) : null,
      one.why ? el("div", { class: "why" }, el("b", null, bdi(one.why[0])), ": ", bdi(one.why[1])) : null),
    el("td", { class: "c-status" }, badge(one.status)),
    el("td", { class: "c-trials" }, strip(one)),
    el("td", { class: "c-passed num" }, one.measured ? `${one.passed} of ${one.measured}` : "–",
      one.measured < one.planned ? el("span", { class: "aside" }, ` (${one.planned} planned)`) : null),
    el("td", { class: "c-change" }, changeMark(one.change, one.before)),
    el("td", { class: "c-steps num" }, amount(one.steps)),
    el("td", { class: "c-tokens num" }, (one.estimated && known(one.tokens) ? "~" : "") + amount(one.tokens)),
    el("td", { class: "c-cost num" }, money(one.cost)));
    rows.set(one, row);
    return row;
  };

  const fits = (one) => {
    if (state.status && (state.status === "bad" ? one.status === "passed" : one.status !== state.status)) return false;
    if (state.tag && !one.tags.includes(state.tag)) return false;
    if (state.change && (state.change === "any" ? !one.change : one.change !== state.change)) return false;
    if (state.only && !one.protected) return false;
    if (!state.text) return true;
    if (!hay.has(one)) hay.set(one, haystack(one));
    return state.text.split(/\s+/).every((word) => hay.get(one).includes(word));
  };

  const body = el("tbody");
  const status = el("p", { role: "status", "aria-live": "polite", class: "filter-count" });
  const more = el("div", { class: "table-more" });
  let found = [];

  const refresh = () => {
    const column = COLUMNS.find((one) => one.id === state.sort);
    found = CASES.filter(fits).sort((a, b) => column.order(a, b) || a.index - b.index);
    if (state.down) {
      found = column.number // what is not known stays last
        ? [...found.filter((one) => known(one[column.id === "passed" ? "rate" : column.id])).reverse(),
          ...found.filter((one) => !known(one[column.id === "passed" ? "rate" : column.id]))]
        : found.reverse();
    }
    const shown = found.slice(0, state.shown);
    body.replaceChildren(...shown.map(rowOf));
    if (!found.length) {
      body.append(el("tr", null, el("td", { colspan: COLUMNS.length, class: "empty" }, CASES.length ? "No case fits the filter." : "The run holds no case.")));
    }
    status.textContent = found.length === CASES.length
      ? counted(CASES.length, "case") : `${count(found.length)} of ${counted(CASES.length, "case")}`;
    const left = found.length - shown.length;
    more.replaceChildren(...(left > 0 ? [
      el("span", { class: "aside" }, `${count(shown.length)} of ${count(found.length)} are shown. `),
      el("button", { type: "button", onclick: () => grow(PAGE) }, `Show ${Math.min(PAGE, left)} more`),
      left > PAGE ? el("button", { type: "button", onclick: () => grow(Infinity) }, `Show all ${count(found.length)}`) : ""] : []));
    for (const button of head.querySelectorAll("th")) {
      const on = button.dataset.column === state.sort;
      if (button.dataset.column) button.setAttribute("aria-sort", on ? (state.down ? "descending" : "ascending") : "none");
    }
    clear.hidden = !(state.text || state.status || state.tag || state.change || state.only);
  };

  const grow = (by) => {
    const at = Math.min(state.shown, found.length - 1);
    state.shown = Math.min(state.shown + by, Math.max(found.length, PAGE));
    refresh();
    body.rows[at]?.querySelector("a")?.focus();
  };

  const change = (name) => (event) => {
    state[name] = event.target.type === "checkbox" ? event.target.checked
      : name === "text" ? event.target.value.trim().toLowerCase() : event.target.value;
    state.shown = PAGE;
    refresh();
  };

  const sortBy = (column) => () => {
    state.down = state.sort === column.id ? !state.down : false;
    state.sort = column.id;
    refresh();
  };

  const head = el("thead", null, el("tr", null, COLUMNS.map((column) =>
    el("th", { scope: "col", class: `c-${column.id}${column.number ? " num" : ""}`, "data-column": column.order ? column.id : null },
      column.order
        ? el("button", { type: "button", class: "sort", onclick: sortBy(column) }, column.name, el("span", { class: "arrow", "aria-hidden": "true" }))
        : column.name))));

  const select = (id, label, options) =>
    el("label", { class: "field" }, el("span", null, label),
      el("select", { id, onchange: change(id.replace("filter-", "")) },
        options.map(([value, word]) => el("option", { value }, word))));

  const text = el("input", { id: "filter-text", type: "search", autocomplete: "off", spellcheck: "false", "aria-keyshortcuts": "/",
    placeholder: "id, tag, reason…", oninput: change("text") });
  const only = el("input", { id: "filter-only", type: "checkbox", onchange: change("only") });
  const clear = el("button", { type: "button", class: "clear", onclick: () => { reset(); text.focus(); } }, "Clear the filter");
  const statuses = ["passed", "failed", "flaky", "error"].filter((one) => DATA.card.statuses[one]);
  const changes = [...new Set(CASES.map((one) => one.change).filter(Boolean))];
  const bar = el("div", { class: "filters", role: "search", "aria-label": "Filter the cases" },
    el("label", { class: "field grow" }, el("span", null, "Filter ", el("kbd", { "aria-hidden": "true" }, "/")), text),
    select("filter-status", "Status", [["", "any"], ["bad", "all but passed"], ...statuses.map((one) => [one, WORDS[one]])]),
    select("filter-tag", "Tag", [["", "any"], ...DATA.tags.map((tag) => [tag, tag])]),
    compared ? select("filter-change", `Changed from the ${compared}`, [["", "whatever"], ["any", "changed"], ...changes.map((one) => [one, CHANGES[one][1]])]) : null,
    el("label", { class: "check" }, only, " protected only"), clear);

  const reset = () => {
    Object.assign(state, { text: "", status: "", tag: "", change: "", only: false, shown: PAGE });
    text.value = "";
    only.checked = false;
    for (const one of bar.querySelectorAll("select")) one.value = "";
    refresh();
  };

  const node = section("cases", "Cases", bar, status,
    el("table", { class: `cases${compared ? "" : " nothing-beside"}` },
      el("caption", { class: "hidden" }, "Cases of the run. Headings with a button sort."), head, body), more);
  refresh();
  return {
    node,
    pickTag: (tag) => {
      reset();
      const field = byId("filter-tag");
      field.value = tag;
      state.tag = tag;
      refresh();
      field.focus();
      node.scrollIntoView();
    },
    /** The cases as they are listed now, for the way from one to the next. */
    listed: () => found,
    links: () => [...body.querySelectorAll("a.open")],
    clear: reset,
    showForPrint: () => { state.shown = 1000; refresh(); },
  };
};
