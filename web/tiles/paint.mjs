// The colours of the faces and small helpers to write SVG. Every colour is a CSS variable with a fallback, so a page
// can re-colour the suits (dark, colour-blind) without another sprite.
const FALLBACK = {
  red: "#b5231d",
  green: "#0e6a3f",
  blue: "#1d3f87",
  ink: "#1b1d22",
  face: "#fffdf5",
  gold: "#c98a12",
  petal: "#d9567a",
};

/** A colour by its name. */
export const ink = (name) => `var(--t-${name},${FALLBACK[name]})`;

/** A number with at most two decimals. */
export const n = (value) => String(Math.round(value * 100) / 100);

/** An element without children: el("circle", { cx: 3 }). */
export const el = (name, attributes) =>
  `<${name}${Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? n(value) : value}"`)
    .join("")}/>`;

/** Children under common attributes. */
export const group = (attributes, ...children) => {
  const open = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${value}"`)
    .join("");
  return `<g${open}>${children.flat().join("")}</g>`;
};

/** A stroked path with round ends. */
export const stroke = (d, colour, width) =>
  el("path", {
    d,
    fill: "none",
    stroke: ink(colour),
    "stroke-width": width,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });

/** A filled path. */
export const fill = (d, colour, more = {}) => el("path", { d, fill: ink(colour), ...more });

/** `count` angles around a circle, in radians, from the top. */
export const angles = (count, from = 0) =>
  Array.from({ length: count }, (_, k) => from - Math.PI / 2 + (k * 2 * Math.PI) / count);
