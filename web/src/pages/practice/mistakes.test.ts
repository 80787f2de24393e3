import { beforeEach, expect, test } from "vitest";
import type { HandFilm, ReviewDecision } from "../../lib/types";
import { AFTER, dueNow, isAsGood, keyOf, mistakes, noteTry, puzzleOf, tries, type Mistake } from "./mistakes";

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

test("good choices and frames that are not there are none", () => {
  for (const grade of ["best", "good", "slip", "lost"])
    expect(puzzleOf(decision({ grade }), film, "a", "canton")).toBeNull();
  expect(puzzleOf(decision({ grade: "blunder" }), film, "a", "canton")).not.toBeNull();
  expect(puzzleOf(decision({ frame: 9 }), film, "a", "canton")).toBeNull();
  expect(puzzleOf(decision({ chosen: null }), film, "a", "canton")).toBeNull();
});

test("a claim, and a win that was missed, ask for a choice", () => {
  const option = (does: string, share: number, tile: string | null = null): object => ({
    do: does,
    tile,
    low: null,
    then: null,
    share,
    text: { zh: does, en: does },
  });
  const mistake = { kind: "claim", name: { zh: "鸣牌", en: "claim" } };
  const claim = puzzleOf(
    decision({ kind: "claim", mistake, chosen: 1, choices: [option("pass", 1), option("pung", 0.4, "1m")] }),
    { number: 3, frames: [{}, { ...frame, e: "discard", tile: "1m" }] } as unknown as HandFilm,
    "a",
    "canton",
  );
  expect(claim).toMatchObject({ offer: "1m", mistake: { kind: "claim" }, best: "pass   ", chosen: "pung 1m  " });
  expect(claim?.options.map((one) => one.text.en)).toEqual(["pass", "pung"]);
  expect(claim && [isAsGood(claim, claim.best), isAsGood(claim, claim.chosen)]).toEqual([true, false]);
  const far = Array.from({ length: 9 }, (_, n) => option("discard", 0.5 - n / 100, `${n + 1}p`));
  const missed = puzzleOf(decision({ chosen: 9, choices: [option("win", 1), ...far] }), film, "a", "canton");
  expect(missed?.options.map((one) => one.key)).toContain(missed?.chosen);
  expect([missed?.options.length, missed?.best]).toEqual([7, "win   "]);
});

test("puzzles that were stored without a kind still work, and count for no kind", () => {
  const { mistake, offer, options, met, ...old } = made();
  expect([mistake, offer, options, met]).toEqual([undefined, null, [], 0]);
  localStorage.setItem("quepu.mistakes", JSON.stringify({ puzzles: [old], matches: [] }));
  expect(mistakes()[0]).toMatchObject({ mistake: null, offer: null, options: [] });
  noteTry(keyOf(made()), true, 5);
  expect(tries()).toEqual([]);
  expect(mistakes()[0]).toMatchObject({ solved: 1, met: 1 });
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
