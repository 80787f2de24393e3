// Writes the sprite: 34 faces, 8 flowers, the back and the project's mark, one <symbol> each, in a box of 60 × 80.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bamboo } from "./bamboo.mjs";
import { dots } from "./dots.mjs";
import { flower } from "./flowers.mjs";
import { han } from "./han.mjs";
import { icons } from "./icons.mjs";
import { el, group, ink, stroke } from "./paint.mjs";

const RANKS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const character = (rank) =>
  han("一二三四五六七八九"[rank - 1], 30, 21.5, 40, 25, "ink") + han("萬", 30, 56, 41, 37, "red");

function white() {
  const frame = (inset, radius, width) =>
    el("rect", {
      x: inset,
      y: inset + 2,
      width: 60 - 2 * inset,
      height: 76 - 2 * inset,
      rx: radius,
      fill: "none",
      stroke: ink("blue"),
      "stroke-width": width,
    });
  return (
    frame(9, 4, 3.6) + frame(15.5, 1.5, 1.4) + stroke("M20 28V23H25M35 23H40V28M40 52V57H35M25 57H20V52", "blue", 2.2)
  );
}

const HONOURS = {
  E: () => han("東", 30, 40, 45, 54, "ink"),
  S: () => han("南", 30, 40, 41, 50, "ink"),
  W: () => han("西", 30, 40, 43, 47, "ink"),
  N: () => han("北", 30, 40, 44, 50, "ink"),
  C: () => han("中", 30, 40, 40, 58, "red"),
  F: () => han("發", 30, 40, 46, 56, "green"),
  P: white,
};

function back() {
  // Clouds in offset rows, clipped by leaving the margin free.
  const clouds = [];
  for (let row = 0, y = 16; y < 76; row += 1, y += 8)
    for (let x = row % 2 ? 15 : 22.5; x < 50; x += 15)
      clouds.push(`M${x - 7} ${y}a7 7 0 0 1 14 0M${x - 4} ${y}a4 4 0 0 1 8 0`);
  return group(
    { fill: "none", stroke: "#fff", "stroke-opacity": ".22", "stroke-width": "1.1" },
    el("rect", { x: 5, y: 5, width: 50, height: 70, rx: 4 }),
    el("path", { d: clouds.join("") }),
  );
}

const mark = () =>
  el("rect", { x: 2, y: 2, width: 56, height: 56, rx: 9, fill: ink("red") }) + han("雀", 30, 30, 42, 42, "face");

const symbols = [
  ...RANKS.map((rank) => [`${rank}m`, character(rank)]),
  ...RANKS.map((rank) => [`${rank}p`, dots(rank)]),
  ...RANKS.map((rank) => [`${rank}s`, bamboo(rank)]),
  ...Object.entries(HONOURS).map(([id, draw]) => [id, draw()]),
  ...Array.from({ length: 8 }, (_, number) => [`f${number + 1}`, flower(number)]),
  ["back", back()],
].map(([id, art]) => `<symbol id="${id}" viewBox="0 0 60 80">${art}</symbol>`);
symbols.push(`<symbol id="mark" viewBox="0 0 60 60">${mark()}</symbol>`);

const source = "Han outlines: LXGW WenKai Bold, SIL Open Font License 1.1; all else drawn by quepu";
const svg = `<svg xmlns="http://www.w3.org/2000/svg"><!-- ${source} -->\n${symbols.join("\n")}\n</svg>\n`;
const folder = fileURLToPath(new URL("../generated/", import.meta.url));
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}tiles.svg`, svg);
// The mark alone is the page's icon; an icon knows no variables, so the fallbacks are written out.
const plain = mark().replace(/var\(--t-\w+,(#\w+)\)/g, "$1");
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60">${plain}</svg>\n`;
writeFileSync(`${folder}icon.svg`, icon);
// the installed app's, by one address
writeFileSync(fileURLToPath(new URL("../public/icon.svg", import.meta.url)), icon);
await icons(plain);
console.log(`tiles.svg: ${symbols.length} symbols, ${svg.length} bytes, ${gzipSync(svg).length} compressed`);
