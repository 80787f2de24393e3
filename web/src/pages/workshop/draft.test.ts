import { expect, test } from "vitest";
import { changes, draftToml, fromData, packed, plainDraft, renamed, unpacked, type Draft } from "./draft";

const draft = {
  ...plainDraft("lingque-29"),
  minimum: 12,
  without: ["喜相逢"],
  values: { 三连刻: { fu: 20, fan: 3 } },
  aliases: { 对对和: "碰碰和" },
  drops: { 三连刻: ["对对和"] },
  fans: [
    {
      name: "三色刻龙",
      when: '有(三色相连(刻子, 3)) 且 非 "清一色"',
      value: { fu: 20, fan: 3 },
      category: "部分关联",
      english: "",
      sentence: "",
      most: 1,
      more: {},
    },
  ],
};

test("a draft is a rules file", () => {
  expect(draftToml(plainDraft("canton"))).toBe('base = "canton"\n');
  const text = draftToml(draft);
  expect(text).toContain('base = "lingque-29"\nminimum = 12\nwithout = ["喜相逢"]\n');
  expect(text).toContain(
    '[fans."三色刻龙"]\nwhen = "有(三色相连(刻子, 3)) 且 非 \\"清一色\\""\nvalue = { fu = 20, fan = 3 }',
  );
  expect(text).toContain('[drops]\n"三连刻" = ["对对和"]');
  expect(changes(draft)).toBe(6);
});

test("a fan that is switched off and on again has its changes again", () => {
  const file = draftToml(draft);
  const off = { ...draft, without: ["喜相逢", "三连刻", "对对和"] };
  const text = draftToml(off);
  for (const table of ["[values]", "[aliases]", "[drops]"]) expect(text).not.toContain(table);
  expect(changes(off)).toBe(changes(draft) - 1); // two more are off, three changes with them
  expect(draftToml({ ...off, without: draft.without })).toBe(file);
});

test("a draft travels in a link", () => {
  expect(unpacked(packed(draft))).toEqual(draft);
  expect(packed(draft)).toMatch(/^[\w-]+$/);
  expect(unpacked("%%%")).toBeNull();
  expect(unpacked(btoa("{}"))).toBeNull();
});

test("a rules file may change one part of a value", () => {
  const data = { values: { 三同顺: { fu: 40 }, 三连刻: { fan: 4 } } };
  const own = { 三同顺: { fu: 32, fan: 4 }, 三连刻: { fu: 24, fan: 3 } };
  const made = fromData("lingque-29", data, ["fu", "fan"], own);
  expect(made.values).toEqual({ 三同顺: { fu: 40, fan: 4 }, 三连刻: { fu: 24, fan: 4 } });
});

test("a rules file becomes a draft", () => {
  const data = {
    minimum: 12,
    without: ["喜相逢"],
    values: { 三连刻: [20, 3] },
    options: { a: true, b: "x" },
    fans: { 新: { when: "有(刻子)", value: [6, 2], drops: ["对对和"] } },
  };
  const made = fromData("lingque-29", data, ["fu", "fan"]);
  expect(made.values).toEqual({ 三连刻: { fu: 20, fan: 3 } });
  expect(made.options).toEqual({ a: "true", b: '"x"' });
  expect(made.fans[0]?.value).toEqual({ fu: 6, fan: 2 });
  expect(made.drops).toEqual({ 新: ["对对和"] });
});

test("what the page does not edit stays in the file", () => {
  const data = {
    title: { zh: "本社", en: "our club" },
    minimum: 12,
    flower_value: 3,
    table: { flowers: true },
    penalties: { 错和: 20, 诈和: { points: 40, again: [10, 20], to: "others" } },
    sentences: { 三连刻: "甲“乙”" },
    fans: { 新: { when: "有(刻子)", value: 6, sentence: "丙" } },
  };
  const text = draftToml(fromData("guobiao", data, ["fan"]));
  expect(text).toMatch(/^base = "guobiao"\nflower_value = 3\ntable = \{ "flowers" = true \}\n/);
  expect(text).toContain('"诈和" = { "points" = 40, "again" = [10, 20], "to" = "others" }');
  expect(text).toContain('title = { "zh" = "本社", "en" = "our club" }\n');
  expect(text.indexOf("minimum = 12")).toBeLessThan(text.indexOf("\n[")); // above every table
  expect(text).toContain('[sentences]\n"三连刻" = "甲“乙”"\n');
  expect(text).toContain('sentence = "丙"\n');
});

test("a fan that goes leaves no relation behind", () => {
  const two: Draft = structuredClone(draft);
  two.drops = { 三连刻: ["喜相逢", "三色刻龙"], 三色刻龙: ["对对和"] };
  two.conflicts = { 喜相逢: ["镜同"] };
  const text = draftToml(two);
  expect(text).toContain('"三连刻" = ["三色刻龙"]\n'); // 喜相逢 is switched off
  expect(text).not.toContain("镜同");
  renamed(two, "三色刻龙", "刻龙");
  expect(two.drops).toEqual({ 三连刻: ["喜相逢", "刻龙"], 刻龙: ["对对和"] });
  renamed(two, "刻龙", null);
  expect(two.drops).toEqual({ 三连刻: ["喜相逢"] });
});

test("what is no draft is refused, what an older one lacks is added", () => {
  const link = (found: unknown): Draft | null => unpacked(packed(found as Draft));
  for (const bad of [
    { base: 3 },
    { base: "guobiao", values: 7 },
    { base: "guobiao", without: "自摸" },
    { base: "guobiao", fans: [{ name: 3 }] },
    { base: "guobiao", drops: { 平和: "断幺" } },
    { base: "guobiao", minimum: "8" },
  ])
    expect(link(bad)).toBeNull();
  expect(link({ base: "guobiao", minimum: 6 })).toEqual({ ...plainDraft("guobiao"), minimum: 6 });
  expect(link(draft)).toEqual(draft);
});

test("a pair's own value goes through a draft and back", () => {
  const own = { "番牌 中": { fu: 4, fan: 1, pair_fu: 2, pair_fan: 1 } };
  const data = { base: "lingque-29", values: { "番牌 中": { fu: 6, pair_fu: 3 } } };
  const made = fromData("lingque-29", data, ["fu", "fan"], own);
  expect(made.values["番牌 中"]).toEqual({ fu: 6, fan: 1, pair_fu: 3, pair_fan: 1 });
  expect(draftToml(made)).toContain('"番牌 中" = { fu = 6, fan = 1, pair_fu = 3, pair_fan = 1 }');
  expect(unpacked(packed(made))).toEqual(made);
});

test("the keys of the next edition are read and written", () => {
  const data = {
    options: {
      jump: [
        [3, 3],
        [4, 3, 2],
      ],
      closed_jump: 0,
    },
    fans: { 二步高: { when: "有(相连(顺子, 2))", value: 4, of: 2, priority: 1, serves: false } },
    changes: { 混一色: { when: "有(字牌)", most: 2, value: 7, drops: ["缺一门"], sentence: "新句。" } },
    residues: { 二步高: { 混一色: { left: 4, why: "改一副即成。" }, 清一色: 3 } },
  };
  const made = fromData("yuque-54", data, ["fan"], {});
  expect(made.changes).toEqual({ 混一色: { when: "有(字牌)", most: 2 } });
  expect(made.values).toEqual({ 混一色: { fan: 7 } });
  expect(made.drops).toEqual({ 混一色: ["缺一门"] });
  const text = draftToml(made);
  expect(text).toContain(`"jump" = [[3, 3], [4, 3, 2]]`);
  expect(text).toContain("of = 2\npriority = 1\nserves = false\n");
  expect(text).toContain('[changes."混一色"]\nwhen = "有(字牌)"\nmost = 2\n');
  expect(text).toContain('[residues."二步高"]\n"混一色" = { "left" = 4, "why" = "改一副即成。" }\n"清一色" = 3\n');
  expect(made.rest).toEqual({});
  renamed(made, "二步高", "两步高");
  expect(Object.keys(made.residues)).toEqual(["两步高"]);
  expect(unpacked(packed(made))).toEqual(made);
});
