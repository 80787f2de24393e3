// Outlines of Han characters, taken at build time from LXGW WenKai Bold (SIL OFL 1.1, npm lxgw-wenkai-webfont).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as fontkit from "fontkit";
import { el, ink, n } from "./paint.mjs";

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve("lxgw-wenkai-webfont/package.json"));

// The web font is cut in many files; its style sheet says which file holds which code points.
const cuts = [
  ...readFileSync(join(folder, "lxgwwenkai-bold.css"), "utf8").matchAll(
    /url\('\.\/([^']+)'\)[^}]*unicode-range:\s*([^}]+)\}/g,
  ),
].map(([, file, ranges]) => ({
  file,
  ranges: ranges.split(",").map((range) =>
    range
      .trim()
      .replace(/^U\+/i, "")
      .split("-")
      .map((hex) => parseInt(hex, 16)),
  ),
}));
const opened = new Map();

function outline(character) {
  const code = character.codePointAt(0);
  const cut = cuts.find(({ ranges }) => ranges.some(([low, high = low]) => low <= code && code <= high));
  if (!cut) throw new Error(`LXGW WenKai has no ${character}`);
  if (!opened.has(cut.file)) opened.set(cut.file, fontkit.openSync(join(folder, cut.file)));
  const glyph = opened.get(cut.file).glyphForCodePoint(code);
  const { minX, minY, maxX, maxY } = glyph.bbox;
  const d = glyph.path.commands
    .map(
      ({ command, args }) =>
        ({ moveTo: "M", lineTo: "L", quadraticCurveTo: "Q", bezierCurveTo: "C", closePath: "Z" })[command] +
        args.map(Math.round).join(" "),
    )
    .join("");
  return { d, minX, minY, maxX, maxY };
}

// Open characters look thinner than dense ones: a stroke of this many face units makes them equally black.
const HEAVIER = {
  東: 1.1,
  南: 0.7,
  西: 0.6,
  北: 0.9,
  中: 1.1,
  一: 0.9,
  二: 0.7,
  三: 0.6,
  六: 0.6,
  七: 0.7,
  八: 0.7,
  九: 0.5,
  萬: 0.2,
  發: 0.6,
};

/** `character` centred at (cx, cy), as large as fits in width × height of the 60 × 80 face. */
export function han(character, cx, cy, width, height, colour) {
  const { d, minX, minY, maxX, maxY } = outline(character);
  const scale = Math.min(width / (maxX - minX), height / (maxY - minY));
  return el("path", {
    d,
    fill: ink(colour),
    stroke: ink(colour),
    "stroke-width": n((HEAVIER[character] ?? 0.3) / scale),
    "stroke-linejoin": "round",
    transform:
      `translate(${n(cx)} ${n(cy)}) scale(${scale.toFixed(4)} ${(-scale).toFixed(4)}) ` +
      `translate(${Math.round(-(minX + maxX) / 2)} ${Math.round(-(minY + maxY) / 2)})`,
  });
}
