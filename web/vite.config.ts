import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { ownFonts } from "./script/fonts.mjs";
import { folding } from "./script/folding.mjs";
import { hant } from "./script/hant.mjs";
import { compressed, firstPage, missingPages, onlyPages, STATIC } from "./script/pages.mjs";

// The font package lists an older copy (woff) beside each woff2; every browser that runs this client reads woff2.
const onlyWoff2: Plugin = {
  name: "only-woff2",
  enforce: "pre",
  transform: (code, id) =>
    /lxgw.*\.css/.test(id) ? code.replace(/,\s*url\([^)]*\.woff\)\s*format\(['"]woff['"]\)/g, "") : undefined,
};

/**
 * Few files, for a phone fetches six at a time and waits for each: everything that any page starts with, and parts that
 * many pages have.
 */
const CHUNKS = [
  { name: "shell", tags: ["$initial" as const], priority: 1 },
  { name: "shared", minShareCount: 5 },
];

export default defineConfig({
  plugins: [onlyWoff2, onlyPages, ownFonts, hant, folding, svelte(), missingPages, firstPage, compressed],
  worker: { format: "es" },
  build: {
    outDir: STATIC,
    emptyOutDir: false, // but for the pages
    target: "es2022",
    assetsInlineLimit: 0, // the content policy allows no data: addresses but for pictures
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
});
