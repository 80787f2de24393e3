// Twenty questions: which readings the answers leave, what to ask next, and the ruling as a rules file has it.
import type { QuestionsAnswer, TellingHand } from "../../lib/types";

export interface Answered {
  question: TellingHand;
  points: number;
}

/** Hands that are asked at least, where there are so many: one answer may be about one kind of hand alone. */
const CONFIRMED = 3;

/** The readings that agree with every answer, by number. */
export const readingsLeft = (found: QuestionsAnswer, answers: readonly Answered[]): number[] =>
  found.readings.map((_, at) => at).filter((at) => answers.every((one) => one.question.points[at] === one.points));

/** The question that splits the readings left most evenly, then some that confirm it; null: enough. */
export function nextQuestion(found: QuestionsAnswer, answers: readonly Answered[]): TellingHand | null {
  const left = readingsLeft(found, answers);
  const open = found.questions.filter((one) => answers.every(({ question }) => question.hand.text !== one.hand.text));
  if (!left.length) return null;
  if (left.length === 1) return answers.length < CONFIRMED ? (open[0] ?? null) : null;
  let best: TellingHand | null = null;
  let least = left.length;
  for (const one of open) {
    const values = left.map((at) => one.points[at]);
    const worst = Math.max(...values.map((value) => values.filter((other) => other === value).length));
    if (worst < least) [best, least] = [one, worst];
  }
  return best;
}

/** What was settled, as an entry of [[rulings]]: question, sentence, answer, and the hands with their points. */
export const rulingOf = (
  found: QuestionsAnswer,
  answers: readonly Answered[],
  settled: number | undefined,
  id: string,
  question: string,
): { id: string } & Record<string, unknown> => ({
  id,
  question: question || { ...found.question },
  sentence: found.sentence,
  answer:
    settled === undefined
      ? { zh: "各种读法都不合：见牌例。", en: "No reading fits: see the hands." }
      : { ...(found.readings[settled]?.label ?? { zh: "", en: "" }) },
  hands: answers.map((one) => ({ ...one.question.keys, [one.question.measure]: one.points })),
});
