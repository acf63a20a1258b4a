// Where in a trial a check was decided, as far as its own evidence says so.

const bareName = (name) => name.split("[", 1)[0];
const QUOTED = /'((?:[^'\\]|\\.){2,200})'|"((?:[^"\\]|\\.){2,200})"/g;
const OF_ARGUMENT = /^([^\s:]+): ([^\s:]+): wanted /;

const kindOf = (check) => (check.passed === true ? "passed" : check.passed === false ? "failed" : "error");
const wordOf = (check) => (check.passed === true ? "passed" : check.passed === false ? "failed" : "cannot tell");

const callsOf = (trajectory) =>
  (trajectory.steps || []).flatMap((step, at) => (step.calls || []).map((call, nth) => ({ call, step: at, nth })));

/** Sort the checks of a trial by the place that decided them: steps, the answer, the state, the end. */
const evidenceOf = (trial) => {
  const trajectory = trial.trajectory || {};
  const calls = callsOf(trajectory);
  const found = { steps: new Map(), arguments: new Map(), phrases: new Set(), state: [], places: new Map() };
  const put = (check, step, nth, words, fine = false) => {
    if (step === undefined || !(trajectory.steps || [])[step]) return;
    const list = found.steps.get(step) || [];
    if (!list.some((one) => one.check === check && one.nth === nth)) list.push({ check, nth, words, fine });
    found.steps.set(step, list);
    const places = found.places.get(check) || [];
    if (!places.includes(step) && (!fine || check.passed)) places.push(step);
    if (places.length) found.places.set(check, places);
  };
  for (const check of trial.checks || []) {
    const grader = check.name.split(".", 1)[0];
    const reason = check.reason || "";
    (check.alignment || []).forEach((pairing, at) => {
      const one = pairing.call === null ? undefined : calls[pairing.call];
      if (one) put(check, one.step, one.nth, `${at + 1} of ${check.alignment.length} as planned`, true);
    });
    for (const step of check.steps || []) put(check, step);
    const argument = reason.match(OF_ARGUMENT);
    for (const at of check.calls || []) {
      if (!calls[at]) continue;
      const { call, step, nth } = calls[at];
      const close = argument && call.name === argument[1];
      put(check, step, nth, check.alignment ? "not as planned" : close ? "closest call" : undefined);
      if (close) found.arguments.set(call, [...(found.arguments.get(call) || []), argument[2].split(/[.[]/, 1)[0]]);
    }
    if (grader === "answer") {
      for (const [, single, double] of reason.matchAll(QUOTED)) found.phrases.add((single ?? double).replace(/\\(.)/g, "$1"));
    }
    if (check.passed === false && (grader === "state" || bareName(check.name) === "unchanged")) found.state.push(reason);
  }
  return found;
};

/** Give a text in parts, with the phrases in it marked. */
const marked = (phrases) => (text) => {
  const wanted = [...phrases].filter((phrase) => phrase.trim().length > 1).slice(0, 40);
  if (!wanted.length) return [text];
  const pattern = wanted.map((phrase) => phrase.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+")).join("|");
  const parts = [];
  let last = 0;
  for (const match of text.matchAll(new RegExp(pattern, "giu"))) {
    parts.push(text.slice(last, match.index), el("mark", null, match[0]));
    last = match.index + match[0].length;
  }
  return [...parts, text.slice(last)];
};

/** The checks of a trial as a list, those that stand in the way of a pass first. */
const checksList = (trial, found, goTo) => {
  const rank = (check) => (check.decides ? (check.passed === false ? 0 : check.passed === null ? 1 : 3) : check.passed === false ? 2 : 4);
  const sorted = [...(trial.checks || [])].map((check, at) => ({ check, at }))
    .sort((a, b) => rank(a.check) - rank(b.check) || a.at - b.at).map(({ check }) => check);
  const item = (check) => {
    const places = [...(found.places.get(check) || [])].sort((a, b) => a - b);
    return el("li", { class: `check-row ${kindOf(check)}${check.decides ? "" : " informing"}` },
      el("div", { class: "check-head" }, mark(kindOf(check)), el("span", { class: "check-name" }, bdi(check.name)),
        el("span", { class: "check-word" }, wordOf(check)), check.decides ? null : el("span", { class: "tag" }, "informs")),
      el("div", { class: "check-reason" }, longText(check.reason || "no reason was given", { most: 600, lines: 12 })),
      places.length ? el("div", { class: "check-places" }, "seen in ", places.slice(0, 12).map((step, at) => [at ? ", " : "",
        el("button", { type: "button", class: "pick", onclick: () => goTo(step) }, `step ${step + 1}`)]),
        places.length > 12 ? ` and ${places.length - 12} more` : "") : null,
      check.detail ? el("details", null, el("summary", null, "Traceback of the grader"), valueBlock(check.detail)) : null);
  };
  const open = sorted.filter((check) => rank(check) < 3);
  const rest = sorted.filter((check) => rank(check) >= 3);
  if (!sorted.length) return el("p", { class: "aside" }, "No check was evaluated: the trial could not be measured.");
  return [
    open.length ? el("ul", { class: "checks" }, open.map(item)) : null,
    rest.length ? el("details", { class: "rest opens-in-print", ...(open.length ? {} : { open: true }) },
      el("summary", null, `${counted(rest.length, "check")} ${open.length ? "more, all" : "all"} as wanted`),
      el("ul", { class: "checks" }, rest.map(item))) : null,
  ];
};
