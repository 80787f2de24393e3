import { expect, test } from "vitest";
import { fit } from "./photo";

test("a picture keeps its shape, its longest edge at most so long, and is never made larger", () => {
  expect(fit(4000, 3000)).toEqual([1400, 1050]);
  expect(fit(3000, 4000)).toEqual([1050, 1400]);
  expect([fit(1400, 10), fit(1401, 10), fit(20, 30)]).toEqual([
    [1400, 10],
    [1400, 10],
    [20, 30],
  ]);
  expect(fit(100_000, 1)).toEqual([1400, 1]);
});
