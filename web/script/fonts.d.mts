import type { Plugin } from "vite";

export function characters(): string[];
export function makeFonts(): Promise<void>;
export const ownFonts: Plugin;
