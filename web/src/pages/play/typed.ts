// Moves that are typed: 打五万, 碰, 吃三四万, 5m, discard 5m. What a text means is looked for among what may be done now.
import { oneScript } from "../../lib/folding";
import { t } from "../../lib/prefs.svelte";
import { nameOf, type Kind } from "../../lib/tiles";
import type { TableOption as Option } from "../../lib/types";
import { discardOf } from "./choices";

const RANKS = "一二三四五六七八九";
// prettier-ignore
const SUITS: Record<string, string> = {
  m: "m", 万: "m", 萬: "m", p: "p", 筒: "p", 饼: "p", 餅: "p", s: "s", 索: "s", 条: "s", 條: "s",
};
// prettier-ignore
const HONOURS: Record<string, Kind> = {
  东: "E", 東: "E", 南: "S", 西: "W", 北: "N", 中: "C", 发: "F", 發: "F", 白: "P",
};
const FIFTH = "ESWNPFC"; // 1z … 7z

/** Tiles as they are read to people in English, and their notation: 5 of characters, east, red dragon. */
const ENGLISH: readonly [RegExp, string][] = [
  [/\b(?:of|winds?|dragon)\b/gi, ""],
  [/\bcharacters?\b/gi, "m"],
  [/\bdots?\b/gi, "p"],
  [/\bbamboos?\b/gi, "s"],
  ...["east", "south", "west", "north", "red", "green", "white"].map((word, at): [RegExp, string] => [
    new RegExp(`\\b${word}\\b`, "gi"),
    "ESWNCFP"[at] ?? "",
  ]),
  ...["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"].map((word, at): [RegExp, string] => [
    new RegExp(`\\b${word}\\b`, "gi"),
    String(at + 1),
  ]),
];
const notation = (text: string): string =>
  ENGLISH.reduce((so, [word, sign]) => so.replace(word, sign), text)
    .replace(/\d[MPS]\b/g, (tile) => tile.toLowerCase())
    .trim();

/** Tiles out of a text, with the number of characters that were no tile: 三四万, 34m, 东风, 5z, E. */
export function tilesOf(text: string): { tiles: Kind[]; rest: string } {
  const tiles: Kind[] = [];
  let ranks: string[] = [];
  let rest = "";
  for (const sign of text.replace(/风|板|红(?=中)/gu, "").replace(/[\s,，、+]/gu, "")) {
    const rank = RANKS.indexOf(sign) + 1;
    const suit = SUITS[sign];
    if (rank || /[1-9]/.test(sign)) ranks.push(rank ? String(rank) : sign);
    else if (suit && ranks.length) {
      tiles.push(...ranks.map((one) => one + suit));
      ranks = [];
    } else if (sign === "z" && ranks.length) {
      tiles.push(...ranks.map((one) => FIFTH[Number(one) - 1] ?? ""));
      ranks = [];
    } else if (HONOURS[sign]) tiles.push(HONOURS[sign]);
    else if (/[ESWNCFP]/.test(sign)) tiles.push(sign);
    else rest += sign;
  }
  return { tiles: tiles.filter(Boolean), rest: rest + ranks.join("") };
}

const WORDS: readonly [RegExp, Option["do"][]][] = [
  [/^(自摸|和牌?|胡牌?|win|h)$/i, ["win"]],
  [/^(过|不要|pass|x)$/i, ["pass"]],
  [/^(碰|pung|pong|p)/i, ["pung"]],
  [/^(暗杠|加杠|明杠|杠|(?:(?:concealed|added) )?kong|k)/i, ["kong", "concealed", "added"]],
  [/^(吃|chow|chi)/i, ["chow"]],
  [/^(补花|花|flower|b)$/i, ["flower"]],
  [/^(报听|听|ready|r)/i, ["ready", "discard"]],
];

const run = (low: Kind): Kind[] => [0, 1, 2].map((by) => `${Number(low[0]) + by}${low[1]}`);

/** The option that a text means, or a sentence that says why there is none. */
export function typed(text: string, options: readonly Option[], drawn: Kind | null): Option | string {
  const entered = text.trim();
  const line = notation(oneScript(entered));
  const none = t(`现在不能“${entered}”。`, `“${entered}” is not possible now.`);
  const which = t("有几种选择，请写出牌。", "There are several choices: name the tiles.");
  if (/^(摸切|摸打|drawn)$/i.test(line)) return drawn ? (discardOf(options, drawn, true) ?? none) : none;
  for (const [word, deeds] of WORDS) {
    const found = word.exec(line)?.[0];
    if (!found || (/^[pk]$/i.test(found) && line.length > 1)) continue; // p alone is a pung, pE nothing
    if (line === "P" && !options.some((one) => one.do === "pung")) continue; // 白
    const { tiles, rest } = tilesOf(line.slice(found.length));
    const ready = deeds.includes("ready");
    const fits = options.filter((one) => deeds.includes(one.do) && (!ready || one.do === "ready" || one.ready));
    const named = fits.filter((one) =>
      one.do === "chow" && one.low
        ? tiles.every((kind) => run(one.low ?? "").includes(kind)) &&
          (tiles.length !== 2 || !tiles.includes(one.tile ?? ""))
        : tiles.every((kind) => kind === one.tile),
    );
    const nth = /^[123]$/.test(rest) && deeds[0] === "chow" ? fits[Number(rest) - 1] : undefined;
    if (nth) return nth;
    if (rest || !named.length) return none;
    const only = new Set(named.map((one) => `${one.do}${one.tile}${one.low}`)).size === 1;
    return (only ? named[0] : undefined) ?? which;
  }
  const { tiles, rest } = tilesOf(line.replace(/^(打|出|discard|d)/i, ""));
  const [kind] = tiles;
  if (!kind || tiles.length > 1 || rest)
    return t(`没看懂“${entered}”：写“打五万”“碰”“5m”。`, `“${entered}” was not understood. Try 5m, pung or pass.`);
  return (
    discardOf(options, kind, kind === drawn) ??
    t(`现在不能打${nameOf(kind)}。`, `${nameOf(kind)} cannot be discarded now.`)
  );
}
