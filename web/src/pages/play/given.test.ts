import { afterEach, describe, expect, it } from "vitest";
import { prefs } from "../../lib/prefs.svelte";
import { playerName } from "../replays/words";
import { personName } from "./given";
import { placeName } from "./names.svelte";

afterEach(() => {
  prefs.lang = "zh";
});

describe("names that the page gave", () => {
  it("are shown in the language of who looks", () => {
    expect(["我", "Me", "桌主", "Host"].map(personName)).toEqual(["我", "我", "桌主", "桌主"]);
    prefs.lang = "en";
    expect(["我", "Me", "桌主", "Host"].map(personName)).toEqual(["Me", "Me", "Host", "Host"]);
    expect(playerName("我")).toBe("Me");
    expect(placeName({ kind: "person", name: "我" } as never, 0)).toBe("Me");
  });
  it("are no others: what people typed stays", () => {
    prefs.lang = "en";
    expect(["我们", "老我", "Meng", "阿桂"].map(personName)).toEqual(["我们", "老我", "Meng", "阿桂"]);
    expect(playerName("阿桂")).toBe("阿桂");
    expect(playerName("电脑2·普通")).toMatch(/^Bot 2·/);
  });
});
