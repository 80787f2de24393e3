import { expect, test } from "vitest";
import { inFile, plainDraft } from "./draft";
import { classRows, faultRows, penalty, put, writtenClasses, type Fault } from "./play";

const fault = (key: string, points: number): Fault => ({
  key,
  name: { zh: key, en: key },
  text: { zh: "", en: "" },
  points,
  again: [],
  to: "others",
  barred: true,
});
const BOOK = [fault("错和", 30), fault("相公", 10)];

test("a table of the rules file has what is changed alone", () => {
  const rest: Record<string, unknown> = { id: "x" };
  put(rest, "match", "rounds", 2);
  expect(rest).toEqual({ id: "x", match: { rounds: 2 } });
  put(rest, "match", "rounds", undefined);
  expect(rest).toEqual({ id: "x" });
});

test("a fault is the book's with the changes of the draft", () => {
  const rows = faultRows(BOOK, { 错和: 20, 相公: false, 迟到: { points: 5, to: "pool" } });
  expect(rows.map(({ key, points, gone }) => [key, points, gone])).toEqual([
    ["错和", 20, false],
    ["相公", 10, true],
    ["迟到", 5, false],
  ]);
  expect(rows[2]?.own).toBeUndefined();
});

test("a penalty is written as points, as a table, or not at all", () => {
  const [row] = faultRows(BOOK, {});
  if (!row) return;
  expect(penalty(row, undefined, "points", 20)).toBe(20);
  expect(penalty(row, 20, "barred", false)).toEqual({ points: 20, barred: false });
  expect(penalty(row, { points: 20, barred: false }, "barred", true)).toBe(20);
  expect(penalty(row, 20, "points", 30)).toBeUndefined();
  expect(penalty(row, { again: [1] }, "points", 30)).toEqual({ again: [1] });
});

test("categories keep their order and names unless the draft changes them", () => {
  const book = [
    { zh: "甲", en: "a" },
    { zh: "乙", en: "b" },
  ];
  const rows = classRows(book, undefined);
  expect(writtenClasses(book, rows)).toBeUndefined();
  const turned = [rows[1], rows[0]].filter((one) => one !== undefined);
  expect(writtenClasses(book, turned)).toEqual(["乙", "甲"]);
  const named = rows.map((one) => (one.was === "甲" ? { ...one, name: "丙" } : one));
  const given = writtenClasses(book, named);
  expect(given).toEqual([{ name: "丙", was: "甲", en: "a" }, "乙"]);
  expect(classRows(book, given)).toEqual(named);
});

test("the file alone changes what the page has no field for", () => {
  const draft = plainDraft("guobiao");
  draft.rest = { match: { rounds: 2 }, classes: ["a"], table: {}, penalties: {}, id: "x" };
  expect(inFile(draft)).toEqual(["id"]);
});
