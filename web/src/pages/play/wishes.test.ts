import { describe, expect, it } from "vitest";
import type { RoomHead } from "../../lib/types";
import { again, bots, houseFor } from "./wishes";

describe("a table opened by one press", () => {
  it("has house rules of its own book alone", () => {
    expect(houseFor('base = "canton"\nminimum = 3', "canton")).toBe('base = "canton"\nminimum = 3');
    expect(houseFor('base = "canton"\nminimum = 3', "guobiao")).toBe("");
    expect(houseFor("", "guobiao")).toBe("");
  });
  it("has bots everywhere, of levels that there are", () => {
    expect(bots(["", "steps", "gone"], ["plain", "steps"])).toEqual(["plain", "steps", "plain"]);
  });
  it("is the same again, seen from whoever opens it", () => {
    const place = (kind: string, level = "") => ({ kind, level, name: "" });
    const terms = {
      rounds: 2,
      ranked: false,
      move: 5,
      bank: 20,
      think: 0.6,
      shield: 0,
      delay: 0,
      spectators: true,
      listed: false,
      flowers: true,
      shuffle: false,
      open_hands: false,
      show_hands: true,
    };
    const head = {
      title: "周末",
      rules: "canton",
      hints: true,
      terms,
      places: [place("bot", "steps"), place("person"), place("bot", "plain"), place("person")],
    } as unknown as RoomHead;
    expect(again(head, 1, "x")).toEqual({
      ...terms,
      house: "x",
      title: "周末",
      rules: "canton",
      hints: true,
      bots: ["", "plain", "", "steps"],
    });
  });
});
