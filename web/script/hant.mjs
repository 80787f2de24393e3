// The table by which pages are shown in 繁體: made when the client is built, by OpenCC, from every Chinese text that the
// client and the rulebooks have. Nothing of OpenCC's dictionaries is fetched by a phone but what these texts need.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Converter } from "opencc-js/cn2t";

const WEB = fileURLToPath(new URL("../", import.meta.url));
const SOURCES = [join(WEB, "src"), join(WEB, "..", "src", "quepu")];
const TEXT = /(?<!\.test)\.(py|ts|svelte|toml)$/;
const LONGEST = 6;

/** How players write what a dictionary takes for other words. */
export const MAHJONG = [
  ["幺", "么"],
  ["断么", "斷么"],
  ["花么", "花么"],
  ["冲和", "衝和"],
  ["绿发", "綠發"],
  ["杠三", "槓三"],
  ["杠九", "槓九"],
  ["旧表", "舊表"],
  ["有只", "有只"],
  ["是只", "是只"],
  ["数里", "數裡"],
  ["角里", "角裡"],
  ["龙里", "龍裡"],
  ["二只有", "二只有"],
  ["舍牌", "捨牌"],
  ["链接", "連結"],
  ["账", "帳"],
];

/** In names these stay as they are: what stands for another character in words does so in those words alone. */
const SURNAMES = "于范余涂游郁岳";
const ALONE = ["余 ", "餘 "]; // before a number

const plain = Converter({ from: "cn", to: "tw" });
/** A text as OpenCC and players write it. */
export function written(text) {
  let made = plain(text);
  for (const [simplified, word] of MAHJONG) made = made.replaceAll(plain(simplified), word);
  return made;
}

/** The sources that have the texts of the client, the rulebooks and the server. */
export function texts() {
  const found = [];
  for (const folder of SOURCES)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !TEXT.test(entry.name) || entry.parentPath.includes("static")) continue;
      found.push(readFileSync(join(entry.parentPath, entry.name), "utf-8"));
    }
  return found;
}

/** Every run of Chinese characters in the sources, once. */
export function runs() {
  const found = new Set();
  for (const text of texts()) for (const [run] of text.matchAll(/[\u3400-\u9fff]+/g)) found.add(run);
  return [...found].sort();
}

/** The table: each character with its form alone, and the words in which it is written otherwise, longest first. */
export function table() {
  const one = new Map();
  for (let code = 0x4e00; code <= 0x9fff; code++) {
    const from = String.fromCharCode(code);
    const to = written(from);
    if (to !== from && to.length === 1) one.set(from, to);
  }
  // What is on a page comes by again. So a character that is the form of another (么, of 幺) is its own, and is written
  // otherwise (麼) in words alone.
  for (const form of [...new Set(one.values()), ...SURNAMES]) one.delete(form);
  const alone = (text) => [...text].map((c) => one.get(c) ?? c).join("");
  const words = new Map([ALONE]);
  for (const run of runs()) {
    const whole = written(run);
    if (whole.length !== run.length) continue;
    for (let at = 0; at < run.length; at++) {
      if (alone(run[at]) === whole[at]) continue;
      // the shortest word around it that is written so by itself
      search: for (let size = 2; size <= LONGEST; size++)
        for (let from = Math.max(0, at - size + 1); from <= at && from + size <= run.length; from++) {
          const word = run.slice(from, from + size);
          if (written(word) === whole.slice(from, from + size)) {
            words.set(word, written(word));
            break search;
          }
        }
    }
  }
  return {
    characters: [...one].map(([from, to]) => from + to).join(""),
    words: [...words].sort((a, b) => b[0].length - a[0].length || (a[0] < b[0] ? -1 : 1)),
  };
}

const NAME = "virtual:hant";
/** Gives the table to whoever imports "virtual:hant". */
export const hant = {
  name: "hant",
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) => (id === `\0${NAME}` ? `export default ${JSON.stringify(table())}` : undefined),
};
