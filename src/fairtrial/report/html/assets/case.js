// One case: its trials, and of one of them the transcript, the checks and the state.

const trialWord = (trial) => `Trial ${trial.number}`;

const trialTabs = (one, chosen, choose) => {
  const tab = (trial) =>
    el("button", { type: "button", role: "tab", id: `trial-${trial.number}`, class: `tab ${trial.verdict}`, "aria-selected": String(trial === chosen),
      "aria-controls": "trial", tabindex: trial === chosen ? 0 : -1, onclick: () => choose(trial) },
    mark(trial.verdict), el("span", null, trialWord(trial)), el("span", { class: "hidden" }, ` ${WORDS[trial.verdict]}`));
  const all = [...one.trials, ...one.further];
  const group = el("div", { class: "tabs", role: "tablist", "aria-label": "Trials", onkeydown: (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const next = all[(all.indexOf(chosen) + way + all.length) % all.length];
    choose(next, true);
  } }, one.trials.map(tab),
  one.further.length ? [el("span", { class: "further-label", role: "presentation" }, "further, in no rate:"), one.further.map(tab)] : null);
  return group;
};

const factsOf = (trial, record) => {
  const facts = [
    ["stopped by", record?.stop], ["steps", known(trial.steps) ? amount(trial.steps) : "unknown"],
    ["tokens", known(trial.tokens) ? `${trial.estimated ? "~" : ""}${amount(trial.tokens)}` : "unknown"],
    ["cost", known(trial.cost) ? `${money(trial.cost)} ${DATA.card.currency}` : "unknown"],
    ["time", known(trial.seconds) ? duration(trial.seconds) : "unknown"],
    ["model", record?.model], ["tool errors", record?.tool_errors || null], ["record", FULL_RECORD(trial)],
  ];
  return el("dl", { class: "facts" }, facts.filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => el("div", null, el("dt", null, name), el("dd", null, bdi(value)))));
};

const spansView = (spans) =>
  spans && spans.length ? el("details", null, el("summary", null, counted(spans.length, "span")),
    el("ul", { class: "spans" }, spans.slice(0, 100).map((span) => el("li", null, el("b", null, bdi(span.name)), ` ${span.kind || ""} `,
      el("span", { class: "meters" }, metersOf(null, span.seconds)),
      span.attributes && Object.keys(span.attributes).length ? valueBlock(span.attributes) : null))),
    spans.length > 100 ? el("p", { class: "cut" }, `Cut here: ${count(spans.length - 100)} more spans.`) : null) : null;

const noTranscript = (one, trial) =>
  el("p", { class: "cut" }, DATA.packs.run.length || DATA.packs.extra.length
    ? `The transcript of this trial is left out to keep the page small: it is ${FULL_RECORD(trial)}.`
    : "There are no transcripts on this page: the run's folder was not there when it was made. Checks and figures of the run as a whole are on the first page.",
  one.why ? el("span", { class: "why" }, " ", el("b", null, bdi(one.why[0])), ": ", bdi(one.why[1])) : null);

/** Unpack a trial and draw it. */
const trialView = async (one, trial) => {
  let record;
  try {
    record = await lineOf(trial.pack, trial.line);
  } catch (error) {
    return el("p", { class: "cut" }, `This trial cannot be unpacked in this browser (${error}): it is ${FULL_RECORD(trial)}.`);
  }
  if (!record) return el("div", null, factsOf(trial), noTranscript(one, trial));
  record.place = trial;
  const found = evidenceOf(record);
  const goTo = (step) => focusStep(steps, step);
  const told = record.trajectory;
  const steps = told ? conversation(one, record, found)
    : el("p", { class: "aside" }, "This trial was saved without a trajectory.");
  const start = told ? await startOf(told).catch(() => undefined) : undefined;
  const hasState = told && (told.state !== undefined && told.state !== null || start !== undefined);
  return el("div", null,
    factsOf(trial, record),
    record.error ? el("div", { class: "trial-error" }, mark(record.verdict === "error" ? "error" : "failed"),
      el("b", null, record.verdict === "error" ? " not measured: " : " agent error: "), longText(record.error)) : null,
    record.note ? el("p", { class: "aside" }, bdi(record.note)) : null,
    record.cut_for_page ? el("p", { class: "cut" }, `This trial is long: texts over 4,000 characters and lists over 300 items are cut on this page. It is whole in ${FULL_RECORD(trial)}.`) : null,
    el("div", { class: "trial-grid" },
      el("section", { class: "transcript", "aria-labelledby": "transcript-title" }, el("h3", { id: "transcript-title" }, "Transcript"), steps, spansView(told?.spans)),
      el("div", { class: "beside-transcript" }, el("section", { class: "checks-side", "aria-labelledby": "checks-title" }, el("h3", { id: "checks-title" }, "Checks"), checksList(record, found, goTo)),
      hasState ? el("section", { class: "state-side", "aria-labelledby": "state-title" }, el("h3", { id: "state-title" }, "State"), stateView(start, told.state, found.state)) : null)));
};

const focusStep = (root, step) => {
  const node = root.querySelector(`[data-step="${step}"]`);
  if (!node) return;
  node.focus({ preventScroll: true });
  node.scrollIntoView({ block: "nearest", behavior: "auto" });
};

/** The view of a case. */
const caseView = (one, number, around) => {
  const all = [...one.trials, ...one.further];
  const bad = one.trials.find((trial) => trial.verdict === "failed") || one.trials.find((trial) => trial.verdict !== "passed");
  let chosen = all.find((trial) => trial.number === number) || bad || all[0];
  const panel = el("div", { id: "trial", role: "tabpanel", tabindex: -1 });
  const tabs = el("div");
  const show = async (focus) => {
    tabs.replaceChildren(trialTabs(one, chosen, choose));
    if (focus) tabs.querySelector('[aria-selected="true"]').focus();
    panel.setAttribute("aria-labelledby", `trial-${chosen.number}`);
    const wanted = chosen;
    const drawn = await trialView(one, chosen);
    if (wanted === chosen) panel.replaceChildren(drawn); // else another one was chosen meanwhile
  };
  const choose = (trial, focus) => {
    chosen = trial;
    history.replaceState(null, "", caseHash(one.id, trial.number));
    return show(focus);
  };
  const { previous, next } = around(one);
  const node = el("article", { class: "case-view", "aria-labelledby": "case-title" },
    el("nav", { class: "crumbs", "aria-label": "Cases" },
      el("a", { href: "#", class: "back" }, "← All cases", el("kbd", { "aria-hidden": "true" }, "Esc")),
      previous ? el("a", { href: caseHash(previous.id), "aria-label": `Previous case: ${previous.id}` }, "Previous", el("kbd", { "aria-hidden": "true" }, "[")) : null,
      next ? el("a", { href: caseHash(next.id), "aria-label": `Next case: ${next.id}` }, "Next", el("kbd", { "aria-hidden": "true" }, "]")) : null),
    el("h2", { id: "case-title", tabindex: -1 }, bdi(one.id)),
    el("p", { class: "case-facts" }, badge(one.status), el("span", null, one.measured ? `${one.passed} of ${counted(one.measured, "measured trial")} passed` : "no measured trial"),
      one.protected ? el("span", { class: "tag protected" }, "protected") : null,
      one.informs ? el("span", { class: "tag" }, "informs, never gates") : null,
      one.tags.map((tag) => el("span", { class: "tag" }, bdi(tag))),
      one.change ? changeMark(one.change, one.before) : null,
      one.place ? el("code", { class: "place" }, one.place) : null),
    one.about ? el("p", { class: "about" }, bdi(one.about)) : null,
    compareView(one),
    all.length ? [tabs, panel] : el("p", { class: "cut" }, "No trial of this case was run."));
  if (all.length) node.ready = show();
  return { node, step: (way) => {
    const steps = [...panel.querySelectorAll("[data-step]")];
    if (!steps.length) return;
    const at = steps.indexOf(document.activeElement?.closest?.("[data-step]"));
    const to = steps[at < 0 ? (way > 0 ? 0 : steps.length - 1) : Math.min(Math.max(at + way, 0), steps.length - 1)];
    to.focus({ preventScroll: true });
    to.scrollIntoView({ block: "nearest" });
  }, trial: (way) => {
    if (all.length > 1) choose(all[(all.indexOf(chosen) + way + all.length) % all.length], true);
  } };
};
