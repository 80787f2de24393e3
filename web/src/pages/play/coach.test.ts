import { beforeEach, describe, expect, it } from "vitest";
import { prefs } from "../../lib/prefs.svelte";
import type { HandOver, Hint, TableEvent, TableOption } from "../../lib/types";
import { aimOf, claimAdvice, discardAdvice, summary } from "./coach";

const choice = (more: object): object => ({ do: "discard", tile: "1m", missing: 3, left: 8, text: "打一万", ...more });
const hint = (more: object): Hint => ({ at: 1, ...more }) as unknown as Hint;
const over = (more: object): HandOver =>
  ({ winner: "E", discarder: "S", self_draw: false, gains: [16, -16, 0, 0], ...more }) as unknown as HandOver;

beforeEach(() => {
  prefs.lang = "zh";
});

describe("a coach", () => {
  it("names the aim and what is missing of it", () => {
    const aims = [{ tiles: ["2m", "E"], hand: "", points: 8, fans: ["花龙"] }];
    expect(aimOf(hint({ aims }))).toBe("目标：花龙。还缺二万、东。");
    expect(aimOf(null)).toBe("");
  });
  it("says which tile to discard and why", () => {
    expect(discardAdvice(hint({ choices: [choice({})] }))).toContain("打一万：");
    expect(discardAdvice(hint({ choices: [choice({})] }))).toContain("8 张");
    expect(discardAdvice(hint({ shape: [{ tile: "9s", missing: 2, left: 5 }] }))).toContain("打九索");
  });
  it("explains each claim once, and what it would do itself", () => {
    const options = ["chow", "chow", "pung", "pass"].map((one) => ({ do: one, tile: "5p" })) as TableOption[];
    const told = claimAdvice(options, hint({ choices: [choice({ do: "pass", tile: null })] }));
    expect(told).toHaveLength(3);
    expect(told[0]).toMatch(/^吃：五筒/);
    expect(told[1]).toMatch(/^碰：/);
    expect(told[2]).toMatch(/^我会过/);
    expect(claimAdvice([], null)).toEqual([]);
  });
  it("sums a hand up in five sentences, in both languages", () => {
    const events = [
      { e: "discard", seat: "S", tile: "1m" },
      { e: "discard", seat: "E", tile: "1m" },
    ] as unknown as TableEvent[];
    for (const lang of ["zh", "en"] as const) {
      prefs.lang = lang;
      for (const mine of ["E", "S", "W"]) {
        const told = summary(over({}), events, mine, 2);
        expect(told).toHaveLength(5);
        expect(new Set(told).size).toBe(5);
      }
    }
    prefs.lang = "zh";
    expect(summary(over({}), events, "S", 2)[0]).toBe("你打出的牌让东家和了。");
    expect(summary(over({}), events, "S", 2)[1]).toBe("你付出 16 分。");
    expect(summary(over({}), events, "S", 2)[2]).toContain("打了 1 张牌");
    expect(summary(over({ robbed: true }), events, "S", 2)[0]).toBe("东家抢了你的杠，和了。");
    expect(summary(over({ robbed: true }), events, "W", 2)[0]).toBe("东家抢杠和了。");
    expect(summary(over({ winner: null, gains: [0, 0, 0, 0] }), events, "W", null)[0]).toBe("牌摸完了，没有人和。");
  });
});
