import { beforeEach, expect, test } from "vitest";
import { blank } from "../practice/reply";
import {
  daysBefore,
  FIRST,
  isPuzzleDay,
  noteSolved,
  readReply,
  resultsOf,
  solvedOn,
  streakOf,
  today,
  writeReply,
} from "./puzzle";

beforeEach(() => localStorage.removeItem("quepu.puzzle"));

test("a date is one everywhere", () => {
  expect(today(Date.UTC(2026, 10, 29, 23, 59))).toBe("2026-11-29");
  expect(today(Date.UTC(2026, 10, 30, 0, 0))).toBe("2026-11-30");
});

test("the first answer of a day counts", () => {
  noteSolved("canton", "2026-11-29", "3m", false);
  noteSolved("canton", "2026-11-29", "4m", true);
  expect(solvedOn("canton", "2026-11-29")).toBe("3m");
  expect(solvedOn("guobiao", "2026-11-29")).toBeUndefined();
});

test("a streak is broken by a day without a puzzle, and by a wrong one", () => {
  for (const day of ["2026-02-26", "2026-02-28", "2026-03-01", "2026-03-02"])
    noteSolved("canton", day, "3m", true, day);
  expect(streakOf("canton", "2026-03-02")).toBe(3);
  noteSolved("canton", "2026-03-03", "3m", false, "2026-03-03");
  expect(streakOf("canton", "2026-03-03")).toBe(0);
  expect(streakOf("canton", "2026-03-04")).toBe(0);
});

test("a puzzle of the archive fills a gap and makes no streak", () => {
  noteSolved("canton", "2026-12-01", "3m", true, "2026-12-01");
  noteSolved("canton", "2026-12-02", "3m", true, "2026-12-05"); // made up for later
  noteSolved("canton", "2026-12-03", "3m", true, "2026-12-03");
  expect(streakOf("canton", "2026-12-03")).toBe(1);
  expect(Object.keys(resultsOf("canton"))).toHaveLength(3);
  expect(resultsOf("guobiao")).toEqual({});
});

test("the archive begins with the first day and never shows tomorrow", () => {
  expect(daysBefore(3, "2026-12-02")).toEqual(["2026-12-02", "2026-12-01", "2026-11-30"]);
  expect(daysBefore(9, FIRST)).toEqual([FIRST]);
  const now = "2026-12-02";
  expect([FIRST, "2026-11-30", now].map((day) => isPuzzleDay(day, now))).toEqual([true, true, true]);
  for (const wrong of ["2026-10-31", "2026-12-03", "2026-11-31", "2026-13-01", "heute", "", null])
    expect(isPuzzleDay(wrong, now)).toBe(false);
});

test("an answer of every kind is kept and read back", () => {
  const given = { ...blank(), fans: ["花龙"], points: 24, payable: false, waits: ["1s", "E"], discard: "3m" };
  for (const kind of ["fans", "points", "payable", "waits", "discard"] as const)
    expect(readReply(kind, writeReply(kind, given))).toEqual({ ...blank(), [kind]: given[kind] });
  expect(writeReply("discard", given)).toBe("3m"); // as it was kept before there were other kinds
  expect(readReply("points", "3m")).toEqual(blank());
});
