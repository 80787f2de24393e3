// What this browser remembers of its user: language, theme, tile faces, the rulebook last used.

import { preferredLanguage } from "./language";

export type Lang = "zh" | "en";
export type Theme = "light" | "dark";

interface Saved {
  lang: Lang;
  hant: boolean; // Chinese is shown in 繁體
  theme: Theme | null; // null: as the system says
  index: boolean; // corner digits on tiles
  suits: "usual" | "safe";
  back: "amber" | "blue" | "red" | "green"; // of tiles
  felt: "green" | "blue" | "wine" | "night";
  book: string;
  asked: boolean; // which mahjong is played
  sound: boolean;
  volume: number; // of sounds and voices, 0 to 1
  voice: boolean; // claims are spoken
  buzz: boolean; // a phone buzzes when its player's turn comes
  phrases: boolean; // what others say at the table is shown
  aid: boolean; // at the table: waits are shown without asking
  once: boolean; // at the table: one press discards
  flower: boolean; // at the table: flowers are set aside without asking
  order: number; // at the table: how the own hand is sorted, see pages/play/order.ts
}

const KEY = "quepu";

function load(): Saved {
  const defaults: Saved = {
    ...preferredLanguage(navigator.languages),
    theme: null,
    index: false,
    suits: "usual",
    back: "amber",
    felt: "green",
    book: "lingque-29",
    asked: false,
    sound: true,
    volume: 0.7,
    voice: false,
    buzz: false,
    phrases: true,
    aid: false,
    once: false,
    flower: false,
    order: 0,
  };
  try {
    const stored = localStorage.getItem(KEY);
    if (stored === null) return defaults;
    return { ...defaults, asked: true, ...(JSON.parse(stored) as Partial<Saved>) }; // who has been here is not asked
  } catch {
    return defaults;
  }
}

const system = matchMedia("(prefers-color-scheme: dark)");
let systemDark = $state(system.matches);
system.addEventListener("change", (event) => (systemDark = event.matches));

export const prefs = $state(load());

/** The theme in force. */
export const theme = (): Theme => prefs.theme ?? (systemDark ? "dark" : "light");

/** The sentence in the language in force. Both stand side by side in the source, so neither is forgotten. */
export const t = (zh: string, en: string): string => (prefs.lang === "en" ? en : zh);

/** In English: so many of something, "1 tile", "2 tiles". */
export const many = (n: number, one: string, more = `${one}s`): string => `${n} ${n === 1 ? one : more}`;

/** A text that the server gives in both languages. */
export const say = (text: { zh: string; en: string }): string => t(text.zh, text.en);

/** Writes what changed to the page and to storage; called once, from the shell. */
export function storePrefs(): void {
  $effect(() => {
    const root = document.documentElement;
    root.lang = prefs.lang === "en" ? "en" : prefs.hant ? "zh-Hant" : "zh-Hans";
    root.dataset.theme = theme();
    root.dataset.suits = prefs.suits;
    root.dataset.back = prefs.back;
    root.dataset.felt = prefs.felt;
    root.dataset.index = prefs.index ? "on" : "off";
    document
      .querySelector('meta[name="theme-color"]')
      ?.setAttribute("content", theme() === "dark" ? "#15181a" : "#f6f4ee");
    try {
      localStorage.setItem(KEY, JSON.stringify(prefs));
    } catch {
      // private windows may refuse: the settings then last for this page
    }
  });
}
