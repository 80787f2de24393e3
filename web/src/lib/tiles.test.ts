import { afterEach, expect, test } from "vitest";
import { prefs } from "./prefs.svelte";
import { spelled } from "./tiles";

afterEach(() => (prefs.lang = "zh"));

test("a sentence names its tile in words", () => {
  prefs.lang = "en";
  expect(spelled("Player draws 8p", "8p")).toBe("Player draws 8 of dots");
  expect(spelled("Sparrow 2 discards 1s (as drawn)", "1s")).toBe("Sparrow 2 discards 1 of bamboo (as drawn)");
  expect(spelled("Mr P discards P", "P")).toBe("Mr P discards white dragon");
  expect(spelled("Team 8p draws", null)).toBe("Team 8p draws");
  expect(spelled("Player draws autumn", "f3")).toBe("Player draws autumn"); // a flower has its name already
  prefs.lang = "zh";
  expect(spelled("我摸八筒", "8p")).toBe("我摸八筒");
});
