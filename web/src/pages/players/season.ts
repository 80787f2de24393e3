// The time over which figures are added up.
import { t } from "../../lib/prefs.svelte";

export type Season = "all" | "year" | "quarter" | "last";

/** A day in the form of the server, by this browser's clock. */
export const day = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((n) => String(n).padStart(2, "0")).join("-");

/** The first and the last day of a season that holds this moment; "" is no limit. */
export function daysOf(season: Season, now: Date): { since: string; until: string } {
  const year = now.getFullYear();
  if (season === "all") return { since: "", until: "" };
  if (season === "last") return { since: `${year - 1}-01-01`, until: `${year - 1}-12-31` };
  const month = season === "year" ? 0 : now.getMonth() - (now.getMonth() % 3);
  return { since: day(new Date(year, month, 1)), until: "" };
}

/** The query for a season that holds this moment. */
export function seasonQuery(season: Season, now = new Date()): string {
  const { since } = daysOf(season, now);
  return since ? `?since=${new Date(`${since}T00:00`).getTime() / 1000}` : "";
}

/** What a record is for. */
export const recordWords = (kind: string): string =>
  ({
    win: t("最大的和牌", "Best win"),
    total: t("单场最高", "Best total at a table"),
    wins: t("单场和牌最多", "Most wins at a table"),
    firsts: t("连续头名", "Tables won in a row"),
    safe: t("连续不放铳的局数（按整场计）", "Hands in a row without dealing in (whole tables)"),
  })[kind] ?? kind;

/** An amount in hundredths, as people write money. */
export const money = (amount: number): string => (amount / 100).toFixed(2).replace("-", "−");

/** An amount in hundredths; null if it has more than two decimals. */
export function toHundredths(amount: number): number | null {
  const cents = Math.round(100 * amount);
  return Math.abs(100 * amount - cents) < 1e-6 ? cents : null;
}
