import type { Plugin } from "vite";

export const MAHJONG: [string, string][];
export const hant: Plugin;
export function written(text: string): string;
export function runs(): string[];
export function table(): { characters: string; words: [string, string][] };
