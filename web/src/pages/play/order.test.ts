import { describe, expect, it } from "vitest";
import { ROWS } from "../../lib/tiles";
import { ORDER_COUNT, ordered } from "./order";

const everyKind = ROWS.flat();

describe("the order of the own hand", () => {
  it("loses and adds no tile in any order", () => {
    const hand = [...everyKind, "5m", "春"] as never[];
    for (let which = 0; which < ORDER_COUNT; which++) expect(ordered(hand, which).toSorted()).toEqual(hand.toSorted());
  });
  it("leaves the hand that it is given alone", () => {
    const hand = ["9s", "1m"] as never[];
    ordered(hand, 0);
    expect(hand).toEqual(["9s", "1m"]);
  });
  it("puts characters first, or honours first, and flowers last", () => {
    expect(ordered(["E", "9s", "春", "1m"] as never[], 0)).toEqual(["1m", "9s", "E", "春"]);
    expect(ordered(["9s", "E", "春", "1m"] as never[], 1)).toEqual(["E", "1m", "9s", "春"]);
  });
});
