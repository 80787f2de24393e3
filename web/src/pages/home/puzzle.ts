// The puzzle of the day: its date, and on which days this browser's user solved it, for each book.
import type { PracticeQuestion } from "../../lib/types";
import { blank, type Reply } from "../practice/reply";

const KEY = "quepu.puzzle";
const DAY = 86_400_000;

interface Solved {
  /** What was answered, see `writeReply`. */
  tile: string;
  right: boolean;
  /** It was tried on a later day: it fills the archive, and makes no streak. */
  late?: true;
}
type Days = Record<string, Record<string, Solved>>; // by book, by date

/** The date everywhere in the world at once: puzzles change at midnight UTC. */
export const today = (now = Date.now()): string => new Date(now).toISOString().slice(0, 10);

/** The first day that has a puzzle. */
export const FIRST = "2026-11-01";

/** The last `count` days that have a puzzle, the latest first. */
export function daysBefore(count: number, from = today()): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); days.length < count && today(at) >= FIRST; at -= DAY) days.push(today(at));
  return days;
}

/** Whether a text names a day whose puzzle may be shown: none of tomorrow. */
export const isPuzzleDay = (text: string | null, now = today()): text is string =>
  text !== null &&
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  today(Date.parse(text)) === text &&
  text >= FIRST &&
  text <= now;

/** An answer as it is kept: a tile as such, anything else as JSON. */
export const writeReply = (kind: PracticeQuestion["kind"], reply: Reply): string =>
  kind === "discard" ? (reply.discard ?? "") : JSON.stringify(reply[kind]);

/** The same back; a blank one where something else was kept. */
export function readReply(kind: PracticeQuestion["kind"], kept: string): Reply {
  try {
    return { ...blank(), [kind]: kind === "discard" ? kept : (JSON.parse(kept) as unknown) };
  } catch {
    return blank();
  }
}

function load(): Days {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Days;
  } catch {
    return {};
  }
}

/** What was answered on a day; undefined where the puzzle has not been tried. */
export const solvedOn = (book: string, day: string): string | undefined => load()[book]?.[day]?.tile;

/** How each day's puzzle of a book went. */
export const resultsOf = (book: string): Readonly<Record<string, Solved>> => load()[book] ?? {};

/** Notes the first answer to a day's puzzle; a later one changes nothing. */
export function noteSolved(book: string, day: string, tile: string, right: boolean, now = today()): void {
  const days = load();
  if (days[book]?.[day]) return;
  days[book] = { ...days[book], [day]: { tile, right, ...(day === now ? {} : { late: true }) } };
  try {
    localStorage.setItem(KEY, JSON.stringify(days));
  } catch {
    // storage may be forbidden: then the puzzle can be tried again
  }
}

/** Days in a row, up to this one, whose puzzle was solved on the day itself. */
export function streakOf(book: string, day: string): number {
  const solved = load()[book] ?? {};
  let at = Date.parse(day);
  let streak = 0;
  while (solved[today(at)]?.right && !solved[today(at)]?.late) {
    streak += 1;
    at -= DAY;
  }
  return streak;
}
