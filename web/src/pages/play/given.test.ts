import { afterEach, describe, expect, it } from "vitest";
import { prefs } from "../../lib/prefs.svelte";
import { playerName } from "../replays/words";
import { given, HOST, ME, personName } from "./given";
import { placeName } from "./names.svelte";

afterEach(() => {
  prefs.lang = "zh";
});

describe("names that the page gave", () => {
  it("are shown in the language of who looks", () => {
    const stored = [given(ME), given(HOST)];
    prefs.lang = "en";
    stored.push(given(ME), given(HOST));
    expect(stored).toEqual(["(我)", "(桌主)", "(Me)", "(Host)"]);
    expect(stored.map(personName)).toEqual(["Me", "Host", "Me", "Host"]);
    expect(playerName("(我)")).toBe("Me");
    expect(placeName({ kind: "person", name: "(我)" } as never, 0)).toBe("Me");
    prefs.lang = "zh";
    expect(stored.map(personName)).toEqual(["我", "桌主", "我", "桌主"]);
  });
  it("are no others: what people typed stays", () => {
    const typed = ["我", "Me", "桌主", "Host", "我们", "老我", "Meng", "阿桂", "(阿桂)"];
    for (const lang of ["zh", "en"] as const) {
      prefs.lang = lang;
      expect(typed.map(personName)).toEqual(typed);
      expect(typed.map(playerName)).toEqual(typed);
    }
    expect(playerName("电脑2·普通")).toMatch(/^Bot 2·/);
  });
});
