import { describe, expect, it } from "vitest";
import type { SeatView } from "../../lib/types";
import { momentOf } from "./asked";

const tiles = (text: string): string[] => text.match(/[1-9][mps]|[ESWNCFPa-h]/g) ?? [];
const meld = (kind: string, text: string): unknown => ({ kind, tiles: text });
const seen = (hand: string, board: object = {}, more: object = {}): SeatView =>
  ({
    seat: "S",
    hand: tiles(hand),
    board: { rivers: [["9m"], [], ["E"], []], melds: [[], [], [], []], left: 60, round: "E", ...board },
    options: [],
    ...more,
  }) as never;
const THIRTEEN = "1m2m3m4p5p6p7s8sCCCEE";

describe("the moment that is asked about", () => {
  it("is the own turn", () => {
    expect(momentOf(seen(THIRTEEN, {}, { drawn: "9p" }))).toEqual({
      hand: "123m456p78sCCCEE+9p",
      seat: "S",
      round: "E",
      seen: "9mE",
      left: 60,
      melds: ["", "", ""],
      offered: "",
      giver: "",
    });
    const melds = [[], [meld("pung", "CCC")], [], [meld("chow", "1s2s3s"), meld("concealed_kong", "")]];
    const claimed = seen("1m2m3m4p5p6p7s8sEE9p", { melds });
    expect(momentOf(claimed)).toMatchObject({ hand: "123m456p78sEE(CCC)+9p", melds: ["", "(123s)", ""] });
  });
  it("has the tile that another seat discarded once", () => {
    const offer = { offer: "9s", offerer: "W", rivers: [["9m"], [], ["E", "9s"], []] };
    expect(momentOf(seen(THIRTEEN, offer))).toMatchObject({
      hand: "123m456p78sCCCEE",
      seen: "9mE",
      offered: "9s",
      giver: "W",
    });
  });
  it("has the kong that may be robbed", () => {
    for (const [kind, text] of [
      ["kong", "(9999s)"],
      ["concealed_kong", "[9999s]"],
    ] as const) {
      const board = { offer: "9s", offerer: "W", melds: [[], [], [meld(kind, "9s9s9s9s")], []] };
      expect(momentOf(seen(THIRTEEN, board))).toMatchObject({
        hand: "123m456p78sCCCEE",
        seen: "9mE",
        melds: [text, "", ""],
        offered: "9s",
        giver: "W",
      });
    }
  });
  it("is none with a flower in hand, out of one's turn, or if the kong lies face down", () => {
    expect(momentOf(seen(THIRTEEN, {}, { drawn: "a" }))).toBeNull();
    expect(momentOf(seen(THIRTEEN))).toBeNull();
    const hidden = { offer: "9s", offerer: "W", melds: [[], [], [meld("concealed_kong", "")], []] };
    expect(momentOf(seen(THIRTEEN, hidden))).toBeNull();
  });
});
