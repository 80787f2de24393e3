// Names of tiles. A kind is written as the notation writes it: 1m … 9s, E S W N C F P; flowers are f1 … f8.
import { t } from "./prefs.svelte";

export type Kind = string;

const RANKS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
const numbers = (suit: string): Kind[] => RANKS.map((rank) => rank + suit);

/** The 34 kinds as rows of the picker. */
export const ROWS: readonly (readonly Kind[])[] = [
  numbers("m"),
  numbers("p"),
  numbers("s"),
  ["E", "S", "W", "N", "C", "F", "P"],
];
export const KINDS: readonly Kind[] = ROWS.flat();

const ORDER = new Map(KINDS.map((kind, at) => [kind, at]));
const SUITS: Record<string, [string, string]> = { m: ["万", "characters"], p: ["筒", "dots"], s: ["索", "bamboo"] };
const HONOURS: Record<Kind, [string, string]> = {
  E: ["东", "east"],
  S: ["南", "south"],
  W: ["西", "west"],
  N: ["北", "north"],
  C: ["红中", "red dragon"],
  F: ["发财", "green dragon"],
  P: ["白板", "white dragon"],
};
const FLOWERS: [string, string][] = [
  ["春", "spring"],
  ["夏", "summer"],
  ["秋", "autumn"],
  ["冬", "winter"],
  ["梅", "plum"],
  ["兰", "orchid"],
  ["竹", "bamboo flower"],
  ["菊", "chrysanthemum"],
];

export const flowerName = (number: number): string => t(...(FLOWERS[number] ?? ["花", "flower"]));
/** The names of the flowers as the server knows them. */
export const FLOWER_KEYS = FLOWERS.map(([zh]) => zh);

/** The id of a tile's art: flowers, which the server calls by name, are f1 … f8 there. */
export function artOf(kind: Kind): string {
  const flower = FLOWER_KEYS.indexOf(kind);
  return flower < 0 ? kind : `f${flower + 1}`;
}

/** The spoken name of a tile: 三万, three of characters. */
export function nameOf(kind: Kind): string {
  if (kind === "back") return t("暗牌", "face-down tile");
  const flower = FLOWER_KEYS.indexOf(kind);
  if (flower >= 0 || kind.startsWith("f")) return flowerName(flower >= 0 ? flower : Number(kind[1]) - 1);
  const honour = HONOURS[kind];
  if (honour) return t(...honour);
  const rank = Number(kind[0]);
  const suit = SUITS[kind[1] ?? ""] ?? ["", ""];
  return t("一二三四五六七八九"[rank - 1] + suit[0], `${rank} of ${suit[1]}`);
}

/** An English sentence with the name of its tile instead of the notation ("8p"), which newcomers cannot read. */
export const spelled = (words: string, kind: Kind | null | undefined): string =>
  kind ? words.replace(new RegExp(`^(.*) ${kind}(?= |$)`), `$1 ${nameOf(kind)}`) : words;

/** What the corner of a face shows when corner signs are wanted. */
export const cornerOf = (kind: Kind): string =>
  kind === "back" || kind.startsWith("f") || FLOWER_KEYS.includes(kind)
    ? ""
    : /\d/.test(kind)
      ? (kind[0] ?? "")
      : t((HONOURS[kind]?.[0] ?? "").replace("红中", "中").slice(0, 1), kind);

/** In the order of the picker. */
export const sorted = (kinds: readonly Kind[]): Kind[] =>
  [...kinds].sort((a, b) => (ORDER.get(a) ?? 0) - (ORDER.get(b) ?? 0));

/** Kinds written shortly, as the notation has it: 1m 2m 3m → 123m. */
export function write(kinds: readonly Kind[]): string {
  return kinds
    .map((kind, at) =>
      kind.length === 2 && kinds[at + 1]?.length === 2 && kinds[at + 1]?.[1] === kind[1] ? kind[0] : kind,
    )
    .join("");
}

export const WINDS: readonly Kind[] = ["E", "S", "W", "N"];
export const windName = (wind: Kind): string =>
  t(
    { E: "东", S: "南", W: "西", N: "北" }[wind] ?? wind,
    { E: "East", S: "South", W: "West", N: "North" }[wind] ?? wind,
  );
