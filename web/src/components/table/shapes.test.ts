import { describe, expect, it } from "vitest";
import { kindsOf, placedMeld, seatsFrom, type BoardShape, type SetShape } from "./shapes";

const chow = (from: string, claimed: string) =>
  ({ kind: "chow", tiles: "4m5m6m", from, claimed }) as unknown as SetShape;

describe("a meld in front of a seat", () => {
  it("shows whom the claimed tile came from: left, middle, right", () => {
    expect(placedMeld(chow("N", "5m"), 0)).toEqual({ meld: { kind: "chow", tiles: ["5m", "4m", "6m"] }, from: "left" });
    expect(placedMeld(chow("W", "5m"), 0).meld.tiles).toEqual(["4m", "5m", "6m"]);
    expect(placedMeld(chow("S", "4m"), 0).meld.tiles).toEqual(["5m", "6m", "4m"]);
  });
  it("is the same for every seat turned round the table", () => {
    const winds = ["E", "S", "W", "N"];
    for (let seat = 0; seat < 4; seat++) expect(placedMeld(chow(winds[(seat + 3) % 4]!, "5m"), seat).from).toBe("left");
  });
  it("keeps all tiles", () => {
    for (const claimed of ["4m", "5m", "6m"]) {
      expect(placedMeld(chow("N", claimed), 0).meld.tiles.toSorted()).toEqual(["4m", "5m", "6m"]);
    }
  });
});

it("reads kinds out of a text of them", () => {
  expect(kindsOf("4m5m6m")).toEqual(["4m", "5m", "6m"]);
  expect(kindsOf("EEE春梅")).toEqual(["E", "E", "E", "春", "梅"]);
});

it("puts the first seat at the bottom and goes round", () => {
  const four = <T>(make: (n: number) => T): T[] => [0, 1, 2, 3].map(make);
  const board = {
    rivers: four(() => []),
    melds: four(() => []),
    flowers: four(() => []),
    declared: four((n) => (n === 2 ? "听" : "")),
    barred: four((n) => n === 3),
    turn: "S",
    offer: null,
    offerer: null,
    over: false,
  } as unknown as BoardShape;
  const seats = seatsFrom(board, 2);
  expect(seats.map((seat) => seat.wind)).toEqual(["W", "N", "E", "S"]);
  expect(seats.map((seat) => seat.turn)).toEqual([false, false, false, true]);
  expect(seats.map((seat) => seat.declared)).toEqual([true, false, false, false]);
  expect(seats.map((seat) => seat.barred)).toEqual([false, true, false, false]);
});
