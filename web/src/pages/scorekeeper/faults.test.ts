import { beforeEach, expect, it, vi } from "vitest";
import { prefs } from "../../lib/prefs.svelte";
import type { FaultShape } from "../../lib/types";
import { faultText } from "./faults";

vi.mock("../../lib/prefs.svelte", () => {
  const prefs = { lang: "zh" };
  const t = (zh: string, en: string): string => (prefs.lang === "zh" ? zh : en);
  return { prefs, t, say: (text: { zh: string; en: string }) => t(text.zh, text.en) };
});

const fault = (zh: string, en: string, more: Partial<FaultShape>): FaultShape => ({
  key: zh,
  name: { zh, en },
  text: { zh, en },
  points: 0,
  to: "nobody",
  again: [],
  price: { zh: String(more.points ?? 0), en: String(more.points ?? 0) },
  barred: true,
  remedies: [],
  ...more,
});
const stopped = fault("多张、少张：当盘停和", "a tile too many or too few: dead hand", {});
const shown = fault("错明出别家手牌", "another player's tile shown", { points: 40 });
const late = fault("迟到", "late", { points: 20, to: "one", barred: false });

beforeEach(() => {
  prefs.lang = "zh";
});

it("says once that a fault bars its player, in whole sentences", () => {
  expect(faultText(stopped)).toBe("多张、少张：当盘停和。");
  expect(faultText(shown)).toBe("错明出别家手牌。40，不归任何人。停和陪打。");
  expect(faultText(late)).toBe("迟到。20。");
  prefs.lang = "en";
  expect(faultText(stopped)).toBe("a tile too many or too few: dead hand.");
  expect(faultText(shown)).toBe("another player's tile shown. 40, paid to nobody. Dead hand.");
  expect(faultText(late)).toBe("late. 20.");
});
