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

/** The language that boot.js puts on the page. */
function booted(languages: string[], saved: object = {}): string {
  const root = { lang: "", dataset: {} };
  const run = new Function("document", "navigator", "localStorage", "matchMedia", boot);
  run({ documentElement: root }, { languages }, { getItem: () => JSON.stringify(saved) }, () => ({ matches: false }));
  return root.lang;
}

it.each(CASES)("%j is %s, before and after the code of the page is there", (languages, expected) => {
  const { lang, hant } = preferredLanguage(languages);
  expect(lang === "en" ? "en" : hant ? "zh-Hant" : "zh-Hans").toBe(expected);
  expect(booted(languages)).toBe(expected);
});

it("is what was chosen, whatever the browser prefers", () => {
  expect(booted(["zh-TW"], { lang: "zh", hant: false })).toBe("zh-Hans");
  expect(booted(["zh-TW"], { lang: "en", hant: true })).toBe("en");
  expect(booted(["en"], { lang: "zh", hant: true })).toBe("zh-Hant");
});
