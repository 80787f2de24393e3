import { describe, expect, it } from "vitest";
import { copiesLeft, discarded, marked, NO_TILES, picked, turned } from "./hand";
import type { HandShape } from "../../lib/types";

const hand: HandShape = {
  text: "",
  concealed: ["1m", "2m", "E", "E"],
  melds: [
    { kind: "pung", tiles: ["5p", "5p", "5p"] },
    { kind: "concealed_kong", tiles: ["C", "C", "C", "C"] },
  ],
  winning: "3m",
};

describe("the hand being built", () => {
  it("knows what is left of a kind", () => {
    expect(copiesLeft(hand, [], "E")).toBe(2);
    expect(copiesLeft(hand, ["E"], "E")).toBe(1);
    expect(copiesLeft(hand, [], "5p")).toBe(1);
    expect(copiesLeft(hand, [], "C")).toBe(0);
  });

  it("takes a tile while there is room and a copy", () => {
    expect(picked(hand, [], "hand", "9s")).toEqual(["9s"]);
    expect(picked(hand, [], "hand", "C")).toBeNull();
    expect(picked(hand, [], "chow", "7s")).toEqual(["7s", "8s", "9s"]);
    expect(picked(hand, [], "chow", "8s")).toBeNull();
    expect(picked(hand, [], "chow", "E")).toBeNull();
    expect(picked(hand, [], "pung", "E")).toBeNull();
    expect(picked(hand, [], "pung", "9s")).toEqual(["9s", "9s", "9s"]);
    const full = { ...hand, concealed: [...hand.concealed, "9s", "9s", "9s"] };
    expect(picked(full, [], "hand", "1p")).toBeNull();
    expect(picked(full, [], "seen", "1p")).toEqual(["1p"]);
    expect(picked(NO_TILES, ["1p", "1p"], "pung", "1p")).toBeNull();
  });

  it("throws a tile, and marks one as the winning tile", () => {
    expect(discarded(hand, "E")).toMatchObject({ concealed: ["1m", "2m", "3m", "E"], winning: null });
    expect(marked(hand, "1m")).toMatchObject({ concealed: ["2m", "3m", "E", "E"], winning: "1m" });
  });

  it("turns the giver of a pung alone", () => {
    expect(turned(hand, ["left", null], 0)).toEqual(["across", null]);
    expect(turned(hand, ["right", null], 0)).toEqual(["left", null]);
    expect(turned(hand, ["left", null], 1)).toBeNull();
    expect(turned(hand, [], 2)).toBeNull();
  });
});
