// Where the pages are built. What answers in the browser itself (device/, put together by bundle.py) outlives them
// there.
import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

export const STATIC = "../src/quepu/server/static";

/** Empties the folder once everything is worked out: a build that fails leaves the pages as they were. */
export const onlyPages = {
  name: "only-pages",
  enforce: "pre",
  renderStart: {
    order: "pre", // before Vite copies public/ there
    handler() {
      for (const name of existsSync(STATIC) ? readdirSync(STATIC) : [])
        if (name !== "device") rmSync(join(STATIC, name), { recursive: true });
    },
  },
};

/**
 * What answers addresses that are no page: the server reads the list, other hosts send 404.html, which is the same
 * page.
 */
export const missingPages = {
  name: "missing-pages",
  enforce: "post",
  generateBundle(_, bundle) {
    const page = bundle["index.html"];
    if (page?.type !== "asset") throw new Error("index.html was not built");
    this.emitFile({ type: "asset", fileName: "404.html", source: page.source });
    const addresses = readFileSync(new URL("../src/addresses.json", import.meta.url));
    this.emitFile({ type: "asset", fileName: "addresses.json", source: addresses });
  },
};
