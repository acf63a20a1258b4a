// A transcript as a conversation: what the user said, and step by step what the agent did.

const MOST_STEPS = 200;

const metersOf = (tokens, seconds) => {
  const parts = [];
  if (tokens && (known(tokens.input) || known(tokens.output))) {
    const about = tokens.estimated ? "~" : "";
    parts.push(`${about}${amount(tokens.input ?? null)} tokens in, ${about}${amount(tokens.output ?? null)} out`);
  }
  const plain = seconds instanceof Exact ? Number(seconds.source) : seconds;
  if (known(plain)) parts.push(duration(plain));
  return parts.join(" · ");
};

const argumentsView = (call, blamed) => {
  const given = call.arguments;
  if (given === null || given === undefined || given === "") return el("span", { class: "aside" }, "no arguments");
  if (typeof given === "string") {
    return el("div", null, el("span", { class: "tag bad" }, "malformed arguments, kept as written"), valueBlock(given));
  }
  const entries = Object.entries(given);
  if (!entries.length) return el("span", { class: "aside" }, "no arguments");
  return el("dl", { class: "arguments" }, entries.map(([name, value]) =>
    el("div", { class: blamed.includes(name) ? "blamed" : null },
      el("dt", null, bdi(name), blamed.includes(name) ? el("span", { class: "hidden" }, " (named by a failed check)") : null),
      el("dd", null, longText(asJson(value), { most: 600, lines: 10, tag: "code" })))));
};

const callView = (call, { chips, blamed, phrases }) => {
  const failed = call.error !== null && call.error !== undefined;
  const unrun = call.executed === false;
  const outcome = failed
    ? el("div", { class: "outcome bad" }, el("span", { class: "outcome-word" }, mark("failed"), " error"), longText(call.error))
    : "result" in call
      ? el("div", { class: "outcome" }, el("span", { class: "outcome-word" }, "result"), valueBlock(call.result, { paint: marked(phrases) }))
      : el("div", { class: "outcome" }, el("span", { class: "aside" }, unrun ? "never came to a tool" : "no result was recorded"));
  return el("div", { class: `call${failed ? " failed" : ""}${unrun ? " unrun" : ""}` },
    el("div", { class: "call-head" },
      el("span", { class: "call-name" }, el("span", { class: "hidden" }, "calls "), bdi(call.name)),
      call.changed ? el("span", { class: "tag" }, "changed the state") : null,
      unrun ? el("span", { class: "tag bad" }, "never run") : null,
      el("span", { class: "meters" }, metersOf(null, call.seconds))),
    argumentsView(call, blamed), outcome, chips);
};

const chip = ({ check, words, fine }) =>
  el("span", { class: `chip ${fine ? "passed" : kindOf(check)}`, title: check.reason || "" }, mark(fine ? "passed" : kindOf(check)), bdi(check.name),
    words ? el("span", { class: "aside" }, ` ${words}`) : null,
    fine ? null : el("span", { class: "hidden" }, ` ${wordOf(check)}`));

const chipsOf = (list) => (list.length ? el("div", { class: "chips" }, list.map(chip)) : null);

const stepView = (step, at, found, { name = `Step ${at + 1}`, isAnswer = false, phrases = [] } = {}) => {
  const here = found.steps.get(at) || [];
  const calls = step.calls || [];
  return el("li", { class: `step${here.some((one) => one.check.passed === false && !one.fine) ? " blamed" : ""}`, "data-step": at, tabindex: -1, "aria-label": name },
    el("div", { class: "step-head" }, el("h4", null, isAnswer ? `${name}: the answer` : name), el("span", { class: "meters" }, metersOf(step.tokens, step.seconds))),
    step.text ? el("div", { class: `bubble agent${isAnswer ? " answer" : ""}` }, longText(step.text, { paint: isAnswer ? marked(phrases) : (part) => part })) : null,
    calls.map((call, nth) => callView(call, {
      chips: chipsOf(here.filter((one) => one.nth === nth)), blamed: found.arguments.get(call) || [], phrases: [],
    })),
    calls.length > 1 ? el("p", { class: "aside" }, "Calls of one step are parallel: their order means nothing.") : null,
    !step.text && !calls.length ? el("p", { class: "aside" }, "No text and no call.") : null,
    chipsOf(here.filter((one) => one.nth === undefined || one.nth >= calls.length)));
};

const userView = (text, words = "User") =>
  el("li", { class: "said-by-user" }, el("div", { class: "step-head" }, el("h4", null, words)),
    el("div", { class: "bubble user" }, longText(text)));

const STOPS = {
  answer: "It ended with an answer.", steps: "It ran out of steps.", budget: "It spent its budget.",
  timeout: "It ran out of time.", refused: "It refused.", error: "It ended without an answer.",
};

/** The whole conversation of a trial. */
const conversation = (one, trial, found) => {
  const trajectory = trial.trajectory;
  const steps = trajectory.steps;
  const items = [];
  const turns = new Map();
  for (const turn of trajectory.turns || []) {
    const first = turn.first || 0;
    turns.set(first, [...(turns.get(first) || []), turn.user]);
  }
  if (!turns.size) {
    items.push(one.asks
      ? userView(one.asks, "User, as the case asks")
      : el("li", { class: "said-by-user" }, el("p", { class: "aside" }, "What the user said is not in this record",
        one.place ? [": see ", el("code", null, one.place)] : null, ".")));
  }
  const answer = trajectory.answer;
  let said = false;
  (steps || []).slice(0, MOST_STEPS).forEach((step, at) => {
    for (const user of turns.get(at) || []) if (user) items.push(userView(user));
    const isAnswer = at === steps.length - 1 && Boolean(answer) && step.text === answer && !(step.calls || []).length;
    said = said || isAnswer;
    items.push(stepView(step, at, found, { isAnswer, phrases: found.phrases,
      name: trajectory.inferred ? `Call ${at + 1}` : `Step ${at + 1}` }));
  });
  if (!steps) items.push(el("li", null, el("p", { class: "aside" }, "The steps were not recorded.")));
  if (steps && steps.length > MOST_STEPS) {
    items.push(el("li", null, el("p", { class: "cut" }, `Cut here: ${count(steps.length - MOST_STEPS)} more steps are in ${FULL_RECORD(trial.place)}.`)));
  }
  if (answer && !said) {
    items.push(el("li", { class: "step", tabindex: -1, "data-step": "answer", "aria-label": "The answer" },
      el("div", { class: "step-head" }, el("h4", null, "The answer")),
      el("div", { class: "bubble agent answer" }, longText(answer, { paint: marked(found.phrases) }))));
  }
  const error = trajectory.error;
  items.push(el("li", { class: `ending${trial.stop === "answer" && !error ? "" : " bad"}` },
    el("p", null, STOPS[trial.stop] || `It ended: ${trial.stop}.`,
      error ? [" ", el("b", null, `${error.kind} error: `)] : null),
    error ? longText(error.message) : null));
  return el("ol", { class: "conversation" }, items);
};
