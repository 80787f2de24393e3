// Where the pages are built. What answers in the browser itself (device/, put together by bundle.py) outlives them there.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

export const STATIC = "../src/quepu/server/static";

/** Empties the folder once everything is worked out: a build that fails leaves the pages as they were. */
export const onlyPages = {
  name: "only-pages",
  enforce: "pre",
  renderStart() {
    for (const name of existsSync(STATIC) ? readdirSync(STATIC) : [])
      if (name !== "device") rmSync(join(STATIC, name), { recursive: true });
  },
};
