import { describe, expect, it } from "vitest";
import type { Snapshot, TableOption } from "../../lib/types";
import { ahead } from "./ahead";
import { automatic, NONE, wanted } from "./autos";

const pass: TableOption = { do: "pass" };
const win: TableOption = { do: "win", tile: "5p" };
const pung: TableOption = { do: "pung", tile: "5p" };
const chow: TableOption = { do: "chow", tile: "5p", low: "4p" };
const thrown: TableOption = { do: "discard", tile: "5p", drawn: true };
const other: TableOption = { do: "discard", tile: "1m" };

describe("what is done without asking", () => {
  it("asks where nothing is left to the page", () => {
    for (const options of [[win, pass], [pung, pass], [thrown, other], [pass], []])
      expect(automatic(options, NONE)).toBeNull();
  });
  it("takes wins, and never passes one", () => {
    expect(automatic([win, pung, pass], { ...NONE, win: true })).toBe(win);
    expect(automatic([win, pung, pass], { ...NONE, pung: true })).toBeNull();
    expect(automatic([win, thrown], { ...NONE, throw: true })).toBeNull();
  });
  it("passes claims of the kinds named, when no other is offered", () => {
    expect(automatic([chow, pass], { ...NONE, chow: true })).toBe(pass);
    expect(automatic([pung, chow, pass], { ...NONE, chow: true })).toBeNull();
    expect(wanted([pung, chow, pass], { ...NONE, chow: true })).toEqual([pung, pass]);
  });
  it("throws the drawn tile, but not past a kong, and sets flowers aside", () => {
    expect(automatic([other, thrown], { ...NONE, throw: true })).toBe(thrown);
    expect(automatic([other, thrown, { do: "concealed", tile: "1m" }], { ...NONE, throw: true })).toBeNull();
    const flower: TableOption = { do: "flower", tile: "春" };
    expect(automatic([flower, other], { ...NONE, flower: true })).toBe(flower);
  });
});

describe("the table after a press", () => {
  const board = { rivers: [["9m"], [], [], []] };
  const snapshot = {
    n: 4,
    phase: "playing",
    view: { seat: "E", hand: ["1m", "5p"], drawn: "5p", board, options: [thrown, other] },
  } as unknown as Snapshot;
  it("has the drawn tile in the river and the hand as it was", () => {
    const { view } = ahead(snapshot, thrown);
    expect(view).toMatchObject({
      hand: ["1m", "5p"],
      drawn: null,
      options: [],
      board: { rivers: [["9m", "5p"], [], [], []] },
    });
    expect(snapshot.view?.drawn).toBe("5p");
  });
  it("has the drawn tile in the hand where another was thrown", () => {
    expect(ahead(snapshot, other).view).toMatchObject({
      hand: ["5p", "5p"],
      drawn: null,
      board: { rivers: [["9m", "1m"], [], [], []] },
    });
    expect(ahead(snapshot, { do: "discard", tile: "5p" }).view).toMatchObject({ hand: ["1m", "5p"], drawn: null });
  });
  it("offers nothing more after a claim", () => {
    expect(ahead(snapshot, pung).view).toMatchObject({ options: [], hand: ["1m", "5p"], drawn: "5p" });
  });
});
