// Where the pages are built. What answers in the browser itself (device/, put together by bundle.py) outlives them
// there.
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

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

/** The files of a chunk and of all that it imports, scripts first. */
function filesOf(bundle, chunk, seen = new Set()) {
  if (seen.has(chunk)) return { scripts: [], styles: [] };
  seen.add(chunk);
  const below = chunk.imports.map((name) => filesOf(bundle, bundle[name], seen));
  return {
    scripts: [...below.flatMap((one) => one.scripts), chunk.fileName],
    styles: [...below.flatMap((one) => one.styles), ...(chunk.viteMetadata?.importedCss ?? [])],
  };
}

const WORDS = fileURLToPath(new URL("../src/pages/home/first.html", import.meta.url));

/**
 * The home page names all that it needs, the list of rulebooks too: on a slow line nothing is discovered late. 404.html
 * stays without: it stands for every other address. Its first words stand in the page itself, to be read until the
 * scripts are there.
 */
export const firstPage = {
  name: "first-page",
  enforce: "post",
  generateBundle(_, bundle) {
    const home = Object.values(bundle).find((one) => one.facadeModuleId?.endsWith("/src/pages/Home.svelte"));
    const page = bundle["index.html"];
    if (!home || page?.type !== "asset") throw new Error("the home page was not built");
    const { scripts, styles } = filesOf(bundle, home);
    const named = (name) => page.source.includes(`"/${name}"`);
    const links = [
      ...styles.filter((name) => !named(name)).map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`),
      ...scripts.filter((name) => !named(name)).map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
    ];
    const books = '<link rel="preload" as="fetch" crossorigin href="/api/books">';
    page.source = page.source
      .replace("</head>", `  ${[...links, books].join("\n    ")}\n  </head>`)
      .replace("<body>", `<body>\n${readFileSync(WORDS, "utf8")}`);
  },
};

/** Text beside which a smaller copy (brotli) lies for whoever reads it: the server sends it as it is. */
const TEXT = /\.(js|css|svg)$/;
const WORTH = 800; // bytes
export const compressed = {
  name: "compressed",
  writeBundle({ dir }, bundle) {
    for (const name of Object.keys(bundle)) {
      if (!TEXT.test(name)) continue;
      const content = readFileSync(join(dir, name));
      if (content.length >= WORTH) writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content));
    }
  },
};
