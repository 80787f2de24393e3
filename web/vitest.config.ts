import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Unit tests of state modules; what a person sees is tested in a real browser (tests/browser).
export default defineConfig({
  plugins: [svelte()],
  test: { include: ["src/**/*.test.ts"], environment: "node", setupFiles: ["vitest.setup.ts"] },
});
