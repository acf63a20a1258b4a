// Numbers as people read them, as the terminal writes them.

const known = (value) => typeof value === "number" && Number.isFinite(value);
/** Round as the terminal does: what lies right between two goes to the even one. */
const fixed = (value, decimals) => {
  if (Math.abs((value * 2 ** (decimals + 1)) % 2) !== 1) return value.toFixed(decimals);
  const low = Math.floor(value * 10 ** decimals);
  return ((low % 2 ? low + 1 : low) / 10 ** decimals).toFixed(decimals);
};
const hundredths = (share) => {
  if (share === 0 || share === 1) return String(share * 100);
  const text = fixed(share * 100, 1);
  if (text === "100.0") return ">99.9";
  if (text === "0.0") return "<0.1";
  return text.replace(/\.0$/, "");
};
const percent = (share) => (known(share) ? `${hundredths(share)} %` : "–");
const bounds = (pair) => (pair ? `[${hundredths(pair[0])}, ${hundredths(pair[1])}]` : "");
const count = (value) => value.toLocaleString("en-US");
const counted = (value, noun, plural) =>
  `${count(value)} ${value === 1 ? noun : plural || `${noun}s`}`;

const amount = (value) => {
  if (!known(value)) return "–";
  for (const [size, letter] of [[1e12, "T"], [1e9, "G"], [1e6, "M"]]) {
    if (Math.abs(value) >= size) return `${fixed(value / size, 2)}${letter}`;
  }
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return count(Number(fixed(value, 0)));
  return Math.abs(value) < 0.1 ? money(value) : fixed(value, 1);
};

const money = (value) => {
  if (!known(value)) return "–";
  if (value === 0) return "0";
  if (Math.abs(value) >= 1) return value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  if (Math.abs(value) < 1e-6) return "<0.000001";
  const decimals = 1 - Math.floor(Math.log10(Math.abs(value)));
  const text = fixed(value, Math.min(Math.max(decimals, 2), 6));
  return decimals > 2 && text.endsWith("0") ? text.slice(0, -1) : text;
};

const duration = (seconds) => {
  if (!known(seconds)) return "–";
  if (seconds < 0.001) return "<1 ms";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 120) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
};

const signed = (value, write) =>
  !known(value) ? "–" : value === 0 ? "no change" : (value > 0 ? "+" : "−") + write(Math.abs(value));

const mean = (values) => {
  const told = values.filter(known);
  return told.length && told.length === values.length
    ? told.reduce((sum, value) => sum + value, 0) / told.length : null;
};
