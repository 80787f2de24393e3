import { expect, it } from "vitest";
import boot from "../../public/boot.js?raw";
import { preferredLanguage } from "./language";

const CASES: [string[], string][] = [
  [["en-US", "zh-CN"], "en"],
  [["zh-CN", "en-US"], "zh-Hans"],
  [["zh"], "zh-Hans"],
  [["zh-SG"], "zh-Hans"],
  [["zh-TW", "en"], "zh-Hant"],
  [["zh-HK"], "zh-Hant"],
  [["zh-MO"], "zh-Hant"],
  [["zh-Hant"], "zh-Hant"],
  [["zh-Hant-CN", "zh-CN"], "zh-Hant"],
  [["zh-Hans-HK"], "zh-Hans"],
  [["fr-FR", "zh-TW", "en"], "zh-Hant"],
  [["de-DE", "en-GB"], "en"],
  [["de-DE", "ja"], "en"],
  [["zha"], "en"], // Zhuang
  [[], "zh-Hans"],
];

/** What boot.js puts on the page at an address: its language and classes. */
function booted(languages: string[], saved: object = {}, pathname = "/"): { lang: string; classes: string[] } {
  const classes = new Set<string>();
  const classList = { toggle: (name: string, on: boolean) => (on ? classes.add(name) : classes.delete(name)) };
  const root = { lang: "", dataset: {}, classList };
  const run = new Function("document", "navigator", "localStorage", "matchMedia", "location", boot);
  const storage = { getItem: () => JSON.stringify(saved) };
  run({ documentElement: root }, { languages }, storage, () => ({ matches: false }), { pathname });
  return { lang: root.lang, classes: [...classes] };
}

it.each(CASES)("%j is %s, before and after the code of the page is there", (languages, expected) => {
  const { lang, hant } = preferredLanguage(languages);
  expect(lang === "en" ? "en" : hant ? "zh-Hant" : "zh-Hans").toBe(expected);
  expect(booted(languages).lang).toBe(expected);
});

it("is what was chosen, whatever the browser prefers", () => {
  expect(booted(["zh-TW"], { lang: "zh", hant: false }).lang).toBe("zh-Hans");
  expect(booted(["zh-TW"], { lang: "en", hant: true }).lang).toBe("en");
  expect(booted(["en"], { lang: "zh", hant: true }).lang).toBe("zh-Hant");
});

it("says on the home page alone that its first words are to be shown", () => {
  expect(booted(["zh"]).classes).toEqual(["home"]);
  expect(booted(["zh"], {}, "/play").classes).toEqual([]);
});
