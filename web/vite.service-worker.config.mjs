// The service worker, built after the pages: one file at the root, with the list of what it keeps from the start.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig } from "vite";
import { STATIC } from "./script/pages.mjs";

/**
 * Fonts and what answers in the browser are kept when they are first used; what answers for missing pages is not
 * needed.
 */
const LATER = /\.(woff2|br)$|^device\/|^sw\.js$|^404\.html$|^addresses\.json$/;

function pages() {
  return readdirSync(STATIC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(STATIC, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((name) => !LATER.test(name))
    .sort()
    .map((name) => ({
      url: `/${name}`,
      // names under assets/ carry a digest of their own
      revision: name.startsWith("assets/")
        ? null
        : createHash("sha256")
            .update(readFileSync(join(STATIC, name)))
            .digest("hex")
            .slice(0, 16),
    }));
}

export default defineConfig({
  define: { PAGES: JSON.stringify(pages()), "process.env.NODE_ENV": '"production"' },
  publicDir: false,
  build: {
    outDir: STATIC,
    emptyOutDir: false,
    target: "es2022",
    rollupOptions: {
      input: "src/device/service-worker.ts",
      output: { format: "iife", entryFileNames: "sw.js" },
    },
  },
});
