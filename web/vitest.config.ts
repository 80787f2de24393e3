import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { folding } from "./script/folding.mjs";
import { hant } from "./script/hant.mjs";

// Unit tests of state modules; what a person sees is tested in a real browser (tests/browser).
export default defineConfig({
  plugins: [hant, folding, svelte()],
  test: {
    include: ["src/**/*.test.ts"],
    environment: "node",
    isolate: false, // a thread for each file costs twice what all tests do; the setup gives each file its own modules
    pool: "threads",
    setupFiles: ["vitest.setup.ts"],
    testTimeout: 120_000, // a hang is a failure; a crowded machine is no hang
  },
});
