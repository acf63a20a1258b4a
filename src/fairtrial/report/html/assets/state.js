// Values as text, and what is not the same in two of them.

const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Exact);

const asJson = (value, indent = 2) => {
  const write = (part, depth) => {
    if (part instanceof Exact) return part.source;
    if (part === undefined) return "nothing";
    if (!Array.isArray(part) && !isMap(part)) return JSON.stringify(part);
    const [open, close] = Array.isArray(part) ? "[]" : "{}";
    const items = Array.isArray(part) ? part.map((item) => write(item, depth + 1))
      : Object.keys(part).map((key) => `${JSON.stringify(key)}: ${write(part[key], depth + 1)}`);
    const flat = `${open}${items.join(", ")}${close}`;
    if (flat.length < 80 && !flat.includes("\n")) return flat;
    const pad = " ".repeat(indent * (depth + 1));
    return `${open}\n${items.map((item) => pad + item).join(",\n")}\n${" ".repeat(indent * depth)}${close}`;
  };
  return write(value, 0);
};

const sameValue = (a, b) => asJson(a, 0) === asJson(b, 0);

const MOST_CHANGES = 200;
const PLAIN_KEY = /^[\w-]+$/;
const pathTo = (path, key) =>
  typeof key === "number" ? `${path}[${key}]`
    : PLAIN_KEY.test(key) ? (path ? `${path}.${key}` : key) : `${path}[${JSON.stringify(key)}]`;

/** Give what differs: path, what was there, what is there; undefined for nothing. */
const changesOf = (a, b, path = "", found = []) => {
  if (found.length > MOST_CHANGES) return found;
  if (isMap(a) && isMap(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const [left, right] = [Object.hasOwn(a, key) ? a[key] : undefined, Object.hasOwn(b, key) ? b[key] : undefined];
      changesOf(left, right, pathTo(path, key), found);
    }
  } else if (Array.isArray(a) && Array.isArray(b)) {
    // Rows are mostly added at the end; what stays the same in front stays unsaid.
    for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
      changesOf(at < a.length ? a[at] : undefined, at < b.length ? b[at] : undefined, pathTo(path, at), found);
    }
  } else if ((a === undefined) !== (b === undefined) || !sameValue(a, b)) {
    found.push({ path, a, b });
  }
  return found;
};

const valueBlock = (value, options = {}) =>
  el("div", { class: "value" }, longText(typeof value === "string" ? value : asJson(value), { most: 900, lines: 18, ...options }));

/** The state before and after, as the lines that changed. */
const stateView = (start, end, failed) => {
  const whole = (name, value) => el("details", null, el("summary", null, name), valueBlock(value, { most: 6000, lines: 120 }));
  if (end === null || end === undefined) {
    return el("p", { class: "aside" }, "The state at the end is not known.");
  }
  if (start === undefined) {
    return el("div", null,
      el("p", { class: "aside" }, "The state at the start was not recorded with this trial, so only the end is shown."),
      whole("The state at the end", end));
  }
  const found = changesOf(start, end);
  const lines = found.slice(0, MOST_CHANGES).map(({ path, a, b }) => {
    const blamed = failed.some((text) => text.includes(`${path}:`) || text.includes(`${path} `) || (path.includes("[") && text.includes(`${path}`)));
    return el("li", { class: blamed ? "blamed" : null },
      el("code", { class: "path" }, path || "all of it"), blamed ? el("span", { class: "tag evidence" }, "named by a failed check") : null,
      a === undefined ? null : el("div", { class: "del" }, el("span", { class: "sign" }, "− "), el("span", { class: "hidden" }, "was "), longText(asJson(a))),
      b === undefined ? null : el("div", { class: "ins" }, el("span", { class: "sign" }, "+ "), el("span", { class: "hidden" }, "is "), longText(asJson(b))));
  });
  return el("div", null,
    el("p", null, found.length ? `${found.length > MOST_CHANGES ? "More than " : ""}${counted(Math.min(found.length, MOST_CHANGES), "change")} between start and end.` : "Nothing changed between start and end."),
    el("ul", { class: "state-diff" }, lines),
    whole("The whole state at the end", end), whole("The whole state at the start", start));
};
