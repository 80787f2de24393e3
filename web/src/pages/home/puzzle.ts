// The puzzle of the day: its date, its seed, and on which days this browser's user solved it, for each book.

const KEY = "quepu.puzzle";
const DAY = 86_400_000;

interface Solved {
  /** The tile that was discarded. */
  tile: string;
  right: boolean;
}
type Days = Record<string, Record<string, Solved>>; // by book, by date

/** The date everywhere in the world at once: puzzles change at midnight UTC. */
export const today = (now = Date.now()): string => new Date(now).toISOString().slice(0, 10);

/** The seed of a date's question: 2026-11-29 → 20261129. */
export const seedOf = (day: string): number => Number(day.replaceAll("-", ""));

function load(): Days {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Days;
  } catch {
    return {};
  }
}

/** The tile that was discarded on a day; undefined where the puzzle has not been tried. */
export const solvedOn = (book: string, day: string): string | undefined => load()[book]?.[day]?.tile;

/** Notes the first answer to a day's puzzle; a later one changes nothing. */
export function noteSolved(book: string, day: string, tile: string, right: boolean): void {
  const days = load();
  if (days[book]?.[day]) return;
  days[book] = { ...days[book], [day]: { tile, right } };
  try {
    localStorage.setItem(KEY, JSON.stringify(days));
  } catch {
    // storage may be forbidden: then the puzzle can be tried again
  }
}

/** Days in a row, up to this one, whose puzzle was solved. */
export function streakOf(book: string, day: string): number {
  const solved = load()[book] ?? {};
  let at = Date.parse(day);
  let streak = 0;
  while (solved[today(at)]?.right) {
    streak += 1;
    at -= DAY;
  }
  return streak;
}
