import type { Plugin } from "vite";

export const folding: Plugin;
export function forms(): string[][];
export function groups(): string;
