// Our own Chinese letters, for machines that have none: cut when the client is built from Noto Sans SC (SIL OFL 1.1,
// npm @fontsource-variable/noto-sans-sc), with just the characters that the pages and the rulebooks write, in both
// scripts, and in the two weights that pages use. The commonest come first, so that a page fetches few of the files.
// What else somebody may type (a name) is in the package's own files. Latin letters are no part of it: every machine
// has them.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { createFont } from "fonteditor-core";
import subsetFont from "subset-font";
import { texts, written } from "./hant.mjs";

const require = createRequire(import.meta.url);
const PACKAGE = dirname(require.resolve("@fontsource-variable/noto-sans-sc/package.json"));
const TARGET = fileURLToPath(new URL("../generated/fonts/", import.meta.url));
const WEIGHTS = [400, 700];
const EACH = 250; // characters in a file: some 40 KB
const FIRST = 0x2e80; // of the code points that are Chinese
const CHINESE = /[\u2e80-\u9fff\uff00-\uffef]/g;

/** The Chinese characters of all texts, the commonest first, then those that only 繁體 has. */
export function characters() {
  const sources = texts();
  const often = new Map();
  for (const text of sources) for (const c of new Set(text.match(CHINESE))) often.set(c, (often.get(c) ?? 0) + 1);
  const simplified = [...often.keys()].sort((a, b) => often.get(b) - often.get(a) || (a < b ? -1 : 1));
  const traditional = new Set(sources.flatMap((text) => written(text).match(CHINESE) ?? []));
  return [...new Set([...simplified, ...[...traditional].sort()])];
}

/** The package's files of Chinese characters, each with the code points that it has. */
function packaged() {
  const found = JSON.parse(readFileSync(join(PACKAGE, "unicode.json"), "utf-8"));
  return Object.entries(found)
    .map(([name, ranges]) => ({
      file: join(PACKAGE, "files", `noto-sans-sc-${name.replace(/[[\]]/g, "")}-wght-normal.woff2`),
      ranges: ranges
        .split(",")
        .map((range) => range.replace(/U\+/i, "").split("-"))
        .map(([low, high = low]) => [Math.max(FIRST, parseInt(low, 16)), parseInt(high, 16)])
        .filter(([low, high]) => low <= high),
    }))
    .filter(({ ranges }) => ranges.length);
}

/** One font (woff2) with these characters in one weight, put together from the files that have some of them. */
async function cut(wanted, weight, files) {
  let whole;
  const there = new Set();
  for (const { file, ranges } of files) {
    const within = (code) => ranges.some(([low, high]) => low <= code && code <= high);
    const here = wanted.filter((c) => !there.has(c.codePointAt(0)) && within(c.codePointAt(0)));
    if (!here.length) continue;
    const options = { targetFormat: "sfnt", variationAxes: { wght: weight } };
    const part = createFont(await subsetFont(readFileSync(file), here.join(""), options), { type: "ttf" });
    const glyphs = part
      .compound2simple()
      .get()
      .glyf.filter((glyph) => {
        glyph.unicode = glyph.unicode?.filter((code) => !there.has(code)) ?? [];
        glyph.unicode.forEach((code) => there.add(code));
        return glyph.unicode.length;
      });
    if (whole) whole.get().glyf.push(...glyphs);
    else whole = part;
  }
  return subsetFont(Buffer.from(whole.write({ type: "ttf" })), wanted.join(""), { targetFormat: "woff2" });
}

/** A rule of the style sheet: these code points of this family are in this file. */
function face(family, weight, file, ranges) {
  const range = ranges.map(([low, high]) => `U+${low.toString(16)}${high > low ? `-${high.toString(16)}` : ""}`).join();
  return (
    `@font-face{font-family:"${family}";font-weight:${weight};font-display:swap;src:url(${file}) ` +
    `format("woff2");unicode-range:${range}}`
  );
}

/** Code points in order as ranges. */
function ranged(codes) {
  const ranges = [];
  for (const code of codes.sort((a, b) => a - b)) {
    if (ranges.at(-1)?.[1] === code - 1) ranges.at(-1)[1] = code;
    else ranges.push([code, code]);
  }
  return ranges;
}

/** Writes the fonts and their style sheet, unless they are there for these characters. */
export async function makeFonts() {
  const all = characters();
  const own = readFileSync(fileURLToPath(import.meta.url), "utf-8");
  const version = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf-8")).version;
  const mark = `/* ${createHash("sha256")
    .update([version, own, ...all].join())
    .digest("hex")
    .slice(0, 16)} */`;
  const sheet = join(TARGET, "fonts.css");
  if (existsSync(sheet) && readFileSync(sheet, "utf-8").startsWith(mark)) return;
  mkdirSync(TARGET, { recursive: true });
  for (const name of readdirSync(TARGET)) rmSync(join(TARGET, name));
  const files = packaged();
  const rules = files.map(({ file, ranges }) =>
    face("Noto Sans SC Variable", "100 900", relative(TARGET, file).replaceAll("\\", "/"), ranges),
  );
  for (let at = 0; at < all.length; at += EACH) {
    const wanted = all.slice(at, at + EACH);
    for (const weight of WEIGHTS) {
      const name = `quepu-sans-${at / EACH + 1}-${weight}.woff2`;
      writeFileSync(join(TARGET, name), await cut(wanted, weight, files));
      rules.push(face("Quepu Sans", weight, `./${name}`, ranged(wanted.map((c) => c.codePointAt(0)))));
    }
  }
  writeFileSync(sheet, `${mark}\n${rules.join("\n")}\n`);
}

/** Makes the fonts before anything is built. */
export const ownFonts = { name: "own-fonts", buildStart: makeFonts };
