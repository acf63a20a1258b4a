// The page itself: its head, the way from view to view, keys, colours, and print.

const store = (value) => {
  try {
    if (value === undefined) return localStorage.getItem("fairtrial-theme");
    return localStorage.setItem("fairtrial-theme", value);
  } catch { return null; } // a page from a file may have no storage
};

const THEMES = [["auto", "as the system"], ["light", "light"], ["dark", "dark"]];

const themeSwitch = () => {
  const set = (theme) => {
    if (theme === "auto") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.setAttribute("data-theme", theme);
  };
  const kept = store();
  const now = THEMES.some(([name]) => name === kept) ? kept : "auto";
  set(now);
  return el("label", { class: "theme" }, el("span", { class: "hidden" }, "Colours"),
    el("select", { id: "theme", onchange: (event) => { set(event.target.value); store(event.target.value); } },
      THEMES.map(([name, word]) => el("option", { value: name, ...(name === now ? { selected: true } : {}) }, `Colours: ${word}`))));
};

const KEYS = [
  ["/", "to the filter"], ["j or ↓", "next case, next step"], ["k or ↑", "the one before"],
  ["Enter", "open the case"], ["Esc", "back, or clear the filter"],
  ["n and p", "next and previous trial"], ["[ and ]", "previous and next case"], ["?", "these keys"],
];

const helpDialog = el("dialog", { id: "help", "aria-labelledby": "help-title" },
  el("h2", { id: "help-title" }, "Keys"),
  el("dl", { class: "keys" }, KEYS.map(([key, what]) => el("div", null, el("dt", null, el("kbd", null, key)), el("dd", null, what)))),
  el("form", { method: "dialog" }, el("button", { type: "submit" }, "Close")));

const jump = (id) => {
  if (overview.hidden) { lastOpened = null; location.hash = ""; route(); }
  const title = byId(`${id}-title`);
  title.setAttribute("tabindex", "-1");
  title.focus({ preventScroll: true });
  byId(id).scrollIntoView();
};

const pageHead = () => {
  const { run } = DATA;
  const facts = run ? [
    ["run", run.id], ["suite", run.suite], ["agent", run.agent], ["variant", run.variant],
    ["mode", run.mode], ["commit", run.git?.slice(0, 12)], ["started", run.started?.replace("T", " ").slice(0, 16)],
  ] : [["runs", String(DATA.runs.length)]];
  byId("head").append(...[
    el("div", { class: "head-row" },
      el("h1", null, run ? "fairtrial report" : "fairtrial history"),
      el("div", { class: "head-tools" }, themeSwitch(),
        el("button", { type: "button", "aria-keyshortcuts": "?", onclick: () => helpDialog.showModal() }, "Keys ", el("kbd", { "aria-hidden": "true" }, "?")))),
    run ? el("nav", { class: "jumps", "aria-label": "Parts of the page" }, [["decision", "Decision"], ["notes", "What to know"], ["cases", "Cases"], ["charts", "Rates and costs"]].map(([id, word]) =>
      el("a", { href: "#", onclick: (event) => { event.preventDefault(); jump(id); } }, word))) : null,
    el("dl", { class: "run-facts" }, facts.filter(([, value]) => value).map(([name, value]) =>
      el("div", null, el("dt", null, name), el("dd", null, bdi(value)))))].filter(Boolean));
  byId("foot").append(el("p", null, `Made by fairtrial ${DATA.version}. This page is one file: it asks nothing of the network and holds what was redacted in the run's folder.`));
  document.body.append(helpDialog);
};

const wanted = () => {
  const parts = new Map(location.hash.slice(1).split("&").map((part) => {
    const [name, value = ""] = part.split("=", 2);
    try { return [name, decodeURIComponent(value)]; } catch { return [name, value]; }
  }));
  return { id: parts.get("case"), trial: /^\d+$/.test(parts.get("trial") || "") ? Number(parts.get("trial")) : undefined };
};

const main = byId("main");
let table = null;
let shownCase = null;

const overview = el("div", { id: "overview" });
const place = el("div", { id: "case" });

const around = (one) => {
  const listed = table.listed();
  const at = listed.indexOf(one);
  return at < 0 ? {} : { previous: listed[at - 1], next: listed[at + 1] };
};

let lastOpened = null;
let scrolled = 0;

const route = () => {
  const { id, trial } = wanted();
  const one = id === undefined ? undefined : BY_ID.get(id);
  if (id !== undefined && !one) {
    shownCase = null;
    overview.hidden = true;
    place.hidden = false;
    place.replaceChildren(el("article", { class: "case-view" }, el("nav", { class: "crumbs", "aria-label": "Cases" }, el("a", { href: "#", class: "back" }, "← All cases")),
      el("h2", { id: "case-title", tabindex: -1 }, "No such case"), el("p", null, "This run has no case ", bdi(id), ".")));
    return;
  }
  if (!one) {
    if (location.hash && location.hash !== "#") return; // a place on the page, such as #main
    shownCase = null;
    place.hidden = true;
    place.replaceChildren();
    overview.hidden = false;
    document.title = `${DATA.run.id} - fairtrial`;
    if (lastOpened !== null) {
      scrollTo(0, scrolled);
      overview.querySelector(`tr[data-case="${lastOpened}"] a.open`)?.focus({ preventScroll: true });
      lastOpened = null;
    }
    return;
  }
  if (!overview.hidden) scrolled = scrollY;
  lastOpened = one.index;
  shownCase = caseView(one, trial, around);
  place.replaceChildren(shownCase.node);
  overview.hidden = true;
  place.hidden = false;
  document.title = `${seen(one.id)} - fairtrial`;
  scrollTo(0, 0);
  byId("case-title").focus({ preventScroll: true });
};

const move = (way) => {
  if (shownCase) { shownCase.step(way); return; }
  if (!table) return;
  const links = table.links();
  if (!links.length) return;
  const at = links.indexOf(document.activeElement);
  const to = links[at < 0 ? (way > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + way, 0), links.length - 1)];
  to.focus();
  to.closest("tr").scrollIntoView({ block: "nearest" });
};

const onKey = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || helpDialog.open) return;
  const target = event.target;
  const typing = target.matches?.("input, select, textarea");
  if (event.key === "Escape") {
    if (!overview.hidden && typing) { table?.clear(); target.blur(); } else if (overview.hidden) location.hash = "";
    else return;
    event.preventDefault();
    return;
  }
  if (typing) {
    if (event.key === "ArrowDown" && target.type === "search") { event.preventDefault(); move(1); }
    return;
  }
  const arrows = target.matches?.("a.open, [data-step]"); // elsewhere they scroll
  const acts = {
    "/": () => { if (overview.hidden) location.hash = ""; byId("filter-text")?.focus(); },
    j: () => move(1), k: () => move(-1),
    ...(arrows ? { ArrowDown: () => move(1), ArrowUp: () => move(-1) } : {}),
    "?": () => helpDialog.showModal(),
    ...(shownCase ? {
      n: () => shownCase.trial(1), p: () => shownCase.trial(-1),
      "]": () => place.querySelector('.crumbs a[aria-label^="Next"]')?.click(),
      "[": () => place.querySelector('.crumbs a[aria-label^="Previous"]')?.click(),
    } : {}),
  };
  if (!Object.hasOwn(acts, event.key)) return;
  event.preventDefault();
  acts[event.key]();
};

pageHead();
document.addEventListener("keydown", onKey);
if (DATA.kind === "history") {
  main.replaceChildren(el("div", { class: "stack" }, historyView()));
} else {
  table = casesTable();
  overview.append(...[decisionCard(), tiles(), notesCard(), compareCard(), table.node, chartsOf(table.pickTag), judgeCard(), adaptiveCard()].filter(Boolean));
  main.replaceChildren(overview, place);
  addEventListener("hashchange", route);
  route();
}
addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("details.opens-in-print:not([open])")) { one.open = true; one.dataset.printed = ""; }
  table?.showForPrint();
});
addEventListener("afterprint", () => {
  for (const one of document.querySelectorAll("details[data-printed]")) { one.open = false; delete one.dataset.printed; }
});
