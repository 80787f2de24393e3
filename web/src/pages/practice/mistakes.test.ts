import { beforeEach, expect, test } from "vitest";
import type { HandFilm, ReviewDecision } from "../../lib/types";
import { AFTER, dueNow, isAsGood, keyOf, mistakes, noteTry, puzzleOf, type Mistake } from "./mistakes";

const DAY = 86_400_000;
const choice = (tile: string, share: number): object => ({ do: "discard", tile, share });
const decision = (more: object = {}): ReviewDecision =>
  ({
    frame: 1,
    seat: "S",
    kind: "discard",
    grade: "mistake",
    chosen: 2,
    choices: [choice("1m", 1), choice("9p", 0.98), choice("E", 0.5)],
    why: { zh: "慢", en: "slow" },
    ...more,
  }) as unknown as ReviewDecision;
const frame = {
  hands: [["2s"], ["1m", "9p", "E"], [], []],
  drawn: { seat: "S", tile: "5s" },
  board: { melds: [[], [{ kind: "pung", tiles: "CCC" }], [], []] },
};
const film = { number: 3, frames: [{}, frame] } as unknown as HandFilm;
const made = (): Mistake => {
  const puzzle = puzzleOf(decision(), film, "abc", "canton", 0);
  if (!puzzle) throw new Error("no puzzle");
  return puzzle;
};

beforeEach(() => localStorage.removeItem("quepu.mistakes"));

test("a bad discard is a puzzle with the tiles that the seat held", () => {
  const puzzle = made();
  expect([puzzle.tiles, puzzle.drawn, puzzle.melds]).toEqual([["1m", "9p", "E"], "5s", [["C", "C", "C"]]]);
  expect([puzzle.best, puzzle.chosen, puzzle.hand, puzzle.due]).toEqual(["1m", "E", 3, 0]);
  expect(["1m", "9p", "E", "5s"].map((tile) => isAsGood(puzzle, tile))).toEqual([true, true, false, false]);
});

test("claims, good discards and frames that are not there are none", () => {
  expect(puzzleOf(decision({ kind: "claim" }), film, "a", "canton")).toBeNull();
  for (const grade of ["best", "good", "slip", "lost"])
    expect(puzzleOf(decision({ grade }), film, "a", "canton")).toBeNull();
  expect(puzzleOf(decision({ grade: "blunder" }), film, "a", "canton")).not.toBeNull();
  expect(puzzleOf(decision({ frame: 9 }), film, "a", "canton")).toBeNull();
  expect(puzzleOf(decision({ chosen: null }), film, "a", "canton")).toBeNull();
});

test("what is solved comes back later and later, what is missed tomorrow", () => {
  localStorage.setItem("quepu.mistakes", JSON.stringify({ puzzles: [made()], matches: [] }));
  const key = keyOf(made());
  let now = 0;
  for (const days of [...AFTER, AFTER.at(-1) ?? 0]) {
    noteTry(key, true, now);
    expect(dueNow(mistakes(), now + days * DAY - 1)).toEqual([]);
    now += days * DAY;
    expect(dueNow(mistakes(), now)).toHaveLength(1);
  }
  noteTry(key, false, now);
  expect(mistakes()[0]).toMatchObject({ solved: 0, due: now + DAY });
  noteTry("another", true, now);
  expect(mistakes()[0]?.due).toBe(now + DAY);
});
