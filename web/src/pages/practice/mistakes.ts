// One's own mistakes as puzzles: discards that a review of one's own match graded down. They are stored whole in this
// browser, so that they can be repeated offline; what was known once comes back after a day, then three, a week …
import { get } from "../../lib/api.svelte";
import type { Kind } from "../../lib/tiles";
import type { Bilingual, HandFilm, HandReview, ReplayPage, ReviewDecision, ReviewState } from "../../lib/types";
import { kindsOf } from "../../components/table/shapes";
import { tickets } from "../play/tickets";

const KEY = "quepu.mistakes";
const DAY = 86_400_000;
const MOST = 200; // the latest ones
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
  /** What each discard keeps of the best one's value. */
  shares: Record<Kind, number>;
  best: Kind;
  chosen: Kind;
  why: Bilingual;
  /** How often in a row it has been solved, and when it comes back. */
  solved: number;
  due: number;
}
interface Stored {
  puzzles: Mistake[];
  /** Matches that have been looked through. */
  matches: string[];
}

function load(): Stored {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Stored>;
    return { puzzles: found.puzzles ?? [], matches: found.matches ?? [] };
  } catch {
    return { puzzles: [], matches: [] };
  }
}

function store(stored: Stored): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...stored, puzzles: stored.puzzles.slice(0, MOST) }));
  } catch {
    // storage may be forbidden: then there are no puzzles of one's own
  }
}

export const keyOf = (one: Mistake): string => [one.replay, one.hand, one.frame, one.seat].join("/");
export const mistakes = (): Mistake[] => load().puzzles;
/** Those to be met again now, the one that has waited longest first. */
export const dueNow = (list: readonly Mistake[], now = Date.now()): Mistake[] =>
  list.filter((one) => one.due <= now).sort((one, other) => one.due - other.due);
export const isAsGood = (one: Mistake, tile: Kind): boolean => (one.shares[tile] ?? 0) >= AS_GOOD;

/** Notes a try: solved, it comes back later and later; missed, it comes back tomorrow and begins anew. */
export function noteTry(key: string, right: boolean, now = Date.now()): void {
  const stored = load();
  store({
    ...stored,
    puzzles: stored.puzzles.map((one) => {
      if (keyOf(one) !== key) return one;
      const days = right ? (AFTER[Math.min(one.solved, AFTER.length - 1)] ?? 1) : 1;
      return { ...one, solved: right ? one.solved + 1 : 0, due: now + days * DAY };
    }),
  });
}

/** The puzzle of a decision; null where it is none: a claim, or a discard that was as good as any. */
export function puzzleOf(
  decision: ReviewDecision,
  film: HandFilm,
  replay: string,
  rules: string,
  now = Date.now(),
): Mistake | null {
  if (decision.kind !== "discard" || (decision.grade !== "mistake" && decision.grade !== "blunder")) return null;
  const frame = film.frames[decision.frame];
  const chosen = decision.choices[decision.chosen ?? -1]?.tile;
  const best = decision.choices[0];
  const at = "ESWN".indexOf(decision.seat);
  if (!frame || !chosen || best?.do !== "discard" || !best.tile) return null;
  const shares: Record<Kind, number> = {};
  for (const choice of decision.choices)
    if (choice.do === "discard" && choice.tile) shares[choice.tile] = Math.max(shares[choice.tile] ?? 0, choice.share);
  return {
    replay,
    hand: film.number,
    frame: decision.frame,
    seat: decision.seat,
    rules,
    tiles: frame.hands[at] ?? [],
    drawn: frame.drawn?.seat === decision.seat ? frame.drawn.tile : null,
    melds: (frame.board.melds[at] ?? []).map((meld) => kindsOf(meld.tiles)),
    shares,
    best: best.tile,
    chosen,
    why: decision.why,
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
    store({ puzzles: [...found, ...stored.puzzles], matches: [...stored.matches, ticket.room].slice(-MOST) });
    added += found.length;
  }
  return added;
}
