import { expect, it, vi } from "vitest";
import { fixed, signed } from "./values";

vi.mock("./prefs.svelte", () => ({ t: (zh: string) => zh }));

it("writes a real minus, with and without digits behind the point", () => {
  expect([fixed(-19.812, 2), fixed(38.81, 2), signed(-3)]).toEqual(["−19.81", "38.81", "−3"]);
});
