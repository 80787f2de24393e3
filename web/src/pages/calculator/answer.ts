// What is asked about a hand, and the answer together with its question: an answer to another question is an old one.
import { begun, post, Refused } from "../../lib/api.svelte";
import type { CircumstanceState, CompletionShape, ExplainedScore, WaitsAnswer } from "../../lib/types";

/** All that an answer depends on. */
export interface Question {
  rules: string;
  lang: string;
  house: string;
  hand: string;
  /** The hand without its winning tile. */
  thirteen: string;
  /** unfinished: neither; ready: thirteen; marked: fourteen with the winning tile; unmarked: without. */
  stage: "unfinished" | "ready" | "marked" | "unmarked";
  seat: string;
  round: string;
  selfDraw: boolean;
  circumstances: string[];
  flowers: string[];
  seen: string;
}

export interface Answer {
  /** The question as text, "" before the first. */
  question: string;
  /** The hand that it is about. */
  hand: string;
  score: ExplainedScore | null;
  /** Why a complete hand has no score. */
  refused: string | null;
  waits: WaitsAnswer | null;
  /** Why there are no waits beside a score: a fifth copy among what was seen. */
  noWaits: string | null;
  choices: WaitsAnswer["choices"];
  completion: CompletionShape | null;
  circumstances: CircumstanceState[];
}

export const NOTHING: Answer = {
  question: "",
  hand: "",
  score: null,
  refused: null,
  waits: null,
  noWaits: null,
  choices: null,
  completion: null,
  circumstances: [],
};

export const written = (question: Question): string => JSON.stringify(question);

/** An answer, or why there is none; that the server cannot be reached, or is not asked any more, is thrown. */
export const orRefused = async <T>(request: Promise<T>): Promise<T | Refused> =>
  request.catch((problem: unknown) => {
    if (problem instanceof Refused && problem.status) return problem;
    throw problem;
  });

export async function answered(question: Question, signal: AbortSignal): Promise<Answer> {
  const { rules, house, hand, thirteen, stage, seat, round, selfDraw, circumstances, flowers, seen } = question;
  const about = { rules, house, hand, seat, round, circumstances, flowers, self_draw: selfDraw };
  const quiet = { rules, house, seat, round, flowers, seen };
  const [states, score, waits, choices] = await Promise.all([
    orRefused(post<CircumstanceState[]>("/api/circumstances", about, signal)),
    stage === "marked" ? orRefused(post<ExplainedScore>("/api/score?explain=true", about, signal)) : null,
    stage === "ready" || stage === "marked"
      ? orRefused(post<WaitsAnswer>("/api/waits", { ...quiet, hand: thirteen }, signal))
      : null,
    stage === "marked" || stage === "unmarked"
      ? orRefused(post<WaitsAnswer>("/api/waits", { ...quiet, hand }, signal))
      : null,
  ]);
  const found = score instanceof Refused ? null : score;
  return {
    question: written(question),
    hand,
    score: found,
    refused:
      [score, waits, stage === "unmarked" ? choices : null].find((one) => one instanceof Refused)?.message ?? null,
    waits: waits instanceof Refused ? null : waits,
    noWaits: found && waits instanceof Refused ? waits.message : null,
    choices: choices instanceof Refused ? null : (choices?.choices ?? null),
    completion:
      choices instanceof Refused || !choices?.completion
        ? null
        : { ...choices.completion, sentence: begun(choices.completion.sentence) },
    circumstances: states instanceof Refused ? [] : states,
  };
}
