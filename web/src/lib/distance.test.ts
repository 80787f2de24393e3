import { describe, expect, it } from "vitest";
import { readiness, toAWin } from "./distance";
import { prefs, type Lang } from "./prefs.svelte";

function both(words: () => string): { zh: string; en: string } {
  const found = { zh: "", en: "" };
  for (const lang of ["zh", "en"] as Lang[]) {
    prefs.lang = lang;
    found[lang] = words();
  }
  return found;
}

it("counts steps to ready and tiles to a win apart", () => {
  expect(both(() => readiness(1))).toEqual({ zh: "听牌", en: "ready" });
  expect(both(() => readiness(2))).toEqual({ zh: "差 1 步听牌", en: "1 from ready" });
  expect(both(() => toAWin(1))).toEqual({ zh: "差 1 张可和", en: "1 tile from a win" });
  expect(both(() => toAWin(2))).toEqual({ zh: "差 2 张可和", en: "2 tiles from a win" });
  expect(both(() => toAWin(null))).toEqual({ zh: "离可和太远", en: "too far from a win" });
});

it("is written on no page by itself", () => {
  const pages = import.meta.glob<string>(["../**/*.svelte", "../**/*.ts", "!../lib/types.ts", "!../**/*.test.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  });
  expect(Object.keys(pages).length).toBeGreaterThan(150);
  const own = /差 ?\$\{[^}]*missing|步听牌|张可和|张起和|from ready|from a win|missing\} (away|off)/;
  const code = (path: string): string => (pages[path] ?? "").replace(/^\s*(\/\/|\/?\*|<!--).*$/gm, "");
  expect(Object.keys(pages).filter((path) => own.test(code(path)))).toEqual([]);
});

const { VITE_DISTANCES } = (import.meta as unknown as { env: Record<string, string | undefined> }).env;

// written by tests/whole/test_distances.py, which runs this
describe.skipIf(!VITE_DISTANCES)("distances of the command line", () => {
  it("are said so here", async () => {
    const node = "node:fs"; // not of the browser, so its types are not installed
    const files = (await import(/* @vite-ignore */ node)) as { readFileSync(path: string, as: string): string };
    const shown = JSON.parse(files.readFileSync(VITE_DISTANCES!, "utf8")) as {
      readiness?: number;
      win?: number;
      words: { zh: string; en: string };
    }[];
    expect(shown.length).toBeGreaterThan(20);
    for (const { readiness: missing, win, words } of shown)
      expect(both(() => (missing === undefined ? toAWin(win!) : readiness(missing)))).toEqual(words);
  });
});
