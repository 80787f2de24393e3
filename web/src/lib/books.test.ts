import { expect, it, vi } from "vitest";

/** Two books that call the same fan differently, and one that does not answer. */
const pages: Record<string, Record<string, string>> = {
  a: { 不求人: "Concealed Hand", 四归一: "Tile Hog" },
  b: { 不求人: "closed hand" },
};

vi.mock("./api.svelte", () => ({
  get: (address: string) => {
    const names = pages[address.split("/").at(-1) ?? ""];
    if (!names) return Promise.reject(new Error("no such book"));
    const fans = Object.entries(names).map(([name, english]) => ({ name, english }));
    return Promise.resolve({ fans, circumstance_names: [] });
  },
}));
vi.mock("./prefs.svelte", () => ({ prefs: { lang: "en", book: "a" }, many: () => "", say: () => "", t: () => "" }));

import { fanNames, loadFanNames } from "./books.svelte";

it("calls a fan in English what its own book calls it, whichever came first", async () => {
  await loadFanNames("a");
  await loadFanNames("b");
  expect(fanNames(["不求人"], "a")).toBe("Concealed Hand");
  expect(fanNames(["不求人"], "b")).toBe("closed hand");
  expect(fanNames(["四归一×2", "无名"], "a")).toBe("Tile Hog×2, 无名");
});

it("takes no name from another book", async () => {
  await loadFanNames("a");
  await loadFanNames("b");
  expect(fanNames(["四归一"], "b")).toBe("四归一");
  expect(fanNames(["不求人", "四归一"], "b", "a")).toBe("closed hand, Tile Hog");
});
