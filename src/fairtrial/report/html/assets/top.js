// The top of a page: the decision with its reasons, the figures, and what to know about them.

const DECISIONS = {
  pass: ["passed", "Pass", "The run holds against"],
  fail: ["failed", "Fail", "The run does not hold against"],
  error: ["error", "Error", "Not measured, so there is nothing to decide against"],
  inconclusive: ["flaky", "Inconclusive", "Too few trials to tell it from"],
};
const WITHOUT = {
  pass: "There is no baseline; protected cases and absolute bars hold.",
  fail: "There is no baseline; a protected case or an absolute bar does not hold.",
  error: "There is no baseline to decide with, or too little was measured.",
  inconclusive: "There is no baseline, and too few trials to tell.",
};
const KINDS = { fail: "failed", error: "error", inconclusive: "flaky", warning: "flaky", note: "note" };
const MODES = {
  none: "No model was seen: recordings were graded as they are.",
  scripted: "Scripted: the script decided for the model, so a prompt or model change cannot show here.",
  live: "Live: the agent's own model spoke.",
  replayed: "Replayed: recorded replies stood in for the model, so a model change cannot show here.",
};
const MOST_REASONS = 8;

const caseHash = (id, trial) =>
  `#case=${encodeURIComponent(id)}${trial === undefined ? "" : `&trial=${trial}`}`;

const caseLink = (id, words) =>
  BY_ID.has(id) ? el("a", { href: caseHash(id) }, bdi(words || id)) : bdi(words || id);

const reasonRow = (reason) => {
  const leads = reason.case && reason.text.startsWith(`${reason.case} `);
  const named = reason.case && !reason.text.includes(reason.case.slice(0, 40));
  const text = leads ? [caseLink(reason.case), bdi(reason.text.slice(reason.case.length))] : bdi(reason.text);
  return el("li", { class: `reason ${reason.kind}` },
    badge(KINDS[reason.kind] || "note", reason.kind),
    el("div", { class: "said" },
      named ? [caseLink(reason.case), ": "] : null,
      reason.tag && !reason.text.includes(reason.tag) ? [`tag `, bdi(reason.tag), ": "] : null,
      text,
      el("div", { class: "aside" }, `rule ${reason.rule}`,
        reason.source ? [", ", el("code", null, reason.source)] : null,
        reason.case && !named && !leads && BY_ID.has(reason.case) ? [" · ", el("a", { href: caseHash(reason.case) }, "open the case")] : null)));
};

const decisionCard = () => {
  if (!DATA.gate) {
    return el("section", { id: "decision", class: "card decision none", "aria-labelledby": "decision-title" },
      el("h2", { id: "decision-title" }, mark("note"), " The gate was not asked"),
      el("p", null, "Nothing has decided whether this run may replace what was accepted. ",
        el("code", null, `fairtrial gate ${DATA.run.id}`), " compares it with the baseline; a report made after that shows the decision."));
  }
  const { decision, file, baseline } = DATA.gate;
  const [kind, word, against] = DECISIONS[decision.decision];
  const counts = new Map();
  for (const reason of decision.reasons) counts.set(reason.kind, (counts.get(reason.kind) || 0) + 1);
  const summed = [...counts].map(([name, number]) => counted(number, name === "fail" ? "failure" : name === "inconclusive" ? "inconclusive" : name, name === "inconclusive" ? name : undefined)).join(", ");
  const first = decision.reasons.slice(0, MOST_REASONS);
  const rest = decision.reasons.slice(MOST_REASONS);
  return el("section", { id: "decision", class: `card decision ${kind}`, "aria-labelledby": "decision-title" },
    el("h2", { id: "decision-title" }, mark(kind), ` ${word}`),
    el("p", { class: "lead" }, baseline ? [`${against} `, el("code", null, file), "."] : WITHOUT[decision.decision],
      ` Exit ${decision.exit}.`, summed ? ` ${summed}.` : ""),
    el("ul", { class: "reasons" }, first.map(reasonRow)),
    rest.length ? el("details", { class: "opens-in-print" }, el("summary", null, `${counted(rest.length, "more reason")}`),
      el("ul", { class: "reasons" }, rest.map(reasonRow))) : null,
    decision.spent ? el("p", { class: "aside" }, "Spent on confirming: ",
      Object.entries(decision.spent).map(([name, value]) => `${name} ${typeof value === "number" ? amount(value) : value}`).join(", ")) : null);
};

const tile = (label, value, ...more) =>
  el("div", { class: "tile" }, el("dt", null, label), el("dd", null, el("strong", null, value), more));

const against = (now, before, write) => {
  if (!known(before)) return null;
  const change = known(now) ? ` (${signed(now - before, write)})` : "";
  return el("span", { class: "aside" }, `${DATA.compare ? "before" : "baseline"} ${write(before)}${change}`);
};

const before = () => {
  if (DATA.compare) {
    const told = Object.fromEntries(DATA.compare.numbers.map((number) => [number.name, number.a]));
    return { rate: DATA.compare.rate, low: DATA.compare.interval?.[0], high: DATA.compare.interval?.[1],
      steps: told.steps, tokens: told.tokens, cost: told.cost, word: "before" };
  }
  return DATA.gate?.baseline ? { ...DATA.gate.baseline, word: "baseline" } : null;
};

const points = (change) =>
  known(change) ? `${signed(change * 100, (value) => fixed(value, 1).replace(/\.0$/, ""))} points` : "";

const tiles = () => {
  const { card } = DATA;
  const was = before();
  const measured = card.passed + card.failed;
  const rateName = `Pass rate ${percent(card.pass_rate)} ${bounds(card.interval)}` +
    (was && known(was.rate) ? `; ${was.word} ${percent(was.rate)}` : "");
  const rest = (name) => {
    const unknown = card.unknown[name] || 0;
    return unknown ? el("span", { class: "aside" }, `unknown in ${count(unknown)} of ${counted(card.trials, "trial")}`) : null;
  };
  const statuses = ["passed", "failed", "flaky", "error"]
    .filter((status) => card.statuses[status])
    .map((status) => el("span", { class: "count" }, mark(status), ` ${count(card.statuses[status])} ${WORDS[status]} `));
  return el("dl", { class: "tiles" },
    el("div", { class: "tile wide" }, el("dt", null, "Pass rate"), el("dd", null,
      el("strong", null, measured ? percent(card.pass_rate) : "not measured"),
      el("span", { class: "aside" }, card.interval ? ` ${bounds(card.interval)} 95 % interval` : ""),
      measured ? rateBar(card.pass_rate, card.interval?.[0], card.interval?.[1], { name: rateName, other: was?.rate ?? null, height: 18 }) : null,
      was && known(was.rate)
        ? el("span", { class: "aside" }, el("span", { class: "legend-other", "aria-hidden": "true" }),
          `${was.word} ${percent(was.rate)} ${known(was.low) ? bounds([was.low, was.high]) : ""}`,
          known(card.pass_rate) ? `, ${points(card.pass_rate - was.rate)}` : "")
        : el("span", { class: "aside" }, "no baseline beside it"))),
    tile("Cases", count(CASES.length), el("span", { class: "counts" }, statuses)),
    tile("Trials", count(card.trials), el("span", { class: "aside" }, `${counted(card.k, "trial")} a case planned`),
      card.k > 1 && known(card.pass_hat_k) ? el("span", { class: "aside" }, `pass^${card.k} ${percent(card.pass_hat_k)}, pass@${card.k} ${percent(card.pass_at_k)}`) : null),
    tile("Steps a trial", amount(card.mean_steps), against(card.mean_steps, was?.steps, amount), rest("steps"),
      card.tool_errors ? el("span", { class: "aside" }, counted(card.tool_errors, "tool error")) : null),
    tile("Tokens a trial", amount(card.mean_tokens), against(card.mean_tokens, was?.tokens, amount), rest("tokens"),
      CASES.some((one) => one.estimated) ? el("span", { class: "aside" }, "estimated in some trials") : null),
    tile("Cost a trial", known(card.mean_cost) ? `${money(card.mean_cost)} ${card.currency}` : "–",
      against(card.mean_cost, was?.cost, money), rest("cost"),
      known(card.total_cost) && card.total_cost > 0 ? el("span", { class: "aside" }, `${money(card.total_cost)} in all`) : null));
};

const notesCard = () => {
  const { card, run } = DATA;
  const notes = [];
  const ran = run.mode === "none" && run.agent;
  notes.push(ran ? "No model was seen: the agent asked none that fairtrial can see." : MODES[run.mode]);
  if (run.filter) {
    const parts = [["ids", run.filter.ids], ["tags", run.filter.tags], ["only", run.filter.only]]
      .filter(([, chosen]) => chosen && chosen.length).map(([word, chosen]) => `${word} ${chosen.slice(0, 20).join(", ")}`);
    if (run.filter.protected) parts.push("protected cases");
    notes.push(`Part of the suite: ${parts.join("; ")}.`);
  }
  if (card.not_measured.length) {
    const named = card.not_measured.slice(0, 12);
    notes.push(el("span", null, `Not measured: ${counted(card.not_measured.length, "case")}: `,
      named.map((id, at) => [at ? ", " : "", caseLink(id)]),
      card.not_measured.length > named.length ? ` and ${count(card.not_measured.length - named.length)} more` : "", "."));
  }
  if (known(card.coverage) && card.coverage < 1 && card.passed + card.failed) {
    notes.push(`${percent(card.coverage)} of the planned trials were measured; with the others counted as failed the pass rate is ${percent(card.strict_pass_rate)}.`);
  }
  if (!CASES.length) notes.push("The run holds no case, so there is nothing to show.");
  if (run.mode === "live" && known(card.smallest_drop)) {
    notes.push(`It could have seen drops of ${fixed(card.smallest_drop * 100, 1)} points and more, shared by all cases.`);
  }
  if (!run.folder || !DATA.packs.run.length) {
    notes.push(`There are no transcripts on this page: ${run.folder ? `the run's folder (${run.folder}) was not there when it was made` : "the run was not saved"}.`);
  }
  if (DATA.leftOut) {
    notes.push(`The transcripts of ${counted(DATA.leftOut, "trial")} are left out to keep this page small, passed ones first; they are whole in ${folderOf("run")}trials.jsonl.`);
  }
  const lost = run.settings?.lost;
  notes.push(...(Array.isArray(lost) ? lost.map((text) => `Lost: ${text}`) : []), ...card.notes);
  return section("notes", "What to know about these numbers", el("ul", { class: "notes" },
    notes.map((note) => el("li", null, note instanceof Node ? note : bdi(note)))));
};

const SPOKE = { live: "It was asked live.", replay: "Its replies are from file.", dry: "It was not asked." };

const judgeCard = () => {
  const { judge, currency } = DATA.card;
  if (!judge) return null;
  const lost = Object.entries(judge.faults).map(([fault, count]) => `${count} ${fault}`).join(", ");
  const spent = judge.calls ? ` ${counted(judge.calls, "call")}, ${known(judge.cost) ? `${money(judge.cost)} ${currency}` : "cost unknown"}.` : "";
  const rate = (share, pair) => known(share) ? `${percent(share)} ${bounds(pair)}`.trim() : "–";
  const items = [...judge.items].sort((a, b) => b.decides - a.decides);
  return section("judge", "What the judge said",
    el("p", null, bdi(judge.judge), `: ${counted(judge.verdicts, "verdict")}${lost ? `; no verdict: ${lost}` : ""}. ${SPOKE[judge.asks] || ""}${spent}`),
    items.length ? el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Judged items" }, el("table", { class: "plain" },
      el("thead", null, el("tr", null, ["Item", "The judge passes", "People would pass", "Decides"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", null, items.map((one) => el("tr", null,
        el("th", { scope: "row" }, bdi(one.item)),
        el("td", { class: "num" }, known(one.mean_score) ? `mean score ${fixed(one.mean_score, 1)}` : rate(one.rate, one.rate_interval)),
        el("td", { class: "num" }, rate(one.corrected, one.corrected_interval)),
        el("td", { class: "why" }, one.decides ? "yes" : `no${one.why_not ? `: ${one.why_not}` : ""}`)))))) : null);
};

const adaptiveCard = () => {
  const { adaptive, currency } = DATA.card;
  if (!adaptive) return null;
  const cost = known(adaptive.cost) ? ` for ${money(adaptive.cost)} ${currency}` : "";
  const rows = [...adaptive.cases].sort((a, b) => b.p_worse - a.p_worse);
  return section("further", "Further trials, in no rate above",
    el("p", null, adaptive.trials
      ? `${counted(adaptive.trials, "trial")}${cost}, to tell which cases pass less often than in the baseline by more than ${(adaptive.margin * 100).toFixed(0)} points.`
      : `None: ${adaptive.ended || "nothing is undecided"}.`),
    rows.length ? el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Cases with further trials" }, el("table", { class: "plain" },
      el("thead", null, el("tr", null, ["Case", "Worse?", "Chance", "Baseline", "Run", "Further"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", null, rows.map((one) => el("tr", null,
        el("th", { scope: "row" }, caseLink(one.id)),
        el("td", null, one.worse), el("td", null, percent(one.p_worse)),
        el("td", null, `${one.base_passed} of ${one.base_measured}`),
        el("td", null, `${one.passed} of ${one.measured}`),
        el("td", null, one.more_planned ? `${one.more_passed} of ${one.more_measured}` : "–")))))) : null,
    adaptive.trials && adaptive.ended ? el("p", { class: "aside" }, `No more trials: ${adaptive.ended}`) : null);
};
