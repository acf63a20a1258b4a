// Another run beside this one: what differs over all cases, and one case from where the two part.

const LISTS = [
  ["regressions", "worse"], ["unmeasured", "measured on one side only"], ["removed", "gone"],
  ["changed", "asks other things, so not compared"], ["fixes", "better"],
  ["other_checks", "same pass rate, other checks"], ["new", "new"],
];
const MEASURES = { pass_rate: "pass rate", steps: "steps a trial", tokens: "tokens a trial", cost: "cost a trial" };

/** Where a case parts in the two runs; an id may be that of a property that every object has. */
const partingOf = (id) =>
  DATA.compare && Object.hasOwn(DATA.compare.partings, id) ? DATA.compare.partings[id] : null;

const passedOf = (pair, missing) => (!pair ? missing : pair[1] ? `${pair[0]} of ${pair[1]}` : "not measured");

const compareCard = () => {
  const found = DATA.compare;
  if (!found) return null;
  const write = (name) => (name === "pass_rate" ? percent : name === "cost" ? money : amount);
  const counts = LISTS.filter(([kind]) => found.lists[kind].length)
    .map(([kind, word]) => `${count(found.lists[kind].length)} ${word.split(",", 1)[0]}`);
  const lists = LISTS.filter(([kind]) => found.lists[kind].length).map(([kind, word]) =>
    el("details", { class: "opens-in-print", ...(kind === "regressions" ? { open: true } : {}) },
      el("summary", null, `${counted(found.lists[kind].length, "case")} ${word}`),
      el("ul", { class: "differing" }, found.lists[kind].slice(0, 200).map((one) => el("li", null,
        caseLink(one.id), one.protected ? el("span", { class: "tag protected" }, "protected") : null,
        ` ${passedOf(one.a, "not there")} → ${passedOf(one.b, "not there")}`,
        partingOf(one.id) ? el("div", { class: "why" }, "they part ", bdi(partingOf(one.id).text)) : one.reason ? el("div", { class: "why" }, bdi(one.reason)) : null))),
      found.lists[kind].length > 200 ? el("p", { class: "cut" }, `Cut here: ${count(found.lists[kind].length - 200)} more; the table below has them all.`) : null));
  return section("compare", "Beside another run",
    el("p", null, "Before (a): ", el("code", null, found.name), found.run.variant ? [", variant ", bdi(found.run.variant)] : null,
      `; now (b): this run. ${counts.length ? counts.join("; ") : "Nothing differs"}. ${counted(found.unchanged, "case")} the same.`,
      found.leftOut ? ` ${counted(found.leftOut, "case")} of one side only, left out by a filter.` : ""),
    found.groups.length ? el("ul", { class: "notes" }, found.groups.slice(0, 20).map((group) =>
      el("li", null, el("b", null, `${counted(group.cases.length, "case")} part alike: `), bdi(group.text), " (", group.cases.slice(0, 3).map((id, at) => [at ? ", " : "", caseLink(id)]), group.cases.length > 3 ? " …" : "", ")"))) : null,
    found.numbers.some((number) => number.cases) ? el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Numbers of both runs" }, el("table", { class: "plain" },
      el("thead", null, el("tr", null, ["Mean", "Before", "Now", "Change", "Over"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", null, found.numbers.filter((number) => number.cases).map((number) => el("tr", null,
        el("th", { scope: "row" }, MEASURES[number.name]), el("td", null, write(number.name)(number.a)), el("td", null, write(number.name)(number.b)),
        el("td", null, number.name === "pass_rate" ? points(number.difference) : signed(number.difference, write(number.name))),
        el("td", null, counted(number.cases, "case"))))))) : null,
    lists);
};

const sideBySide = (a, b, parting) => {
  const [left, right] = [a.trajectory || {}, b.trajectory || {}];
  const [was, now] = [left.steps || [], right.steps || []];
  const most = Math.max(was.length, now.length);
  // The parting knows the step of b; where that of a is another one, its text says so.
  const ofA = Number(parting.text.match(/\(step (\d+) of a\)/)?.[1] ?? parting.step);
  const alike = parting.step === null ? Math.max(0, Math.min(was.length, now.length) - 1)
    : Math.max(0, Math.min(parting.step - 1, ofA - 1, was.length, now.length));
  const nothing = { steps: new Map(), arguments: new Map(), phrases: [], places: new Map() };
  const cell = (steps, at, side) => steps[at]
    ? stepView(steps[at], at, nothing, { name: `${side}, step ${at + 1}`, isAnswer: false })
    : at === steps.length ? el("li", { class: "step gone" }, el("p", { class: "aside" }, `${side}: no step ${at + 1}.`)) : el("li", { class: "step gone" });
  const side = (steps, at, name, parts) => el("ol", { class: parts ? "side parting" : "side" }, cell(steps, at, name));
  const pair = (at) => el("li", { class: "pair" }, side(was, at, "Before", at === ofA - 1), side(now, at, "Now", at === parting.step - 1));
  const rows = [];
  for (let at = alike; at < Math.min(most, alike + 30); at += 1) rows.push(pair(at));
  const ends = (trial, side) => el("div", { class: "end-side" }, badge(trial.verdict),
    el("span", null, ` ${side}: trial ${trial.trial}. ${STOPS[trial.stop] || ""}`),
    trial.trajectory?.answer && trial.trajectory.answer !== trial.trajectory.steps?.at(-1)?.text ? el("div", { class: "bubble agent answer" }, longText(trial.trajectory.answer)) : null);
  return el("div", { class: "beside" },
    alike ? el("details", null, el("summary", null, `${counted(alike, "step")} alike before`),
      el("ol", { class: "conversation" }, now.slice(0, alike).map((step, at) => stepView(step, at, nothing)))) : null,
    el("div", { class: "pair heads", "aria-hidden": "true" }, el("span", null, "Before (a)"), el("span", null, "Now (b)")),
    el("ol", { class: "pairs" }, rows),
    most > alike + 30 ? el("p", { class: "cut" }, `Cut here: ${count(most - alike - 30)} more steps.`) : null,
    el("div", { class: "pair" }, ends(a, "Before"), ends(b, "Now")));
};

/** A case beside itself in the other run, from the first difference. */
const compareView = (one) => {
  if (!DATA.compare) return null;
  const parting = partingOf(one.id);
  const listed = LISTS.find(([kind]) => DATA.compare.lists[kind].some((other) => other.id === one.id));
  const entry = listed && DATA.compare.lists[listed[0]].find((other) => other.id === one.id);
  const place = el("div");
  const node = el("section", { class: "card beside-card", "aria-labelledby": "beside-title" },
    el("h3", { id: "beside-title" }, "Beside ", el("code", null, DATA.compare.name)),
    entry ? el("p", null, `${passedOf(entry.a, "not there")} → ${passedOf(entry.b, "not there")}: ${listed[1]}.`) : el("p", null, "Nothing differs in this case."),
    parting ? el("p", { class: "parting-text" }, "They part ", bdi(parting.text), ".") : null,
    entry?.checks.length ? el("ul", { class: "differing" }, entry.checks.slice(0, 20).map((check) => el("li", null, bdi(check.name), ` ${passedOf(check.a, "not asked")} → ${passedOf(check.b, "not asked")}`))) : null,
    place);
  if (parting) {
    const mine = one.trials.find((trial) => trial.number === parting.trial_b);
    Promise.all([lineOf("other", parting.line_a), mine ? lineOf(mine.pack, mine.line) : null])
      .then(([a, b]) => {
        place.replaceChildren(a?.trajectory && b?.trajectory ? sideBySide(a, b, parting)
          : el("p", { class: "cut" }, "The transcripts of both sides are not on this page, so they are not shown side by side."));
      })
      .catch((error) => place.replaceChildren(el("p", { class: "cut" }, `The transcripts cannot be unpacked in this browser (${error}).`)));
  }
  return node;
};
