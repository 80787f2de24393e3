import { Converter } from "opencc-js";
import { expect, it } from "vitest";
import { MAHJONG, runs, written } from "../../script/hant.mjs";
import { traditional } from "./hant";

const back = Converter({ from: "tw", to: "cn" });
/** But 余 before a number, which is no part of a run, and characters listed by their sound. */
const RUNS = runs().filter((run) => run !== "余" && !run.includes("与于余域"));

it("leaves no character that is only written in 简体, in any text of the pages and the books", () => {
  const there = Converter({ from: "cn", to: "tw" });
  /** Written otherwise in 繁體, and itself the form of no other character (but 干, as in 若干). */
  const only = (c: string): boolean => there(c) !== c && back(c) === c && c !== "干";
  const left = RUNS.flatMap((run) => [...traditional(run)].filter(only).map((c) => `${c} ${run}`));
  expect(left).toEqual([]);
  expect(RUNS.length).toBeGreaterThan(5000);
});

it("writes every text as OpenCC does, but for the words of the table", () => {
  const wrong = RUNS.filter((run) => traditional(run) !== written(run)).map((run) => `${run} ${traditional(run)}`);
  expect(wrong.length / RUNS.length).toBeLessThan(0.002);
});

it("writes mahjong as players do", () => {
  const words = {
    岭上开花: "嶺上開花",
    抢杠: "搶槓",
    断幺九: "斷么九",
    为什么: "為什麼",
    吃碰杠: "吃碰槓",
    听牌: "聽牌",
    绿发: "綠發",
    海底捞月: "海底撈月",
    一万两筒三索: "一萬兩筒三索",
    以后: "以後",
    手里: "手裡",
    首张舍牌: "首張捨牌",
    四归二只有一种: "四歸二只有一種",
    八只花牌: "八隻花牌",
    复制链接: "複製連結",
    账号: "帳號",
  };
  for (const [simplified, word] of Object.entries(words)) expect(traditional(simplified)).toBe(word);
  for (const [simplified, word] of MAHJONG) expect(traditional(simplified)).toBe(word);
});

it("leaves what is written in 繁體 as it is: what is on a page may come by again", () => {
  const again = RUNS.map(traditional).filter((once) => traditional(once) !== once);
  expect(again).toEqual([]);
});

it("leaves a surname as its bearer writes it, and the words with that character as everybody does", () => {
  const people = "于文 范文 余文 涂文 游文 郁文 岳文";
  expect(traditional(people)).toBe(people);
  const words = { 其余: "其餘", "余 3 张": "餘 3 張", 属于: "屬於", 等于: "等於" };
  for (const [simplified, word] of Object.entries(words)) expect(traditional(simplified)).toBe(word);
});

it("keeps what it does not know", () => {
  expect(traditional("EN 123m+4p，（）")).toBe("EN 123m+4p，（）");
});
