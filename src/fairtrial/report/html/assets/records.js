// What the page was made of: the run, its cases, and transcripts that are unpacked when looked at.

const DATA = JSON.parse(byId("data").textContent);

const VERDICTS = { p: "passed", f: "failed", e: "error" };

/** A number that JavaScript cannot hold as it was written. */
class Exact {
  constructor(source) { this.source = source; }
}

const exactly = (key, value, context) =>
  typeof value === "number" && context && context.source && String(value) !== context.source
    ? new Exact(context.source) : value;

const column = (value, index) => (Array.isArray(value) ? value[index] ?? null : value ?? null);

const trialsOf = (columns, pack) => {
  if (!columns) return [];
  return [...columns.v].map((letter, index) => ({
    number: columns.n ? columns.n[index] : index,
    verdict: VERDICTS[letter],
    line: columns.l[index],
    steps: column(columns.s, index),
    tokens: column(columns.k, index),
    cost: column(columns.c, index),
    seconds: column(columns.w, index),
    estimated: Boolean(columns.g),
    pack,
  }));
};

const caseOf = (row, index) => {
  const trials = trialsOf(row.t, "run");
  const measured = trials.filter((trial) => trial.verdict !== "error");
  const passed = measured.filter((trial) => trial.verdict === "passed").length;
  return {
    index, id: row.i, status: row.s, trials, further: trialsOf(row.e, "extra"),
    tags: (row.g || []).map((tag) => DATA.tags[tag]),
    protected: Boolean(row.p), informs: Boolean(row.f),
    place: row.at || null, planned: row.n ?? trials.length,
    asks: row.a || null, about: row.d || null, why: row.w || null,
    change: row.x || null, before: row.b || null,
    passed, measured: measured.length,
    rate: measured.length ? passed / measured.length : null,
    steps: mean(measured.map((trial) => trial.steps)),
    tokens: mean(measured.map((trial) => trial.tokens)),
    cost: mean(measured.map((trial) => trial.cost)),
    seconds: mean(measured.map((trial) => trial.seconds)),
    estimated: trials.some((trial) => trial.estimated),
  };
};

const CASES = DATA.kind === "run" ? DATA.cases.map(caseOf) : [];
const BY_ID = new Map(CASES.map((one) => [one.id, one]));

const unpacked = new Map();

const inflate = async (name) => {
  const bytes = Uint8Array.from(atob(byId(name).textContent), (byte) => byte.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return (await new Response(stream).text()).split("\n");
};

/** Give a numbered line of a pack as JSON; null where it was left out. */
const lineOf = async (pack, number) => {
  if (number === null || number === undefined) return null;
  const at = DATA.packs[pack].findIndex(([first, size]) => number >= first && number < first + size);
  if (at < 0) return null;
  const name = `${pack}-${at}`;
  if (!unpacked.has(name)) {
    if (unpacked.size > 40) unpacked.delete(unpacked.keys().next().value);
    unpacked.set(name, inflate(name));
  }
  const text = (await unpacked.get(name))[number - DATA.packs[pack][at][0]];
  return text ? JSON.parse(text, exactly) : null;
};

/** Give the state that a trial began with; undefined where nobody knows. */
const startOf = async (trajectory) => {
  const kept = trajectory.initial_state;
  if (kept === null || kept === undefined) return undefined;
  const names = Object.keys(kept);
  if (names.length !== 1 || names[0] !== "sha256" || typeof kept.sha256 !== "string") return kept;
  const number = Object.hasOwn(DATA.states, kept.sha256) ? DATA.states[kept.sha256] : null;
  return (await lineOf("states", number)) ?? undefined;
};

const FULL_RECORD = (trial) =>
  trial.line
    ? `line ${count(trial.line)} of ${folderOf(trial.pack)}trials.jsonl`
    : `trial ${trial.number} of the run`;

const folderOf = (pack) => {
  const run = pack === "other" ? DATA.compare.run : DATA.run;
  const kept = (run.folder || "").replace(/\\/g, "/").replace(/\/$/, "");
  const folder = kept ? `${kept.slice(Math.max(0, kept.lastIndexOf(".fairtrial/")))}/` : "";
  return pack === "extra" ? `${folder}extra/` : folder;
};
