import { expect, test } from "vitest";
import { changes, draftToml, fromData, packed, plainDraft, unpacked } from "./draft";

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
      most: 1,
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

test("a draft travels in a link", () => {
  expect(unpacked(packed(draft))).toEqual(draft);
  expect(packed(draft)).toMatch(/^[\w-]+$/);
  expect(unpacked("%%%")).toBeNull();
  expect(unpacked(btoa("{}"))).toBeNull();
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
