// Small charts drawn as SVG: each has a name that says what it shows.

const share = (value) => `${(Math.min(Math.max(value, 0), 1) * 100).toFixed(2)}%`;

/** One rate as a bar from 0 to 1 with its interval, and a mark where another one stands. */
const rateBar = (rate, low, high, { name, other = null, height = 16 } = {}) => {
  const middle = height / 2;
  const parts = [draw("rect", { x: 0, y: middle - 4, width: "100%", height: 8, rx: 2, class: "rail" })];
  if (known(rate)) {
    parts.push(draw("rect", { x: 0, y: middle - 4, width: share(rate), height: 8, rx: 2, class: "value" }));
  }
  if (known(low)) {
    parts.push(
      draw("line", { x1: share(low), x2: share(high), y1: middle, y2: middle, class: "whisker" }),
      draw("line", { x1: share(low), x2: share(low), y1: middle - 5, y2: middle + 5, class: "whisker" }),
      draw("line", { x1: share(high), x2: share(high), y1: middle - 5, y2: middle + 5, class: "whisker" }));
  }
  if (known(other)) {
    parts.push(draw("line", { x1: share(other), x2: share(other), y1: 0, y2: height, class: "other" }));
  }
  return draw("svg", { class: "bar", width: "100%", height, role: "img", "aria-label": name }, parts);
};

const MOST_BARS = 12;

/** Rates as rows, worst first; those at 100 % share a line where there are many. */
const rateRows = (rates, { noun, onpick }) => {
  const sorted = [...rates].sort((a, b) => (a.rate ?? -1) - (b.rate ?? -1));
  const full = sorted.filter((one) => one.rate === 1);
  const below = sorted.filter((one) => one.rate !== 1);
  const rows = below.concat(full.length + below.length <= MOST_BARS ? full : []);
  const line = (one) => {
    const told = known(one.rate)
      ? `${percent(one.rate)} ${bounds([one.low, one.high])}` : "could never be told";
    const name = onpick
      ? el("button", { type: "button", class: "pick", onclick: () => onpick(one.name), title: `Show the cases of ${noun} ${one.name}` }, bdi(one.name))
      : bdi(one.name);
    return el("li", null,
      el("span", { class: "name" }, name, one.informs ? el("span", { class: "aside" }, " informs") : null),
      rateBar(one.rate ?? null, one.low, one.high, { name: `${noun} ${one.name}: ${told}` }),
      el("span", { class: "figures" }, told,
        el("span", { class: "aside" }, ` ${count(one.passed)} of ${count(one.told)}`)));
  };
  const list = el("ul", { class: "rates" }, rows.slice(0, MOST_BARS).map(line));
  const rest = rows.slice(MOST_BARS);
  const parts = [list];
  if (rest.length) {
    parts.push(el("details", null, el("summary", null, `${counted(rest.length, "more", "more")} below 100 %`),
      el("ul", { class: "rates" }, rest.map(line))));
  }
  if (full.length && full.length + below.length > MOST_BARS) {
    parts.push(el("details", null, el("summary", null, `${counted(full.length, noun)} at 100 %`),
      el("ul", { class: "rates" }, full.map(line))));
  }
  return parts;
};

const axisTop = (value) => {
  if (!(value > 0)) return 1;
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * size).find((step) => step >= value * 1.0001) ?? 10 * size;
};

/** Each case as a mark: what it costs a trial to the right, how often it passes upwards. */
const scatter = (cases, { field, label, write, onpick }) => {
  const shown = cases.filter((one) => known(one[field]) && known(one.rate));
  if (shown.length < 2) return null;
  const [width, height, left, bottom] = [520, 220, 44, 40];
  const top = axisTop(Math.max(...shown.map((one) => one[field])));
  const x = (value) => left + 8 + (value / top) * (width - left - 44);
  const y = (rate) => 14 + (1 - rate) * (height - bottom - 22);
  const parts = [0, 0.5, 1].flatMap((rate) => [
    draw("line", { x1: left, x2: width - 8, y1: y(rate), y2: y(rate), class: "grid" }),
    draw("text", { x: left - 6, y: y(rate) + 4, class: "tick end" }, `${rate * 100} %`)]);
  for (const part of [0, 0.5, 1]) {
    parts.push(draw("text", { x: x(top * part), y: height - bottom + 16, class: "tick middle" }, write(top * part)));
  }
  parts.push(draw("text", { x: (width + left) / 2, y: height - 6, class: "tick middle" }, label));
  const stacked = new Map();
  for (const one of shown) {
    const place = `${Math.round(x(one[field]) / 6)} ${Math.round(y(one.rate) / 6)}`;
    const before = stacked.get(place) || 0;
    stacked.set(place, before + 1);
    if (before >= 6) continue; // as dark as it gets
    const size = 10;
    parts.push(draw("g", {
      transform: `translate(${(x(one[field]) - size / 2).toFixed(1)} ${(y(one.rate) - size / 2).toFixed(1)}) scale(${size / 14})`,
      class: "point", onclick: () => onpick(one.id),
    }, draw("title", null, `${one.id}: ${percent(one.rate)}, ${write(one[field])}`), SHAPES[one.status]()));
  }
  const costly = [...shown].sort((a, b) => b[field] - a[field])[0];
  const name = `${label} against pass rate, ${counted(shown.length, "case")}; ` +
    `the highest is ${costly.id} with ${write(costly[field])}`;
  return el("figure", null,
    draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": name }, parts));
};

/** How many trials took how many steps, the failed ones apart. */
const stepsChart = (cases) => {
  const bins = new Map();
  for (const one of cases) {
    for (const trial of one.trials) {
      if (!known(trial.steps) || trial.verdict === "error") continue;
      const bin = bins.get(trial.steps) || { passed: 0, failed: 0 };
      bin[trial.verdict] += 1;
      bins.set(trial.steps, bin);
    }
  }
  if (!bins.size) return null;
  const [low, high] = [Math.min(...bins.keys()), Math.max(...bins.keys())];
  const wide = Math.max(1, Math.ceil((high - low + 1) / 16));
  const groups = [];
  for (let start = low; start <= high; start += wide) {
    const sum = { passed: 0, failed: 0 };
    for (const [steps, bin] of bins) {
      if (steps >= start && steps < start + wide) { sum.passed += bin.passed; sum.failed += bin.failed; }
    }
    groups.push({ ...sum, label: wide === 1 ? `${start}` : `${start}–${Math.min(start + wide - 1, high)}` });
  }
  const [width, height, bottom] = [520, 220, 40];
  const most = Math.max(...groups.map((group) => group.passed + group.failed));
  const room = Math.min((width - 16) / groups.length, 90);
  const start = (width - room * groups.length) / 2;
  const tall = (value) => (value / most) * (height - bottom - 24);
  const floor = height - bottom;
  const parts = [
    draw("pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      draw("rect", { width: 2, height: 6, class: "hatching" })),
    draw("line", { x1: 8, x2: width - 8, y1: floor, y2: floor, class: "grid" })];
  groups.forEach((group, at) => {
    const x = start + at * room + room * 0.15;
    const total = group.passed + group.failed;
    if (!total) return;
    parts.push(
      draw("rect", { x, width: room * 0.7, y: floor - tall(group.passed), height: tall(group.passed), class: "fill passed" }),
      draw("rect", { x, width: room * 0.7, y: floor - tall(total), height: tall(group.failed), class: "fill failed" }),
      draw("rect", { x, width: room * 0.7, y: floor - tall(total), height: tall(group.failed), fill: "url(#hatch)" }),
      draw("text", { x: x + room * 0.35, y: floor - tall(total) - 5, class: "tick middle" }, count(total)),
      draw("text", { x: x + room * 0.35, y: floor + 16, class: "tick middle" }, group.label));
  });
  parts.push(draw("text", { x: width / 2, y: height - 6, class: "tick middle" }, "steps of a measured trial"));
  const name = `Trials by steps: ${groups.filter((group) => group.passed + group.failed)
    .map((group) => `${group.label}: ${group.passed} passed, ${group.failed} failed`).join("; ")}`;
  return el("figure", null,
    draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": name }, parts),
    el("figcaption", null, mark("passed"), " passed ", mark("failed"), " failed, hatched, on top"));
};

/** The charts of a run. */
const chartsOf = (pickTag) => {
  const open = (id) => { location.hash = caseHash(id); };
  const costly = CASES.some((one) => known(one.cost) && one.cost > 0)
    ? { field: "cost", label: `cost of a trial, ${DATA.card.currency}`, write: money }
    : CASES.some((one) => known(one.tokens))
      ? { field: "tokens", label: "tokens of a trial (no cost is known)", write: amount }
      : null;
  const costs = costly && scatter(CASES, { ...costly, onpick: open });
  const steps = stepsChart(CASES);
  const box = (id, title, ...content) =>
    el("section", { class: "chart-box", "aria-labelledby": id }, el("h3", { id }, title), content);
  return section("charts", "Rates and costs",
    el("div", { class: "chart-grid" },
      box("by-tag", "By tag", DATA.tagRates.length
        ? rateRows(DATA.tagRates, { noun: "tag", onpick: pickTag })
        : el("p", { class: "aside" }, "No case has a tag.")),
      box("by-check", "By check", DATA.checkRates.length
        ? rateRows(DATA.checkRates, { noun: "check" })
        : el("p", { class: "aside" }, "No check was told.")),
      box("by-cost", costly ? (costly.field === "cost" ? "Cost against pass rate" : "Tokens against pass rate") : "Cost against pass rate",
        costs || el("p", { class: "aside" }, "No cost and no token count is known for two cases or more.")),
      box("by-steps", "Steps", steps || el("p", { class: "aside" }, "The steps of no trial are known."))),
    el("p", { class: "aside" }, "Bars are means over cases; the line across each end is its 95 % interval, with cases, not trials, as what is counted."));
};
