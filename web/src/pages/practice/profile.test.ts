import { beforeEach, expect, test } from "vitest";
import type { MistakeShape } from "../../lib/types";
import { dueNow, keyOf, mistakes, noteTry, tries, type Mistake, type Try } from "./mistakes";
import { monthOf, profileOf, shareOf } from "./profile";

const DAY = 86_400_000;
const MONDAY = new Date(2026, 10, 2, 20).getTime();
const of = (kind: MistakeShape["kind"]): MistakeShape => ({ kind, name: { zh: kind, en: kind } });
const KINDS: MistakeShape["kind"][] = ["missed_win", "claim", "unpayable", "safety", "speed", "value"];

beforeEach(() => localStorage.removeItem("quepu.mistakes"));

test("an interval holds the share and becomes narrower with more tries", () => {
  for (const [right, tried] of [
    [0, 1],
    [1, 1],
    [3, 10],
    [300, 1000],
  ] as const) {
    const found = shareOf(right, tried);
    expect(found.low).toBeLessThanOrEqual(right / tried);
    expect(found.high).toBeGreaterThanOrEqual(right / tried);
  }
  expect(shareOf(7, 10).low).toBeCloseTo(0.3968, 3); // Wilson, 1927
  expect(shareOf(7, 10).high).toBeCloseTo(0.8922, 3);
  expect(shareOf(300, 1000).high - shareOf(300, 1000).low).toBeLessThan(shareOf(3, 10).high - shareOf(3, 10).low);
  expect(shareOf(0, 0)).toMatchObject({ low: 0, high: 1 });
});

test("a profile counts each kind by month", () => {
  const one = (kind: MistakeShape["kind"], month: number, right: boolean): Try => ({
    at: new Date(2026, month - 1, 15).getTime(),
    mistake: of(kind),
    right,
  });
  const found = profileOf([
    one("speed", 9, false),
    one("speed", 11, true),
    one("speed", 11, false),
    one("claim", 10, true),
  ]);
  expect(found.months).toEqual(["2026-09", "2026-10", "2026-11"]);
  expect(found.kinds.map((kind) => kind.kind)).toEqual(["speed", "claim"]);
  const cells = found.kinds.map((kind) => kind.months.map((cell) => cell && `${cell.right}/${cell.of}`));
  expect(cells).toEqual([
    ["0/1", null, "1/2"],
    [null, "1/1", null],
  ]);
  expect(profileOf([one("speed", 9, true), one("speed", 10, true)], 1).months).toEqual(["2026-10"]);
  expect(profileOf([])).toEqual({ months: [], kinds: [] });
});

test("a week of drills: what is missed comes back daily, what is known less and less, and the profile adds up", () => {
  const puzzles = KINDS.flatMap((kind) =>
    [1, 2, 3].map((hand) => ({
      ...({ replay: kind, frame: 1, seat: "E", shares: { a: 1, b: 0 }, best: "a", chosen: "b" } as unknown as Mistake),
      hand,
      mistake: of(kind),
      met: 0,
      solved: 0,
      due: MONDAY,
    })),
  );
  localStorage.setItem("quepu.mistakes", JSON.stringify({ puzzles, matches: [] }));
  const met: string[][] = [];
  for (let day = 0; day < 7; day += 1) {
    const now = MONDAY + day * DAY;
    const today = dueNow(mistakes(), now);
    met.push(today.map((one) => keyOf(one)));
    // safety is not understood before Friday; everything else is known at once
    for (const one of today) noteTry(keyOf(one), one.mistake?.kind !== "safety" || day >= 4, now);
  }
  const counts = (kind: string): number[] => met.map((day) => day.filter((key) => key.startsWith(`${kind}/`)).length);
  expect(counts("speed")).toEqual([3, 3, 0, 0, 3, 0, 0]); // after one day, after three
  expect(counts("safety")).toEqual([3, 3, 3, 3, 3, 3, 0]);
  const found = profileOf(tries());
  expect(found.months).toEqual([monthOf(MONDAY)]);
  expect(found.kinds[0]).toMatchObject({ kind: "safety", all: { right: 6, of: 18 } });
  expect(found.kinds.filter((kind) => kind.kind !== "safety").map((kind) => [kind.all.right, kind.all.of])).toEqual(
    Array(5).fill([9, 9]),
  );
  expect(tries()).toHaveLength(met.flat().length);
});
