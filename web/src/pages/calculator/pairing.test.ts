import { expect, it } from "vitest";
import { pairFans } from "./pairing";

const fan = (name: string, english: string, value = 1) => ({ name, english, value });
const shown = (...pairs: ReturnType<typeof pairFans<ReturnType<typeof fan>>>) =>
  pairs.map((pair) => [pair.name, pair.mine?.value, pair.theirs?.value]);

it("is one row where two rulebooks call one fan differently", () => {
  const pairs = pairFans([fan("门前清", "Concealed Hand", 2)], [fan("门清", "concealed hand", 5)]);
  expect(shown(...pairs)).toEqual([["门前清 | 门清", 2, 5]]);
});

it("pairs one name before one translation, and each fan once", () => {
  const mine = [fan("混一色", "half flush", 1), fan("染手", "half flush", 2)];
  const theirs = [fan("染手", "half flush", 3), fan("混色", "half flush", 4)];
  expect(shown(...pairFans(mine, theirs))).toEqual([
    ["混一色 | 混色", 1, 4],
    ["染手", 2, 3],
  ]);
});

it("leaves alone what the other has not, in the order of each", () => {
  const pairs = pairFans(
    [fan("平和", "all chows", 1), fan("无名", "", 2)],
    [fan("无字", "", 3), fan("断幺", "all simples", 4)],
  );
  expect(shown(...pairs)).toEqual([
    ["平和", 1, undefined],
    ["无名", 2, undefined],
    ["无字", undefined, 3],
    ["断幺", undefined, 4],
  ]);
});
