// Words for what fans are worth.
import { say, t } from "./prefs.svelte";
import type { Bilingual } from "./types";

/** The unit of a part of a value: 副 and 翻, or 番. */
export const unitOf = (part: string, value: Record<string, number>): string =>
  part === "fu"
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

export const valueText = (value: Record<string, number>): string =>
  Object.entries(value)
    .map(([part, n]) => amount(n, { zh: unitOf(part, value), en: unitOf(part, value) }))
    .join(" ");

/** So many digits behind the point, with a real minus. */
export const fixed = (n: number, digits: number): string => n.toFixed(digits).replace("-", "−");

/** +12 −3 0, with a real minus. */
export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");
