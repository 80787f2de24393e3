// The characters that are one in a search: the table of the Python package (data/script.txt), cut to those that the
// texts of the pages and the rulebooks have, so that a page carries no more than it needs.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runs } from "./hant.mjs";

const TABLE = fileURLToPath(new URL("../../src/quepu/data/script.txt", import.meta.url));

/** Groups of characters that are one, the first of each standing for all: "发發髮 幺么麼麽 …". */
export function groups() {
  const there = new Set(runs().join(""));
  return readFileSync(TABLE, "utf-8")
    .split("\n")
    .filter((group) => [...group].some((c) => there.has(c)))
    .join(" ");
}

/** Every name of books and commands with its forms in Taiwan and Hong Kong, as tests/test_scripts.py writes them. */
export function forms() {
  const file = fileURLToPath(new URL("../../tests/scripts.tsv", import.meta.url));
  return readFileSync(file, "utf-8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
}

const NAME = "virtual:folding";
/** Gives the groups to whoever imports "virtual:folding". */
export const folding = {
  name: "folding",
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) => (id === `\0${NAME}` ? `export default ${JSON.stringify(groups())}` : undefined),
};
