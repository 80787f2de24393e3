// Numbers of the workshop as they are shown.
import type { FanEffect } from "../../lib/types";
import { isOfPair } from "../../lib/values";

const raised = (n: string): string => [...n].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[+digit]).join("");

/** 0.1234 → 12.3%; small shares keep two digits. */
export const percent = (share: number): string => {
  const n = 100 * share;
  if (n === 0) return "0%";
  if (Math.abs(n) < 0.001)
    return `${n.toExponential(1).replace(/e-(\d+)/, (_, power: string) => `×10⁻${raised(power)}`)}%`;
  return `${n.toPrecision(Math.abs(n) >= 10 ? 3 : 2).replace(/\.0+$/, "")}%`;
};

export const rounded = (n: number | null): string =>
  n === null ? "–" : n >= 1000 ? n.toFixed(0) : n >= 100 ? n.toFixed(1) : n.toFixed(2);

/** Shares of points gathered into at most so many bins of round width: the least points of each, before and after. */
export function bins(points: readonly (readonly number[])[], most: number): [number, number, number][] {
  const sorted = [...points].sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  // the few hands of very many points share the last bin
  let seen = 0;
  const limit = sorted.find((row) => (seen += Math.max(row[1] ?? 0, 0)) > 0.995)?.[0] ?? sorted.at(-1)?.[0] ?? 0;
  const width = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((w) => limit / w < most - 1) ?? 1000;
  const found = new Map<number, [number, number]>();
  const last = Math.floor(limit / width) + 1;
  for (const [n = 0, a = 0, b = 0] of sorted) {
    const at = Math.min(Math.floor(n / width), last);
    const [x, y] = found.get(at) ?? [0, 0];
    found.set(at, [x + a, y + b]);
  }
  const first = Math.min(...found.keys());
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const [a, b] = found.get(first + i) ?? [0, 0];
    return [(first + i) * width, a, b];
  });
}

export interface ValueRow {
  value: string;
  fans: { name: string; english: string; moved: boolean }[];
}

/** The numbers of a value without those of its pair. */
const own = (value: Record<string, number>): number[] =>
  Object.entries(value).flatMap(([part, n]) => (isOfPair(part) ? [] : n));

/** The fans of a draft by value (of 副 and 翻 by their product), the highest first; those with a new value are marked. */
export function byValue(fans: readonly FanEffect[]): ValueRow[] {
  const found = new Map<string, { parts: number[]; fans: ValueRow["fans"] }>();
  for (const fan of fans) {
    const value = fan.value[1];
    if (!value) continue;
    const parts = own(value);
    const key = parts.join("/");
    const row = found.get(key) ?? { parts, fans: [] };
    const moved = Object.entries(value).some(([part, n]) => fan.value[0]?.[part] !== n);
    row.fans.push({ name: fan.name, english: fan.english, moved });
    found.set(key, row);
  }
  const size = (parts: number[]): number => parts.reduce((product, part) => product * Math.max(1, part), 1);
  return [...found.entries()]
    .sort(([, a], [, b]) => size(b.parts) - size(a.parts))
    .map(([value, row]) => ({ value, fans: row.fans }));
}
