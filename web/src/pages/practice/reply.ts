// An answer while it is being given.
import { bookQuery } from "../../lib/books.svelte";
import { postQueued } from "../../lib/outbox.svelte";
import { WINDS } from "../../lib/tiles";
import type { PracticeQuestion, PracticeVerdict } from "../../lib/types";
import { who } from "../../lib/who";

export interface Reply {
  fans: string[];
  points: number | null;
  payable: boolean | null;
  waits: string[];
  discard: string | null;
  aim: string | null;
  pays: Record<string, number | null>;
}

export const blank = (): Reply => ({
  fans: [],
  points: null,
  payable: null,
  waits: [],
  discard: null,
  aim: null,
  pays: { E: null, S: null, W: null, N: null },
});

/** Whether nothing, or not all that is needed, has been answered. */
export function empty(kind: PracticeQuestion["kind"], reply: Reply): boolean {
  if (kind === "fans") return !reply.fans.length;
  if (kind === "waits") return !reply.waits.length;
  if (kind === "discard") return reply.discard === null;
  if (kind === "aim") return reply.aim === null;
  if (kind === "points") return reply.points === null;
  if (kind === "payable") return reply.payable === null;
  return WINDS.some((wind) => reply.pays[wind] === null || reply.pays[wind] === undefined);
}

/** What is sent: only the part that the kind asks for. */
const sent = (kind: PracticeQuestion["kind"], reply: Reply): Record<string, unknown> => ({
  [kind]: reply[kind],
});

/** Hands an answer in; `since` is when the question was shown, as `performance.now()`. */
export const answered = (
  question: PracticeQuestion,
  reply: Reply,
  book: string,
  since: number,
): Promise<PracticeVerdict> =>
  postQueued<PracticeVerdict>("/api/practice/answer", {
    ...bookQuery(book),
    kind: question.kind,
    level: question.level,
    seed: question.seed,
    about: question.about,
    who: who(),
    seconds: (performance.now() - since) / 1000,
    at: Date.now() / 1000,
    ...sent(question.kind, reply),
  });

/** Notes that a lesson which asks nothing was read. */
export const wasRead = (lesson: string, book: string): Promise<PracticeVerdict> =>
  postQueued<PracticeVerdict>("/api/practice/answer", {
    ...bookQuery(book),
    kind: lesson,
    level: 1,
    seed: 0,
    who: who(),
    at: Date.now() / 1000,
  });
