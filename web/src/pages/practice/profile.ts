// How one's tries at one's own mistakes went, by kind and month: shares with their 95% intervals.
import type { Bilingual, MistakeShape } from "../../lib/types";
import type { Try } from "./mistakes";

const Z = 1.959964; // of 95%

/** A share of cases; the true one is between `low` and `high` with 95% confidence (Wilson's interval). */
export interface Share {
  right: number;
  of: number;
  low: number;
  high: number;
}
export interface KindProfile {
  kind: MistakeShape["kind"];
  name: Bilingual;
  all: Share;
  /** By month, as in `Profile.months`; null without a try. */
  months: (Share | null)[];
}
export interface Profile {
  months: string[];
  kinds: KindProfile[];
}

export function shareOf(right: number, of: number): Share {
  if (!of) return { right, of, low: 0, high: 1 };
  const share = right / of;
  const middle = (share + (Z * Z) / (2 * of)) / (1 + (Z * Z) / of);
  const half = (Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of))) / (1 + (Z * Z) / of);
  return { right, of, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

const count = (some: readonly Try[]): Share => shareOf(some.filter((one) => one.right).length, some.length);

/** The month of a time where the reader is, as in 2026-11. */
export function monthOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}`;
}

/** The latest months with a try, oldest first; kinds by the number of tries. */
export function profileOf(tries: readonly Try[], most = 6): Profile {
  const months = [...new Set(tries.map((one) => monthOf(one.at)))].sort().slice(-most);
  const byKind = new Map<MistakeShape["kind"], Try[]>();
  for (const one of tries) byKind.set(one.mistake.kind, [...(byKind.get(one.mistake.kind) ?? []), one]);
  const kinds = [...byKind.entries()].map(([kind, some]) => ({
    kind,
    name: some[0]?.mistake.name ?? { zh: kind, en: kind },
    all: count(some),
    months: months.map((month) => {
      const own = some.filter((one) => monthOf(one.at) === month);
      return own.length ? count(own) : null;
    }),
  }));
  return { months, kinds: kinds.sort((one, other) => other.all.of - one.all.of) };
}
