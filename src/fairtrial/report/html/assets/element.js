// Elements, and texts from outside in them. Nothing here or elsewhere reads a text as markup.

const SVG = "http://www.w3.org/2000/svg";

// Controls, zero-width characters and bidirectional overrides. Joiners are left: letters need them.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\uffff]/g;
const TOWER = /(\p{M}{3})\p{M}+/gu; // marks on one character: a tower of them hides other lines
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const escapeOf = (character) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Give a text with what cannot be seen in it written as escapes. */
const seen = (text) =>
  String(text).replace(/\r\n/g, "\n").replace(UNSEEN, escapeOf).replace(LONE, escapeOf)
    .replace(TOWER, "$1…");

const SPOKEN = new Set(["aria-label", "title"]);

const fill = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : SPOKEN.has(name) ? seen(value) : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    node.append(child instanceof Node ? child : seen(child));
  }
  return node;
};

/** Make an element; children are elements, texts, or lists of them. */
const el = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** Make an element of a drawing. */
const draw = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** A name from outside, kept from turning the text around it. */
const bdi = (text, attributes) => el("bdi", attributes, text);

const byId = (id) => document.getElementById(id);

/** A text of which at first only the start is shown, with a word on how much there is. */
const longText = (text, { most = 1200, lines = 24, tag = "div", paint = (part) => part } = {}) => {
  const whole = String(text);
  let end = Math.min(whole.length, most);
  const rows = whole.slice(0, end).split("\n");
  if (rows.length > lines) end = rows.slice(0, lines).join("\n").length;
  const body = el(tag, { class: "text", dir: "auto" });
  if (end >= whole.length) {
    body.append(...[paint(whole)].flat().map((part) => (part instanceof Node ? part : seen(part))));
    return body;
  }
  const show = (all) => {
    const shown = all ? whole : whole.slice(0, end);
    body.replaceChildren(
      ...[paint(shown)].flat().map((part) => (part instanceof Node ? part : seen(part))));
    button.textContent = all
      ? "Show less"
      : `Cut here: show all ${count(whole.length)} characters`;
    button.setAttribute("aria-expanded", String(all));
  };
  const button = el("button", {
    type: "button", class: "more", onclick: () => show(button.getAttribute("aria-expanded") !== "true"),
  });
  show(false);
  return el("div", { class: "long" }, body, button);
};

/** Show a section with a heading. */
const section = (id, title, ...children) =>
  el("section", { id, class: "card", "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title` }, title), children);
