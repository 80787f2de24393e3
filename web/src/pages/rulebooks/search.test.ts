import { Converter } from "opencc-js";
import { describe, expect, it } from "vitest";
import { forms } from "../../../script/folding.mjs";
import type { FanRow } from "../../lib/types";
import { matches, named, parts } from "./search";

const row = {
  name: "三连刻",
  aliases: [],
  english: "three pungs in a row",
  sentence: "和牌中有同色三副序数连续的刻子。",
  definition: "Three pungs of one suit in ranks that follow each other.",
  category: "部分关联",
  value_text: { zh: "24 副 3 翻", en: "24 fu 3 fan" },
  pinyin: "san-lian-ke",
  example: null,
} as unknown as FanRow;

const called = (name: string): FanRow => ({ ...row, name, sentence: "", category: "", pinyin: "" });

describe("finding a fan in either script", () => {
  it("finds every name by its forms, and by those that OpenCC writes today", () => {
    const writers = (["t", "tw", "hk"] as const).map((to) => Converter({ from: "cn", to }));
    expect(forms().length).toBeGreaterThan(600);
    for (const [name = "", ...others] of forms())
      for (const form of [name, ...others, ...writers.map((write) => write(name))]) {
        expect(matches(called(name), form), `${name} ${form}`).toBe(true);
        expect(named(called(name), form), `${name} ${form}`).toBe(true);
        expect(matches(called(form), name), `${form} ${name}`).toBe(true); // a name that a house writes so
      }
  });
  it.each(["槓上開花", "杠上開", "槓上开花"])("by %s, as the page in 繁體 shows it", (typed) => {
    expect(matches(called("杠上开花"), typed)).toBe(true);
    expect(matches(called("清一色"), typed)).toBe(false);
  });
  it.each([
    ["断幺", "斷么"],
    ["断幺", "断么"],
    ["清龙", "清龍"],
    ["门风刻", "門風"],
  ])("finds %s by %s", (name, typed) => {
    expect(matches(called(name), typed)).toBe(true);
    expect(named(called(name), typed)).toBe(true);
  });
  it("marks the place in the other script", () => {
    expect(parts("和自家杠上开花之牌", "槓上開花")).toEqual(["和自家", "杠上开花", "之牌"]);
    expect(parts("斷么九", "断幺")).toEqual(["", "斷么", "九"]);
  });
});

describe("finding a fan", () => {
  it.each(["三连", "sanlianke", "slk", "lianke", "Three Pungs", "24副", "部分关联", ""])("by %s", (typed) => {
    expect(matches(row, typed)).toBe(true);
  });
  it.each(["四连", "slkx", "two"])("not by %s", (typed) => {
    expect(matches(row, typed)).toBe(false);
  });
  it("cuts a text where the word stands, and loses nothing", () => {
    expect(parts("ab AB b", "ab")).toEqual(["", "ab", " ", "AB", " b"]);
    for (const typed of ["a", "B", "zz", ""]) expect(parts("ab AB b", typed).join("")).toBe("ab AB b");
  });
});
