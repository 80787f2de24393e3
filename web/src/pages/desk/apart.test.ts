import { expect, test } from "vitest";
import type { DeskView } from "../../lib/types";
import { standsApart, type DeskRecord } from "./apart";

const table = (number: number, ...results: number[][]): object => ({
  number,
  names: ["a", "b", "c", "d"],
  results: results.map((points) => ({ points })),
});
const view = (...tables: object[]): DeskView =>
  ({ rounds: [{ number: 1, at: 5, over: false, tables }] }) as unknown as DeskView;
const slip: DeskRecord = { do: "slip", round: 1, table: 2, points: [1, 2, 3, -6], note: "" };

test("a result is sent again by itself where others wrote about another table, and not where it was this one", () => {
  const seen = view(table(1), table(2));
  expect(standsApart(slip, seen, view(table(1, [8, 0, 0, -8]), table(2)))).toBe(true);
  expect(standsApart(slip, seen, view(table(1), table(2, [8, 0, 0, -8])))).toBe(false);
  expect(standsApart(slip, seen, { rounds: [] } as unknown as DeskView)).toBe(false); // the round was undone
});

test("penalties and people stand apart from everything, rounds from nothing", () => {
  const seen = view(table(1), table(2));
  expect(standsApart({ do: "fine", name: "a", points: 5 } as DeskRecord, seen, seen)).toBe(true);
  expect(standsApart({ do: "leave", name: "a", back: false } as DeskRecord, seen, seen)).toBe(true);
  expect(standsApart({ do: "undo_round" } as DeskRecord, seen, seen)).toBe(false);
  expect(standsApart({ do: "begin" } as DeskRecord, seen, seen)).toBe(false);
});
