import { expect, it } from "vitest";
import { Newest } from "./newest";

it("lets only the newest question be answered", () => {
  const questions = new Newest();
  const first = questions.begin();
  expect(first()).toBe(true);
  const second = questions.begin();
  expect(first()).toBe(false);
  expect(second()).toBe(true);
  expect(new Newest().begin()()).toBe(true);
});
