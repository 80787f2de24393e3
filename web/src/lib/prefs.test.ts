import { expect, it } from "vitest";
import { many } from "./prefs.svelte";

it("counts in English: one of a thing, none or several of them", () => {
  expect([0, 1, 2].map((n) => many(n, "tile"))).toEqual(["0 tiles", "1 tile", "2 tiles"]);
  expect(many(2, "match", "matches")).toBe("2 matches");
});
