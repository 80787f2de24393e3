// One's own mistakes as puzzles: choices that a review of one's own match graded down, of every kind. They are stored
// whole in this browser, so that they can be repeated offline; what was known once comes back after a day, then three,
// a week … Every try is noted with its kind, for the profile.
import { get } from "../../lib/api.svelte";
import type { Kind } from "../../lib/tiles";
import type {
  Bilingual,
  HandFilm,
  HandReview,
  MistakeShape,
  ReplayPage,
  ReviewChoice,
  ReviewDecision,
  ReviewState,
} from "../../lib/types";
import { kindsOf } from "../../components/table/shapes";
import { tickets } from "../play/tickets";

const KEY = "quepu.mistakes";
const DAY = 86_400_000;
const MOST = 200; // the latest ones
const MOST_TRIES = 4000;
const MOST_OPTIONS = 6;
const LOOKED_AT = 6; // matches whose reviews are asked for at once
const AS_GOOD = 0.97; // of the value of the best choice
/** Days until a puzzle comes back, by how often in a row it has been solved. */
export const AFTER = [1, 3, 7, 21, 60] as const;

export interface Mistake {
  /** Where it was made: replay, hand, frame and seat. */
  replay: string;
  hand: number;
  frame: number;
  seat: Kind;
  rules: string;
  tiles: Kind[];
  drawn: Kind | null;
  melds: Kind[][];
  /** Null in puzzles that were stored before kinds were. */
  mistake: MistakeShape | null;
  /** A tile that another seat has discarded, and that may be claimed. */
  offer: Kind | null;
  /** The choices, best first, if more is asked than which tile to discard: claim, win, kong or pass. */
  options: { key: string; text: Bilingual }[];
  /** What each discard or option keeps of the best one's value. */
  shares: Record<string, number>;
  best: string;
  chosen: string;
  why: Bilingual;
  /** How often it has been tried. */
  met: number;
  /** How often in a row it has been solved, and when it comes back. */
  solved: number;
  due: number;
}
/** A try at a puzzle: when, the kind of the mistake, and whether it was solved. */
export interface Try {
  at: number;
  mistake: MistakeShape;
  right: boolean;
}
interface Stored {
  puzzles: Mistake[];
  tries: Try[];
  /** Matches that have been looked through. */
  matches: string[];
}

const BEFORE = { mistake: null, offer: null, options: [], met: 0 };

function load(): Stored {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Stored>;
    const puzzles = (found.puzzles ?? []).map((one) => ({ ...BEFORE, ...one }));
    return { puzzles, tries: found.tries ?? [], matches: found.matches ?? [] };
  } catch {
    return { puzzles: [], tries: [], matches: [] };
  }
}

function store(stored: Stored): void {
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify({ ...stored, puzzles: stored.puzzles.slice(0, MOST), tries: stored.tries.slice(-MOST_TRIES) }),
    );
  } catch {
    // storage may be forbidden: then there are no puzzles of one's own
  }
}

export const keyOf = (one: Mistake): string => [one.replay, one.hand, one.frame, one.seat].join("/");
export const mistakes = (): Mistake[] => load().puzzles;
export const tries = (): Try[] => load().tries;
/** Those to be met again now, the one that has waited longest first. */
export const dueNow = (list: readonly Mistake[], now = Date.now()): Mistake[] =>
  list.filter((one) => one.due <= now).sort((one, other) => one.due - other.due);
export const isAsGood = (one: Mistake, answer: string): boolean => (one.shares[answer] ?? 0) >= AS_GOOD;

/** Notes a try: solved, it comes back later and later; missed, it comes back tomorrow and begins anew. */
export function noteTry(key: string, right: boolean, now = Date.now()): void {
  const stored = load();
  const tried = stored.puzzles.find((one) => keyOf(one) === key);
  store({
    ...stored,
    tries: tried?.mistake ? [...stored.tries, { at: now, mistake: tried.mistake, right }] : stored.tries,
    puzzles: stored.puzzles.map((one) => {
      if (keyOf(one) !== key) return one;
      const days = right ? (AFTER[Math.min(one.solved, AFTER.length - 1)] ?? 1) : 1;
      return { ...one, met: one.met + 1, solved: right ? one.solved + 1 : 0, due: now + days * DAY };
    }),
  });
}

const optionOf = (choice: ReviewChoice): string => [choice.do, choice.tile, choice.low, choice.then].join(" ");

/** The puzzle of a decision; null if it was not a mistake. */
export function puzzleOf(
  decision: ReviewDecision,
  film: HandFilm,
  replay: string,
  rules: string,
  now = Date.now(),
): Mistake | null {
  if (decision.grade !== "mistake" && decision.grade !== "blunder") return null;
  const frame = film.frames[decision.frame];
  const [best] = decision.choices;
  const chosen = decision.choices[decision.chosen ?? -1];
  const at = "ESWN".indexOf(decision.seat);
  if (!frame || !chosen || !best) return null;
  const discards = best.do === "discard" && chosen.do === "discard";
  const shown = discards ? [] : [...new Set([...decision.choices.slice(0, MOST_OPTIONS), chosen])];
  const name = (choice: ReviewChoice): string => (discards ? (choice.tile ?? "") : optionOf(choice));
  const shares: Record<string, number> = {};
  for (const choice of discards ? decision.choices.filter((one) => one.do === "discard" && one.tile) : shown)
    shares[name(choice)] = Math.max(shares[name(choice)] ?? 0, choice.share);
  return {
    replay,
    hand: film.number,
    frame: decision.frame,
    seat: decision.seat,
    rules,
    tiles: frame.hands[at] ?? [],
    drawn: frame.drawn?.seat === decision.seat ? frame.drawn.tile : null,
    melds: (frame.board.melds[at] ?? []).map((meld) => kindsOf(meld.tiles)),
    mistake: decision.mistake,
    offer: decision.kind === "claim" ? frame.tile : null, // boards of a film name no offer
    options: shown.map((choice) => ({ key: optionOf(choice), text: choice.text })),
    shares,
    best: name(best),
    chosen: name(chosen),
    why: decision.why,
    met: 0,
    solved: 0,
    due: now,
  };
}

async function look(replay: string, player: number): Promise<Mistake[] | null> {
  const address = `/api/replays/${encodeURIComponent(replay)}`;
  const review = await get<ReviewState>(`${address}/review`);
  if (review.state !== "done") return null;
  const { rules } = await get<ReplayPage>(address);
  const found: Mistake[] = [];
  for (const hand of review.hands) {
    const own = hand.seats.find((seat) => seat.player === player);
    if (!own || !(own.mistakes + own.blunders)) continue;
    const [judged, film] = await Promise.all([
      get<HandReview>(`${address}/review/${hand.number}`),
      get<HandFilm>(`${address}/hands/${hand.number}`),
    ]);
    for (const decision of judged.decisions) {
      const puzzle = decision.seat === own.seat ? puzzleOf(decision, film, replay, rules) : null;
      if (puzzle) found.push(puzzle);
    }
  }
  return found;
}

/** Looks through finished reviews of this browser's matches that it has not seen; returns how many puzzles are new. */
export async function collect(): Promise<number> {
  let added = 0;
  const fresh = tickets().filter((ticket) => !load().matches.includes(ticket.room));
  for (const ticket of fresh.slice(0, LOOKED_AT)) {
    const found = await look(ticket.room, ticket.place).catch(() => null);
    if (!found) continue; // not over, not reviewed, or no server: another time
    const stored = load();
    store({
      ...stored,
      puzzles: [...found, ...stored.puzzles],
      matches: [...stored.matches, ticket.room].slice(-MOST),
    });
    added += found.length;
  }
  return added;
}
