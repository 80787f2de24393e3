import { expect, test } from "vitest";
import { fit, fitAlone, layOut, PAGE, perPage, sizeOf } from "./wall";

test("every table up to a whole page has a place, with at most five tables below each other", () => {
  for (let tables = 1; tables <= PAGE; tables++) {
    const { columns, rows } = layOut(tables);
    expect(columns * rows).toBeGreaterThanOrEqual(tables);
    expect(columns * (rows - 1)).toBeLessThan(tables);
    expect(rows).toBeLessThanOrEqual(5);
  }
});

test("pages are even", () => {
  expect([1, 20, 21, 24, 40, 41, 100].map(perPage)).toEqual([1, 20, 11, 12, 20, 14, 20]);
});

test("long names are set smaller, a Chinese character counting as two letters", () => {
  expect(["Konstantin", "Konstantina", "欧阳长名字", "欧阳长名字呢"].map(sizeOf)).toEqual(["", "long", "", "long"]);
  const widths = [10, 11, 13, 14, 17, 18, 28, 29].map((n) => sizeOf("a".repeat(n)));
  expect(widths).toEqual(["", "long", "long", "longer", "longer", "longest", "longest", "tiny"]);
});

test("a name on the wall is as large as its column allows, and never unreadably small", () => {
  const sizes = [1, 2, 3, 10, 20].map((tables) => fit("a".repeat(40), layOut(tables)));
  expect(sizes).toEqual([0.25, 0.54, 0.87, 0.71, 0.5]);
  for (const tables of [1, 2, 3, 4, 10, 20]) expect(fit("欧阳长", layOut(tables))).toBe(1);
});

test("on a table's own screen a long name stands on two lines before it gets small", () => {
  const fits = [2, 14, 24, 26, 40].map((letters) => fitAlone("a".repeat(letters)));
  expect(fits.map((one) => one.lines)).toEqual([1, 1, 1, 2, 2]);
  expect(fits[0]).toEqual({ size: 1, lines: 1 });
  expect(fitAlone("欧".repeat(40))).toEqual({ size: 0.34, lines: 2 });
  for (const { size, lines } of fits) expect(size * lines).toBeGreaterThan(0.6);
});
