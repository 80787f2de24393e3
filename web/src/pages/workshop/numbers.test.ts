import { expect, test } from "vitest";
import type { FanEffect } from "../../lib/types";
import { bins, byValue, percent, rounded } from "./numbers";

test("shares", () => {
  expect([0, 0.5, 0.0123, 1, 2e-7].map(percent)).toEqual(["0%", "50%", "1.2%", "100%", "2.0×10⁻⁵%"]);
  expect([null, 3.14159, 123.45, 4321].map(rounded)).toEqual(["–", "3.14", "123.5", "4321"]);
});

test("bins hold everything", () => {
  const points = Array.from({ length: 300 }, (_, n) => [n, n < 40 ? 0.025 : 0, 1 / 300]);
  const found = bins(points, 14);
  expect(found.length).toBeLessThanOrEqual(14);
  expect(found.reduce((sum, row) => sum + row[1], 0)).toBeCloseTo(1);
  expect(found.reduce((sum, row) => sum + row[2], 0)).toBeCloseTo(1);
});

test("fans by value", () => {
  const fan = (name: string, old: number | null, now: number | null): FanEffect =>
    ({
      name,
      english: name,
      value: [old === null ? null : { fan: old }, now === null ? null : { fan: now }],
    }) as FanEffect;
  const rows = byValue([fan("a", 2, 2), fan("b", 8, 2), fan("c", null, 24), fan("d", 6, null)]);
  expect(rows.map((row) => row.value)).toEqual(["24", "2"]);
  expect(rows[1]?.fans.map((one) => [one.name, one.moved])).toEqual([
    ["a", false],
    ["b", true],
  ]);
  const lingque = { name: "e", english: "e", value: [null, { fu: 8, fan: 2 }] } as unknown as FanEffect;
  expect(byValue([lingque]).map((row) => row.value)).toEqual(["8/2"]);
});

test("a fan with another value as a pair stands by its own and is marked", () => {
  const value = [
    { fu: 4, fan: 1, pair_fu: 2, pair_fan: 1 },
    { fu: 4, fan: 1, pair_fu: 3, pair_fan: 1 },
  ];
  const [row] = byValue([{ name: "番牌 中", english: "red dragon", value } as unknown as FanEffect]);
  expect([row?.value, row?.fans[0]?.moved]).toEqual(["4/1", true]);
});
