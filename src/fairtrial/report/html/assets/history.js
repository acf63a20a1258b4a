// The history of a suite: how often each case passed, run after run, the newest last.

const rateIn = (pair) => (pair && pair[1] ? pair[0] / pair[1] : null);

const sparkline = (rates, name) => {
  const [wide, tall] = [Math.max(9, Math.min(16, 420 / Math.max(rates.length, 1))), 26];
  const parts = [draw("line", { x1: 0, x2: wide * rates.length, y1: tall - 2.5, y2: tall - 2.5, class: "grid" })];
  let line = "";
  let drawing = false; // a gap lifts the pen
  rates.forEach((pair, at) => {
    const rate = rateIn(pair);
    const x = at * wide + wide / 2;
    if (rate === null) {
      if (pair) parts.push(draw("path", { d: `M${x} ${tall / 2 - 4}l4 4-4 4-4-4Z`, class: "open error" }));
      drawing = false;
      return;
    }
    const y = 4 + (1 - rate) * (tall - 8);
    line += `${drawing ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`;
    drawing = true;
    parts.push(rate === 1 ? draw("circle", { cx: x, cy: y, r: 2.6, class: "fill passed" })
      : rate === 0 ? draw("rect", { x: x - 2.8, y: y - 2.8, width: 5.6, height: 5.6, class: "fill failed" })
        : draw("path", { d: `M${x} ${y - 3.2}l3.4 6h-6.8Z`, class: "fill flaky" }));
  });
  parts.splice(1, 0, draw("path", { d: line, class: "trend" }));
  return draw("svg", { viewBox: `0 0 ${wide * Math.max(rates.length, 1)} ${tall}`, width: wide * Math.max(rates.length, 1), height: tall, class: "spark", role: "img", "aria-label": name }, draw("title", null, name), parts);
};

const moved = (rates) => {
  const told = rates.map(rateIn).filter((rate) => rate !== null);
  return told.length > 1 && Math.max(...told) !== Math.min(...told);
};

const historyView = () => {
  const { runs } = DATA;
  const cases = DATA.cases.map((one, index) => ({ ...one, index, moved: moved(one.r), last: one.r.at(-1) ?? null }));
  const body = el("tbody");
  const status = el("p", { role: "status", "aria-live": "polite", class: "filter-count" });
  const state = { text: "", moved: cases.some((one) => one.moved), shown: PAGE };
  const more = el("div", { class: "table-more" });
  const rank = (one) => (one.last === null ? 3 : rateIn(one.last) === null ? 0 : rateIn(one.last) === 1 ? 2 : 1);
  const spokenTrend = (one) => `${one.i}, oldest first: ${one.r.map((pair) => (pair ? (pair[1] ? `${pair[0]} of ${pair[1]}` : "not measured") : "not run")).join(", ")}`;
  const row = (one) => el("tr", null,
    el("th", { scope: "row" }, bdi(one.i), one.p ? el("span", { class: "tag protected" }, "protected") : null),
    el("td", null, sparkline(one.r, spokenTrend(one))),
    el("td", { class: "num" }, one.last ? (one.last[1] ? `${one.last[0]} of ${one.last[1]}` : "not measured") : "not in it"));
  const refresh = () => {
    const found = cases.filter((one) => (!state.moved || one.moved) && state.text.split(/\s+/).every((word) => one.i.toLowerCase().includes(word)))
      .sort((a, b) => rank(a) - rank(b) || (rateIn(a.last) ?? 2) - (rateIn(b.last) ?? 2) || a.index - b.index);
    body.replaceChildren(...found.slice(0, state.shown).map(row));
    if (!found.length) body.append(el("tr", null, el("td", { colspan: 3, class: "empty" }, "No case fits the filter.")));
    status.textContent = `${count(found.length)} of ${counted(cases.length, "case")}`;
    more.replaceChildren(...(found.length > state.shown ? [el("button", { type: "button", onclick: () => { state.shown = Infinity; refresh(); } }, `Show all ${count(found.length)}`)] : []));
  };
  const text = el("input", { id: "filter-text", type: "search", autocomplete: "off", "aria-keyshortcuts": "/", oninput: (event) => { state.text = event.target.value.trim().toLowerCase(); refresh(); } });
  const box = el("input", { type: "checkbox", ...(state.moved ? { checked: true } : {}), onchange: (event) => { state.moved = event.target.checked; refresh(); } });
  refresh();
  const rates = runs.map((run) => run.pass_rate);
  return [
    section("cases", "Cases",
      el("div", { class: "filters", role: "search", "aria-label": "Filter the cases" },
        el("label", { class: "field grow" }, el("span", null, "Filter ", el("kbd", { "aria-hidden": "true" }, "/")), text),
        el("label", { class: "check" }, box, " only cases whose rate moved")),
      status,
      el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of the cases" }, el("table", { class: "plain trends" }, el("caption", { class: "hidden" }, "Pass rate of each case over the runs"),
        el("thead", null, el("tr", null, el("th", { scope: "col" }, "Case"), el("th", { scope: "col" }, `Pass rate over ${counted(rates.length, "run")}`), el("th", { scope: "col", class: "num" }, "Newest"))), body)), more,
      el("p", { class: "aside" }, mark("passed"), " all trials passed ", mark("flaky"), " some ", mark("failed"), " none ", mark("error"), " not measured; a gap: not in that run")),
    section("runs", "Runs",
      el("p", null, `${counted(runs.length, "run")}, newest last.`, DATA.others ? ` ${counted(DATA.others, "run")} of another suite, variant or mode ${DATA.others === 1 ? "is" : "are"} left out.` : ""),
      DATA.unread.length ? el("ul", { class: "notes" }, DATA.unread.map((said) => el("li", null, bdi(said)))) : null,
      runs.length ? el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of the runs" }, el("table", { class: "plain" },
        el("thead", null, el("tr", null, ["Run", "Pass rate", "", "Gate", "Steps", "Cost", "Commit"].map((name) => (name ? el("th", { scope: "col" }, name) : el("td"))))),
        el("tbody", null, runs.map((run) => el("tr", null,
          el("th", { scope: "row" }, bdi(run.id), run.part ? el("span", { class: "tag" }, "part of the suite") : null),
          el("td", { class: "num" }, `${percent(run.pass_rate)} ${bounds(run.interval)}`),
          el("td", { class: "bar-cell" }, rateBar(run.pass_rate, run.interval?.[0], run.interval?.[1], { name: `${run.id}: ${percent(run.pass_rate)}` })),
          el("td", null, run.decision ? badge(DECISIONS[run.decision][0], run.decision) : "not asked"),
          el("td", { class: "num" }, amount(run.steps)), el("td", { class: "num" }, money(run.cost)),
          el("td", null, run.git ? el("code", null, run.git.slice(0, 10)) : "–")))))) : null),
  ];
};
