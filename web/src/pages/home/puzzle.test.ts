import { beforeEach, expect, test } from "vitest";
import { noteSolved, seedOf, solvedOn, streakOf, today } from "./puzzle";

beforeEach(() => localStorage.removeItem("quepu.puzzle"));

test("a date is one everywhere, and makes the seed of its puzzle", () => {
  expect(today(Date.UTC(2026, 10, 29, 23, 59))).toBe("2026-11-29");
  expect(today(Date.UTC(2026, 10, 30, 0, 0))).toBe("2026-11-30");
  expect(seedOf("2026-11-29")).toBe(20261129);
});

test("the first answer of a day counts", () => {
  noteSolved("canton", "2026-11-29", "3m", false);
  noteSolved("canton", "2026-11-29", "4m", true);
  expect(solvedOn("canton", "2026-11-29")).toBe("3m");
  expect(solvedOn("guobiao", "2026-11-29")).toBeUndefined();
});

test("a streak is broken by a day without a puzzle, and by a wrong one", () => {
  for (const day of ["2026-02-26", "2026-02-28", "2026-03-01", "2026-03-02"]) noteSolved("canton", day, "3m", true);
  expect(streakOf("canton", "2026-03-02")).toBe(3);
  noteSolved("canton", "2026-03-03", "3m", false);
  expect(streakOf("canton", "2026-03-03")).toBe(0);
  expect(streakOf("canton", "2026-03-04")).toBe(0);
});
