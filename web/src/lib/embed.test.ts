import { expect, test } from "vitest";
import { embedAddress, embedCode, inLanguage } from "./embed";

test("an embed keeps the page's path and query, and says its language", () => {
  expect(embedAddress("https://q.example/calculator?rules=guobiao&h=1m%2B1m", "en")).toBe(
    "https://q.example/embed/calculator?rules=guobiao&h=1m%2B1m&lang=en",
  );
  expect(embedAddress("https://q.example/replays/abc", "zh")).toBe("https://q.example/embed/replays/abc?lang=zh");
});

test("what the code is about cannot end an attribute", () => {
  const code = embedCode("https://q.example/calculator?h=1m&rules=x", "zh", 'a "quoted" <title>');
  expect(code).toContain('title="a &quot;quoted&quot; <title>"');
  expect(code).toContain('src="https://q.example/embed/calculator?h=1m&amp;rules=x&amp;lang=zh"');
  expect(code.replaceAll(/="[^"]*"/g, "")).not.toContain('"');
});

test("only English links name their language", () => {
  expect(inLanguage("https://q.example/replays/abc?at=3", "en")).toBe("https://q.example/replays/abc?at=3&lang=en");
  expect(inLanguage("https://q.example/replays/abc", "en")).toBe("https://q.example/replays/abc?lang=en");
  expect(inLanguage("https://q.example/replays/abc?at=3", "zh")).toBe("https://q.example/replays/abc?at=3");
});
