import { expect, test } from "vitest";
import type { QuestionsAnswer } from "../../lib/types";
import { nextQuestion, readingsLeft, rulingOf } from "./questions";

const hand = (text: string): QuestionsAnswer["questions"][number]["hand"] => ({
  text,
  concealed: [],
  melds: [],
  winning: null,
});
const question = (text: string, points: number[]): QuestionsAnswer["questions"][number] => ({
  hand: hand(text),
  points,
  fans: points.map(() => []),
  sets: 1,
  measure: "points",
  keys: { hand: text },
});
const label = (zh: string): { zh: string; en: string } => ({ zh, en: zh });
const found: QuestionsAnswer = {
  option: "x",
  question: label("问"),
  sentence: "句",
  alike: null,
  readings: ["甲", "乙", "丙"].map((name) => ({ label: label(name), choice: `"${name}"` })),
  questions: [question("a", [1, 1, 2]), question("b", [1, 2, 3]), question("c", [5, 6, 6])],
};

test("what splits the readings most is asked first, then what confirms the one that is left", () => {
  const first = nextQuestion(found, []);
  expect(first?.hand.text).toBe("b");
  if (!first) return;
  const answers = [{ question: first, points: 2 }];
  expect(readingsLeft(found, answers)).toEqual([1]);
  expect(nextQuestion(found, answers)?.hand.text).toBe("a");
  expect(rulingOf(found, answers, 1, "R", "").hands).toEqual([{ hand: "b", points: 2 }]);
  const whole = { ...first, measure: "total" as const };
  expect(rulingOf(found, [{ question: whole, points: 2 }], 1, "R", "").hands).toEqual([{ hand: "b", total: 2 }]);
  expect(readingsLeft(found, [{ question: first, points: 9 }])).toEqual([]);
  expect(nextQuestion(found, [{ question: first, points: 9 }])).toBeNull();
});
