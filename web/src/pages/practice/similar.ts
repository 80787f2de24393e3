// Positions like one that was met before, so that the lesson is repeated and not the picture. Candidates are
// enumerated: suits exchanged, ranks turned round (1 for 9), and one tile that does not matter moved by a rank. The
// server values each until one has the same lesson: the best tile still is, and the mistake still is one.
import type { Kind } from "../../lib/tiles";
import type { ValuedDiscards } from "../../lib/types";
import { isAsGood, type Mistake } from "./mistakes";

const SUITS = ["m", "p", "s"] as const;
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;
const COPIES = 4;
const MOST_ASKED = 6;

/** A position with the images of the best tile and of the mistake. */
export interface Candidate {
  tiles: Kind[];
  drawn: Kind | null;
  melds: Kind[][];
  best: Kind;
  chosen: Kind;
}
export type Value = (hand: string, rules: string) => Promise<ValuedDiscards | null>;

function image(kind: Kind, order: readonly number[], turned: boolean): Kind {
  const at = SUITS.findIndex((suit) => kind[1] === suit);
  if (at < 0) return kind;
  const rank = Number(kind[0]);
  return `${turned ? 10 - rank : rank}${SUITS[order[at] ?? 0] ?? "m"}`;
}

const everything = (one: Candidate): Kind[] => [...one.tiles, ...(one.drawn ? [one.drawn] : []), ...one.melds.flat()];

function count(kinds: readonly Kind[]): Map<Kind, number> {
  const found = new Map<Kind, number>();
  for (const kind of kinds) found.set(kind, (found.get(kind) ?? 0) + 1);
  return found;
}

const signature = (one: Candidate): string => [...everything(one)].sort().join("");

/** The images of a position under every exchange of suits, with the ranks as they are and turned round, but itself. */
export function images(one: Candidate): Candidate[] {
  const found = new Map([[signature(one), one]]);
  for (const order of ORDERS)
    for (const turned of [false, true]) {
      const of = (kind: Kind): Kind => image(kind, order, turned);
      const made = {
        tiles: one.tiles.map(of),
        drawn: one.drawn && of(one.drawn),
        melds: one.melds.map((meld) => meld.map(of).sort()),
        best: of(one.best),
        chosen: of(one.chosen),
      };
      if (!found.has(signature(made))) found.set(signature(made), made);
    }
  found.delete(signature(one));
  return [...found.values()];
}

/** Positions in which one tile is moved by a rank, neither the best discard nor the mistake. */
export function neighbours(one: Candidate): Candidate[] {
  const held = count(everything(one));
  const found = new Map<string, Candidate>();
  one.tiles.forEach((kind, at) => {
    if (kind === one.best || kind === one.chosen || !(SUITS as readonly string[]).includes(kind[1] ?? "")) return;
    for (const rank of [Number(kind[0]) - 1, Number(kind[0]) + 1]) {
      const other = `${rank}${kind[1]}`;
      if (rank < 1 || rank > 9 || (held.get(other) ?? 0) >= COPIES) continue;
      const made = { ...one, tiles: one.tiles.map((own, n) => (n === at ? other : own)) };
      found.set(signature(made), made);
    }
  });
  return [...found.values()];
}

/** The text of fourteen tiles, as the server reads it. */
export const textOf = (one: Candidate): string =>
  [...one.tiles, one.drawn ?? "", ...one.melds.map((meld) => `(${meld.join("")})`)].join("");

/** Whether similar positions can be made: not of claims, nor of kongs, which may be concealed. */
export const canVary = (one: Mistake): boolean =>
  !one.options.length && one.melds.every((meld) => meld.length === 3) && one.tiles.length % 3 !== 0;

/** Another position with the same lesson; null if none of those asked has it, or the server cannot value them now. */
export async function similarTo(
  one: Mistake,
  value: Value,
  random: () => number = Math.random,
): Promise<Mistake | null> {
  if (!canVary(one)) return null;
  const whole = images(one);
  const moved = [one, ...whole].flatMap((position) => neighbours(position));
  const order = <T>(some: T[]): T[] =>
    some
      .map((item) => [random(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  // a moved tile makes a new hand; an exchange of suits nearly always keeps the lesson
  const asked = [...order(moved).slice(0, MOST_ASKED - 2), ...order(whole).slice(0, 2)];
  for (const candidate of asked) {
    const found = await value(textOf(candidate), one.rules);
    if (!found || found.preparing) return null;
    const made = applied(one, candidate, found);
    if (made) return made;
  }
  return null;
}

function applied(one: Mistake, candidate: Candidate, found: ValuedDiscards): Mistake | null {
  const shares: Record<Kind, number> = {};
  for (const kind of candidate.drawn ? [...candidate.tiles, candidate.drawn] : candidate.tiles) shares[kind] = 0;
  for (const choice of found.choices)
    if (choice.do === "discard" && choice.tile) shares[choice.tile] = Math.max(shares[choice.tile] ?? 0, choice.share);
  const made = { ...one, ...candidate, shares, why: { zh: found.text, en: found.text } };
  return isAsGood(made, candidate.best) && !isAsGood(made, candidate.chosen) ? made : null;
}
