import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { ownFonts } from "./script/fonts.mjs";
import { folding } from "./script/folding.mjs";
import { hant } from "./script/hant.mjs";
import { missingPages, onlyPages, STATIC } from "./script/pages.mjs";

// The font package lists an older copy (woff) beside each woff2; every browser that runs this client reads woff2.
const onlyWoff2: Plugin = {
  name: "only-woff2",
  enforce: "pre",
  transform: (code, id) =>
    /lxgw.*\.css/.test(id) ? code.replace(/,\s*url\([^)]*\.woff\)\s*format\(['"]woff['"]\)/g, "") : undefined,
};

export default defineConfig({
  plugins: [onlyWoff2, onlyPages, ownFonts, hant, folding, svelte(), missingPages],
  worker: { format: "es" },
  build: {
    outDir: STATIC,
    emptyOutDir: false, // but for the pages
    target: "es2022",
    assetsInlineLimit: 0, // the content policy allows no data: addresses but for pictures
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
});
