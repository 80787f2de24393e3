import { expect, test } from "vitest";
import { toHundredths } from "./season";

test("an amount has at most two decimals", () => {
  for (const [amount, cents] of [
    [20.55, 2055],
    [0.29, 29],
    [1.1, 110],
    [1_000_000, 100_000_000],
    [999_999.99, 99_999_999],
    [20.555, null],
    [0.001, null],
    [19.999, null],
  ] as const)
    expect(toHundredths(amount)).toBe(cents);
});
