// The mark as pictures for the start screens of phones: drawn from its outlines when the client is built.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

const PAPER = "#f6f4ee";
/** How much of the picture the mark takes: what is cut to any shape leaves a tenth free on every side. */
const PICTURES = [
  ["icon-192.png", 192, 1, undefined],
  ["icon-512.png", 512, 1, undefined],
  ["icon-maskable-512.png", 512, 0.7, PAPER],
  ["apple-touch-icon.png", 180, 0.86, PAPER],
];

/** Writes them beside the page; `mark` is what stands in a box of 60 × 60. */
export async function icons(mark) {
  const wasm = createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm");
  await initWasm(readFileSync(wasm));
  for (const [name, size, share, background] of PICTURES) {
    const free = (60 * (1 / share - 1)) / 2;
    const box = `${-free} ${-free} ${60 + 2 * free} ${60 + 2 * free}`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${mark}</svg>`;
    const drawn = new Resvg(svg, { fitTo: { mode: "width", value: size }, background }).render();
    writeFileSync(fileURLToPath(new URL(`../public/${name}`, import.meta.url)), drawn.asPng());
  }
}
