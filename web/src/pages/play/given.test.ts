import { afterEach, describe, expect, it } from "vitest";
import { prefs } from "../../lib/prefs.svelte";
import { playerName } from "../replays/words";
import { given, HOST, ME, personName } from "./given";
import { named, placeName } from "./names.svelte";

afterEach(() => {
  prefs.lang = "zh";
});

describe("names that the page gave", () => {
  it("are shown in the language of who looks", () => {
    const stored = [given(ME), given(HOST)];
    prefs.lang = "en";
    stored.push(given(ME), given(HOST));
    expect(stored).toEqual(["(我)", "(桌主)", "(Player)", "(Host)"]);
    stored.push("(Me)"); // as it was stored once
    expect(stored.map(personName)).toEqual(["Player", "Host", "Player", "Host", "Player"]);
    expect(playerName("(我)")).toBe("Player");
    expect(placeName({ kind: "person", name: "(我)" } as never, 0)).toBe("Player");
    prefs.lang = "zh";
    expect(stored.map(personName)).toEqual(["我", "桌主", "我", "桌主", "我"]);
  });
  it("make a sentence with what a player does", () => {
    prefs.lang = "en";
    const text = { zh: "东家摸六万", en: "East draws 6m" };
    expect(named(text, { e: "draw", seat: "E" } as never, { E: personName(given(ME)) })).toBe("Player draws 6m");
    const event = { e: "draw", seat: "E", tile: "6m" } as never;
    expect(named(text, event, { E: personName(given(ME)) })).toBe("Player draws 6 of characters");
  });
  it("stand before what a player shows: in English without the notation of tiles", () => {
    const text = { zh: "东家亮牌：六万 东", en: "East shows 6m E" };
    const event = { e: "show", seat: "E", tiles: ["6m", "E"] } as never;
    expect(named(text, event, { E: "小雀2" })).toBe("小雀2 亮牌：六万 东");
    expect(named(text, event, { E: "我" })).toBe("我亮牌：六万 东");
    prefs.lang = "en";
    expect(named(text, event, { E: "Sparrow 2" })).toBe("Sparrow 2 shows their hand");
  });
  it("are no others: what people typed stays", () => {
    const typed = ["我", "Me", "Player", "桌主", "Host", "我们", "老我", "Meng", "阿桂", "(阿桂)"];
    for (const lang of ["zh", "en"] as const) {
      prefs.lang = lang;
      expect(typed.map(personName)).toEqual(typed);
      expect(typed.map(playerName)).toEqual(typed);
    }
    expect(playerName("电脑2·普通")).toMatch(/^Bot 2·/);
  });
});
