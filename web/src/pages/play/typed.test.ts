import { describe, expect, it } from "vitest";
import type { TableOption as Option } from "../../lib/types";
import { tilesOf, typed } from "./typed";

const turn: Option[] = [
  { do: "discard", tile: "5m", drawn: true },
  { do: "discard", tile: "5m" },
  { do: "discard", tile: "P" },
  { do: "discard", tile: "E", ready: true },
  { do: "discard", tile: "E" },
  { do: "concealed", tile: "9s" },
  { do: "concealed", tile: "C" },
];
const offer: Option[] = [
  { do: "win", tile: "5p" },
  { do: "kong", tile: "5p" },
  { do: "pung", tile: "5p" },
  ...["3p", "4p", "5p"].map((low): Option => ({ do: "chow", tile: "5p", low })),
  { do: "pass" },
];

describe("tiles in a text", () => {
  it("are read as people write them", () => {
    for (const [text, tiles] of [
      ["五万", ["5m"]],
      ["三四条", ["3s", "4s"]],
      ["34s", ["3s", "4s"]],
      ["东风", ["E"]],
      ["红中", ["C"]],
      ["5z", ["P"]],
      ["白板", ["P"]],
    ] as const)
      expect(tilesOf(text)).toEqual({ tiles, rest: "" });
    expect(tilesOf("五").rest).toBe("5");
  });
});

describe("a typed move", () => {
  it("discards", () => {
    expect(typed("打五万", turn, "5m")).toEqual(turn[0]); // as drawn, where that is possible
    for (const text of ["5m", "discard 5m", "五萬", "打五萬"]) expect(typed(text, turn, null)).toEqual(turn[1]);
    expect(typed("P", turn, "5m")).toEqual(turn[2]);
    expect(typed("白", turn, "5m")).toEqual(turn[2]);
    expect(typed("打东", turn, null)).toEqual(turn[4]);
    for (const text of ["报听东", "報聽東"]) expect(typed(text, turn, null)).toEqual(turn[3]);
    expect(typed("摸切", turn, "5m")).toEqual(turn[0]);
    expect(typed("打九筒", turn, "5m")).toMatch("九筒");
  });
  it("is understood in the words that are read out in English", () => {
    for (const text of ["discard 5 of characters", "Discard five characters", "5 characters", "discard 5M"])
      expect(typed(text, turn, null)).toEqual(turn[1]);
    for (const text of ["discard east", "East wind"]) expect(typed(text, turn, null)).toEqual(turn[4]);
    for (const text of ["white dragon", "discard white"]) expect(typed(text, turn, null)).toEqual(turn[2]);
    expect(typed("ready east", turn, null)).toEqual(turn[3]);
    for (const text of ["kong red dragon", "concealed kong red"]) expect(typed(text, turn, null)).toEqual(turn[6]);
    expect(typed("discard green dragon", turn, null)).toMatch(/发财/);
    expect(typed("chow three four dots", offer, null)).toEqual(offer[3]);
    expect(typed("Pung", offer, null)).toEqual(offer[2]);
  });
  it("claims", () => {
    expect(typed("和", offer, null)).toEqual(offer[0]);
    expect(typed("碰", offer, null)).toEqual(offer[2]);
    expect(typed("p", offer, null)).toEqual(offer[2]);
    expect(typed("杠", offer, null)).toEqual(offer[1]);
    expect(typed("过", offer, null)).toEqual(offer[6]);
    expect(typed("吃", offer, null)).toMatch("几种");
    expect(typed("吃三四筒", offer, null)).toEqual(offer[3]);
    expect(typed("chow 46p", offer, null)).toEqual(offer[4]);
    expect(typed("吃567p", offer, null)).toEqual(offer[5]);
    expect(typed("吃2", offer, null)).toEqual(offer[4]);
    expect(typed("碰", turn, null)).toMatch("不能");
  });
  it("asks where there are several", () => {
    expect(typed("杠", turn, null)).toMatch("几种");
    expect(typed("杠九索", turn, null)).toEqual(turn[5]);
    expect(typed("你好", turn, null)).toMatch("没看懂");
  });
});
