// What a compiler does not see: unused names, promises nobody waits for, loops without keys.
import svelte from "eslint-plugin-svelte";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["node_modules", ".svelte-check", "generated", "src/lib/types.ts"] },
  ...ts.configs.recommended,
  ...svelte.configs["flat/recommended"],
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"] } },
  },
  {
    rules: {
      "no-undef": "off", // the compiler knows better
      "svelte/no-unused-svelte-ignore": "off", // the ignored warnings are svelte-check's, which eslint does not run
      "svelte/prefer-svelte-reactivity": "off", // the maps it means are caches that no page is drawn from
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "max-len": ["error", { code: 120, ignoreUrls: true }],
    },
  },
);
