import { describe, expect, it } from "vitest";
import type { FanRow } from "../../lib/types";
import { matches, parts } from "./search";

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
