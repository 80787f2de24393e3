import { beforeEach, describe, expect, it } from "vitest";
import { prefs } from "../../lib/prefs.svelte";
import type { HandOver, Hint, TableEvent, TableOption } from "../../lib/types";
import { aimOf, claimAdvice, discardAdvice, summary } from "./coach";

const choice = (more: object): object => ({ do: "discard", tile: "1m", missing: 3, left: 8, text: "打一万", ...more });
const hint = (more: object): Hint => ({ at: 1, ...more }) as unknown as Hint;
const over = (more: object): HandOver =>
  ({ winner: "E", discarder: "S", self_draw: false, gains: [16, -16, 0, 0], ...more }) as unknown as HandOver;

const NAMES = { E: "小竹", S: "我", W: "小松", N: "小梅" };

beforeEach(() => {
  prefs.lang = "zh";
});

describe("a coach", () => {
  it("names the aim and what is missing of it", () => {
    const aims = [{ tiles: ["2m", "E"], hand: "", points: 8, fans: ["花龙"] }];
    expect(aimOf(hint({ aims }))).toBe("目标：花龙。还缺二万、东。");
    prefs.lang = "en";
    expect(aimOf(hint({ aims }))).toBe("Aim: 花龙. It needs the 2 of characters and the east wind.");
    const [aim] = aims;
    const long = [{ ...aim!, tiles: ["6m", "4m", "5s", "9s", "2s", "C"] }];
    expect(aimOf(hint({ aims: long }))).toBe(
      "Aim: 花龙. It needs the 4 and 6 of characters, the 2, 5 and 9 of bamboo and the red dragon.",
    );
    prefs.lang = "zh";
    expect(aimOf(null)).toBe("");
    expect(aimOf(hint({ choices: [choice({ missing: 0 })] }))).toBe("");
    expect(aimOf(hint({ choices: [choice({ missing: 1 })] }))).toBe("你还差 1 张可和。");
  });
  it("says which tile to discard and why", () => {
    expect(discardAdvice(hint({ choices: [choice({})] }))).toContain("打一万：");
    expect(discardAdvice(hint({ choices: [choice({ do: "kong" })] }))).toBe("");
    expect(discardAdvice(hint({ shape: [{ tile: "9s", missing: 2, left: 5 }] }))).toContain("打九索");
  });
  it("explains each claim once, and what it would do itself", () => {
    const options = ["chow", "chow", "pung", "pass"].map((one) => ({ do: one, tile: "5p" })) as TableOption[];
    const told = claimAdvice(options, hint({ choices: [choice({ do: "pass", tile: null })] }));
    expect(told).toHaveLength(3);
    expect(told[0]).toMatch(/^我会过/); // first: a phone may have no room for more
    expect(told[1]).toMatch(/^吃：五筒/);
    expect(told[2]).toMatch(/^碰：/);
    const advice = (more: object): string | undefined => claimAdvice(options, hint({ choices: [choice(more)] }))[0];
    expect(advice({ do: "pung", tile: "5p", then: "N" })).toBe("我会碰，再打北。");
    expect(advice({ do: "chow", tile: "5p", low: "4p", then: "9s" })).toBe("我会吃成四筒五筒六筒，再打九索。");
    expect(advice({ do: "discard" })).toMatch(/^吃：/); // what to discard is said elsewhere
    prefs.lang = "en";
    expect(advice({ do: "pung", tile: "5p", then: "N" })).toBe("I would pung, then discard the north wind.");
    prefs.lang = "zh";
    expect(claimAdvice(options, null)[0]).toBe("拿不准就点“过”。"); // no hint is known yet
    expect(claimAdvice([{ do: "win", tile: "5p" }, ...options] as TableOption[], null)[0]).toBe("能和就和，别放过。");
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
        const told = summary(over({}), events, mine, 2, NAMES, "盘");
        expect(told).toHaveLength(5);
        expect(new Set(told).size).toBe(5);
      }
    }
    prefs.lang = "zh";
    expect(summary(over({}), events, "S", 2, NAMES, "盘")[0]).toBe("你打出的牌让小竹和了。");
    expect(summary(over({}), events, "S", 2, NAMES, "盘")[1]).toBe("你付了 16 分。");
    expect(summary(over({}), events, "S", 2, NAMES, "盘")[2]).toContain("打了 1 张牌");
    expect(summary(over({ robbed: true }), events, "S", 2, NAMES, "盘")[0]).toBe("小竹抢了你的杠，和了。");
    expect(summary(over({ robbed: true }), events, "W", 2, NAMES, "盘")[0]).toBe("小竹抢杠和了。");
    expect(summary(over({}), events, "E", 2, NAMES, "盘")[0]).toBe("你和了这一盘，恭喜。");
    const two = summary(over({ also: [{ winner: "N" }] }), events, "S", 2, NAMES, "盘");
    expect(two[0]).toBe("你打出的牌让小竹、小梅和了。");
    expect(two[3]).toBe("最后你还差 2 张可和。");
    expect(summary(over({}), events, "S", 40, NAMES, "盘")[3]).toContain("没有成形"); // nothing to count
    expect(summary(over({ winner: null, gains: [0, 0, 0, 0] }), events, "W", null, NAMES, "盘")[0]).toBe(
      "牌摸完了，没有人和。",
    );
  });
});
