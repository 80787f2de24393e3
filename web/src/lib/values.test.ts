import { expect, it, vi } from "vitest";
import { fixed, signed, unitOf, valueText } from "./values";

vi.mock("./prefs.svelte", () => ({ t: (zh: string) => zh, say: (text: { zh: string }) => text.zh }));

it("writes a real minus, with and without digits behind the point", () => {
  expect([fixed(-19.812, 2), fixed(38.81, 2), signed(-3)]).toEqual(["−19.81", "38.81", "−3"]);
});

it("writes what a pair is worth behind what a pung is", () => {
  const value = { fu: 6, fan: 1, pair_fu: 3, pair_fan: 1 };
  expect(valueText(value)).toBe("6 副 1 翻（对 3 副 1 翻）");
  expect(valueText({ fu: 6, fan: 1 })).toBe("6 副 1 翻");
  expect(valueText({ fan: 8 })).toBe("8 番");
  const unit = { zh: "番", en: "points" };
  expect(valueText({ fan: 8 }, unit)).toBe("8 番");
  expect(unitOf("fan", { fan: 8 }, { zh: "番", en: "points" })).toBe("番");
  expect(Object.keys(value).map((part) => unitOf(part, value))).toEqual(["副", "翻", "副（对）", "翻（对）"]);
});
