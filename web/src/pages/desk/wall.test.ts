import { expect, test } from "vitest";
import { layOut, PAGE, sizeOf } from "./wall";

test("every table up to a whole page has a place, with at most five tables below each other", () => {
  for (let tables = 1; tables <= PAGE; tables++) {
    const { columns, rows } = layOut(tables);
    expect(columns * rows).toBeGreaterThanOrEqual(tables);
    expect(columns * (rows - 1)).toBeLessThan(tables);
    expect(rows).toBeLessThanOrEqual(5);
  }
});

test("long names are set smaller, a Chinese character counting as two letters", () => {
  expect(["Konstantinos", "Konstantinova", "欧阳长名字呢", "欧阳长名字呢吧"].map(sizeOf)).toEqual([
    "",
    "long",
    "",
    "long",
  ]);
  expect(["a".repeat(20), "a".repeat(21)].map(sizeOf)).toEqual(["long", "longer"]);
});
