import type { Plugin } from "vite";

/** The folder of the built client, as seen from web/. */
export const STATIC: string;

/** The plugin that empties it before the pages are written. */
export const onlyPages: Plugin;
export const missingPages: Plugin;
export const firstPage: Plugin;
export const compressed: Plugin;
