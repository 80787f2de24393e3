// Two discards compared by shape alone: what brings each hand nearer, and the exact chances to draw it.
import type { Kind } from "../../lib/tiles";
import type { ChoiceShape } from "../../lib/types";

/** Own draws for which the chances are shown. */
export const DRAWS: readonly number[] = [1, 3, 6];

export interface UsefulKind {
  tile: Kind;
  left: number;
}

export interface ShapeLine {
  discard: Kind;
  missing: number;
  useful: UsefulKind[];
  left: number;
  /** The chance that a useful tile comes within each of `DRAWS`. */
  within: number[];
}

export interface ShapeAnswer {
  first: ShapeLine;
  other: ShapeLine;
  /** Useful to the first only, and to the other only. */
  gained: UsefulKind[];
  lost: UsefulKind[];
}

/** The chance that one of `useful` tiles among `unseen` comes within this many draws. */
export function drawnWithin(useful: number, unseen: number, draws: number): number {
  let none = 1;
  for (let drawn = 0; drawn < draws && unseen > drawn; drawn++)
    none *= Math.max(0, unseen - useful - drawn) / (unseen - drawn);
  return 1 - none;
}

function lineOf(choice: ChoiceShape, unseen: number): ShapeLine {
  const all = choice.ready ? choice.waits.filter((wait) => wait.can_win) : choice.useful;
  const useful = all.filter((one) => one.left > 0).map(({ tile, left }) => ({ tile, left }));
  const left = useful.reduce((sum, one) => sum + one.left, 0);
  const within = DRAWS.map((draws) => drawnWithin(left, unseen, draws));
  return { discard: choice.discard, missing: choice.missing, useful, left, within };
}

/** A discard beside the best one by shape (`choices` come best first), or the best one beside the next. */
export function compareShapes(choices: readonly ChoiceShape[], asked: Kind, unseen: number): ShapeAnswer | null {
  const found = choices.find((choice) => choice.discard === asked);
  const beside = choices.find((choice) => choice.discard !== asked);
  if (!found || !beside) return null;
  const [first, other] = (found === choices[0] ? [found, beside] : [beside, found]).map((one) => lineOf(one, unseen));
  const without = (of: ShapeLine, than: ShapeLine): UsefulKind[] =>
    of.useful.filter(({ tile }) => !than.useful.some((one) => one.tile === tile));
  return first && other ? { first, other, gained: without(first, other), lost: without(other, first) } : null;
}
