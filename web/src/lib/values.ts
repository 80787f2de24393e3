// Words for what fans are worth.
import { say, t } from "./prefs.svelte";
import type { Bilingual } from "./types";

const PAIR = "pair_";

/** Whether a part of a value is what a pair is worth. */
export const isOfPair = (part: string): boolean => part.startsWith(PAIR);

/** The unit of a part of a value: 副 and 翻, or 番; with a word before it where the part is what a pair is worth. */
export const unitOf = (part: string, value: Record<string, number>): string =>
  isOfPair(part)
    ? t(`${unitOf(part.slice(PAIR.length), value)}（对）`, `${unitOf(part.slice(PAIR.length), value)}, pair`)
    : part === "fu"
      ? t("副", "fu")
      : part === "fan"
        ? "fu" in value
          ? t("翻", "fan")
          : t("番", "fan")
        : part === "points"
          ? t("点", "points")
          : part;

/** A unit beside so many of it: 1 point, 2 points. */
export const unitFor = (n: number, unit: Bilingual): string =>
  say({ zh: unit.zh, en: n === 1 ? unit.en.replace(/s$/, "") : unit.en });

/** So many of a unit. */
export const amount = (n: number, unit: Bilingual): string => `${n} ${unitFor(n, unit)}`;

export function valueText(value: Record<string, number>): string {
  const parts = Object.entries(value);
  const own = parts
    .filter(([part]) => !isOfPair(part))
    .map(([part, n]) => amount(n, { zh: unitOf(part, value), en: unitOf(part, value) }))
    .join(" ");
  const pair = parts.filter(([part]) => isOfPair(part)).map(([part, n]) => [part.slice(PAIR.length), n] as const);
  if (!pair.length) return own;
  const other = valueText(Object.fromEntries(pair));
  return t(`${own}（对 ${other}）`, `${own} (pair ${other})`);
}

/** So many digits behind the point, with a real minus. */
export const fixed = (n: number, digits: number): string => n.toFixed(digits).replace("-", "−");

/** +12 −3 0, with a real minus. */
export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");
