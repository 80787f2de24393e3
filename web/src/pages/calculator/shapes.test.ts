import { describe, expect, it } from "vitest";
import type { ChoiceShape } from "../../lib/types";
import { compareShapes, drawnWithin } from "./shapes";

const far = (discard: string, missing: number, useful: Record<string, number>): ChoiceShape =>
  ({
    discard,
    missing,
    ready: false,
    waits: [],
    useful: Object.entries(useful).map(([tile, left]) => ({ tile, left })),
  }) as never;

describe("discards compared by shape", () => {
  it("have the exact chances to draw a useful tile", () => {
    expect(drawnWithin(2, 10, 1)).toBeCloseTo(0.2);
    expect(drawnWithin(2, 10, 2)).toBeCloseTo(1 - (8 * 7) / (10 * 9));
    expect(drawnWithin(9, 10, 2)).toBe(1);
    expect(drawnWithin(0, 10, 6)).toBe(0);
    expect(drawnWithin(2, 3, 6)).toBe(1);
  });
  const choices = [far("E", 2, { "5p": 3, "6p": 4, "1m": 0 }), far("9m", 2, { "6p": 4, "2s": 1 }), far("1s", 3, {})];
  it("stand beside the best one, with what only one of them can use", () => {
    const found = compareShapes(choices, "9m", 100)!;
    expect([found.first.discard, found.other.discard]).toEqual(["E", "9m"]);
    expect([found.first.left, found.other.left]).toEqual([7, 5]);
    expect(found.gained).toEqual([{ tile: "5p", left: 3 }]);
    expect(found.lost).toEqual([{ tile: "2s", left: 1 }]);
    expect(found.first.within[0]).toBeCloseTo(0.07);
  });
  it("stand beside the next one if the best is asked about", () => {
    const found = compareShapes(choices, "E", 100)!;
    expect([found.first.discard, found.other.discard]).toEqual(["E", "9m"]);
    expect(compareShapes(choices, "S", 100)).toBeNull();
    expect(compareShapes(choices.slice(0, 1), "E", 100)).toBeNull();
  });
  it("wait only for tiles that can be won on", () => {
    const waits = [
      { tile: "3m", left: 2, can_win: true },
      { tile: "6m", left: 4, can_win: false },
    ];
    const ready = { discard: "9p", missing: 1, ready: true, waits, useful: [] } as never;
    expect(compareShapes([ready, ...choices], "E", 100)!.first.useful).toEqual([{ tile: "3m", left: 2 }]);
  });
});
