import { vi } from "vitest";

// All files of tests run in one place, one after the other: each begins with modules and globals as they are at first.
vi.resetModules();
vi.unstubAllGlobals();

// What state modules ask a browser for when they are loaded.
const entries = new Map<string, string>([["quepu", '{"lang":"zh"}']]);
Object.assign(globalThis, {
  matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
  localStorage: {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  },
  document: { documentElement: { lang: "", dataset: {} }, addEventListener: () => undefined },
});
// Node 20 has no navigator
if (!("navigator" in globalThis)) Object.assign(globalThis, { navigator: { language: "zh-CN", languages: ["zh-CN"] } });
