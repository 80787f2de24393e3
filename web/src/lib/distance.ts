// How far a hand is from being ready or from a win, in the words of quepu.shapes.distance.
import { say } from "./prefs.svelte";
import { READINESS, TO_A_WIN, type Bilingual } from "./types";

const wordsFor = (words: readonly Bilingual[], missing: number | null): string =>
  say(words[missing ?? -1] ?? words.at(-1)!);

/** How far tiles are from waiting for a win, by shape alone. */
export const readiness = (missing: number): string => wordsFor(READINESS, missing);

/** How many tiles a hand lacks to one that can win under its rulebook; null: too many to be counted. */
export const toAWin = (missing: number | null): string => wordsFor(TO_A_WIN, missing);
