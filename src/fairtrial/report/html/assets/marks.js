// Marks that read without colour: a round tick, a square cross, an open question, a half.

const SHAPES = {
  passed: () => [
    draw("circle", { cx: 7, cy: 7, r: 6.5, class: "fill passed" }),
    draw("path", { d: "M3.8 7.3 6.1 9.6 10.3 4.9", class: "line" })],
  failed: () => [
    draw("rect", { x: 0.5, y: 0.5, width: 13, height: 13, rx: 2, class: "fill failed" }),
    draw("path", { d: "M4.2 4.2 9.8 9.8M9.8 4.2 4.2 9.8", class: "line" })],
  error: () => [
    draw("path", { d: "M7 .8 13.2 7 7 13.2.8 7Z", class: "open error" }),
    draw("path", { d: "M7 4.2V7.6M7 9.4V9.9", class: "stroke error" })],
  flaky: () => [
    draw("path", { d: "M7 .6 13.4 12.9H.6Z", class: "fill flaky" }),
    draw("path", { d: "M7 4.6V8.6M7 10.4V10.9", class: "line" })],
  note: () => [
    draw("circle", { cx: 7, cy: 7, r: 6, class: "open note" }),
    draw("path", { d: "M7 6.2V10M7 4V4.5", class: "stroke note" })],
};

/** Draw one mark. Beside a word that says the same it needs no name of its own. */
const mark = (kind, name) =>
  draw("svg", { viewBox: "0 0 14 14", class: `mark ${kind}`, width: 14, height: 14,
    ...(name ? { role: "img", "aria-label": name } : { "aria-hidden": "true" }) },
  SHAPES[kind]());

const WORDS = { passed: "passed", failed: "failed", flaky: "flaky", error: "not measured" };

/** A word with its mark. */
const badge = (kind, word = WORDS[kind]) =>
  el("span", { class: `badge ${kind}` }, mark(kind), word);

const MOST_MARKS = 12; // in a cell of the table they would shrink beyond reading
const BAR = { own: 96, further: 60 };

const spoken = (trials) => {
  const told = ["passed", "failed", "error"]
    .map((verdict) => [trials.filter((trial) => trial.verdict === verdict).length, verdict])
    .filter(([number]) => number)
    .map(([number, verdict]) => `${count(number)} ${verdict === "error" ? "not measured" : verdict}`);
  return told.join(", ") || "no trial";
};

/** The trials of a case in a row; many of them as a bar. Further ones stand apart. */
const strip = (one) => {
  const name = `${counted(one.trials.length, "trial")}: ${spoken(one.trials)}` +
    (one.further.length ? `; ${count(one.further.length)} further: ${spoken(one.further)}` : "");
  const parts = [];
  const many = one.trials.length + one.further.length > MOST_MARKS;
  let x = 0;
  const add = (trials, further) => {
    if (trials.length > MOST_MARKS || (many && further)) {
      const width = further ? BAR.further : BAR.own;
      for (const verdict of ["passed", "failed", "error"]) {
        const share = trials.filter((trial) => trial.verdict === verdict).length / trials.length;
        if (!share) continue;
        parts.push(draw("rect", { x, y: 2, width: width * share, height: 10, class: `fill ${verdict}${further ? " further" : ""}` }));
        x += width * share;
      }
      return;
    }
    for (const trial of trials) {
      parts.push(draw("g", { transform: `translate(${x} 0)`, class: further ? "further" : null },
        SHAPES[trial.verdict]()));
      x += 17;
    }
  };
  add(one.trials, false);
  if (one.further.length) {
    parts.push(draw("path", { d: `M${x + 3} 1V13`, class: "rule" }));
    x += 9;
    add(one.further, true);
  }
  return draw("svg", { viewBox: `0 0 ${Math.max(x, 1)} 14`, width: Math.max(x, 1), height: 14,
    class: "strip", role: "img", "aria-label": name }, draw("title", null, name), parts);
};

const CHANGES = {
  worse: ["▼", "worse"], better: ["▲", "better"], new: ["+", "new"],
  changed: ["≠", "asks other things"], unmeasured: ["?", "measured on one side"],
  checks: ["~", "other checks"],
};

/** How a case changed, in a sign and a word. */
const changeMark = (change, before) => {
  if (!change) return el("span", { class: "same" }, "–");
  const [sign, word] = CHANGES[change];
  const was = before && before[1] ? ` (was ${before[0]} of ${before[1]})` : "";
  return el("span", { class: `change ${change}` },
    el("span", { "aria-hidden": "true" }, sign), ` ${word}`, el("span", { class: "was" }, was));
};
