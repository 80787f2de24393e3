// Words for what fans are worth.
import { say, t } from "./prefs.svelte";
import type { Bilingual } from "./types";

const PAIR = "pair_";

/** Whether a part of a value is what a pair is worth. */
export const isOfPair = (part: string): boolean => part.startsWith(PAIR);

/** The unit of a part of a value: 副, 翻 beside 副, else 番, which a book (its `unit`) may call points in English. */
export const unitOf = (part: string, value: Record<string, number>, unit?: Bilingual): string => {
  if (isOfPair(part)) {
    const own = unitOf(part.slice(PAIR.length), value, unit);
    return t(`${own}（对）`, `${own}, pair`);
  }
  if (part === "fu") return t("副", "fu");
  if (part === "points") return t("点", "points");
  if (part !== "fan") return part;
  return "fu" in value ? t("翻", "fan") : say(unit?.zh === "番" ? unit : { zh: "番", en: "fan" });
};

/** A unit beside so many of it: 1 point, 2 points. */
export const unitFor = (n: number, unit: Bilingual): string =>
  say({ zh: unit.zh, en: n === 1 ? unit.en.replace(/s$/, "") : unit.en });

/** So many of a unit. */
export const amount = (n: number, unit: Bilingual): string => `${n} ${unitFor(n, unit)}`;

export function valueText(value: Record<string, number>, unit?: Bilingual): string {
  const parts = Object.entries(value);
  const own = parts
    .filter(([part]) => !isOfPair(part))
    .map(([part, n]) => amount(n, { zh: unitOf(part, value, unit), en: unitOf(part, value, unit) }))
    .join(" ");
  const pair = parts.filter(([part]) => isOfPair(part)).map(([part, n]) => [part.slice(PAIR.length), n] as const);
  if (!pair.length) return own;
  const other = valueText(Object.fromEntries(pair), unit);
  return t(`${own}（对 ${other}）`, `${own} (pair ${other})`);
}

/** So many digits behind the point, with a real minus. */
export const fixed = (n: number, digits: number): string => n.toFixed(digits).replace("-", "−");

/** +12 −3 0, with a real minus. */
export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

/** A share of one as a whole percentage; more than nothing never reads as 0%. */
export const wholePercent = (share: number): string =>
  share > 0 && share < 0.01 ? "<1%" : `${Math.round(100 * share)}%`;
