// How this browser's user last opened a table: kept, so that the next one opens alike; and what follows from it for
// others.
import type { RoomHead } from "../../lib/types";

export interface Wishes {
  title: string;
  house: string;
  rounds: number | null; // null: as the book says
  ranked: boolean;
  bots: string[]; // of places 2-4; "" keeps the place for a friend
  move: number;
  bank: number;
  think: number;
  shield: number;
  hints: boolean;
  listed: boolean;
  spectators: boolean;
  delay: number;
  open_hands: boolean;
  shuffle: boolean;
  show_hands: boolean; // all four when a hand has ended
  flowers: boolean | null; // null: as the book says
  own_walls: boolean; // each seat draws from its own wall
}

const KEY = "quepu.table";
const USUAL: Wishes = {
  title: "",
  house: "",
  rounds: 1,
  ranked: false,
  bots: ["plain", "plain", "plain"],
  move: 15,
  bank: 60,
  think: 0.6,
  shield: 0,
  hints: true,
  listed: true,
  spectators: true,
  delay: 0,
  open_hands: false,
  shuffle: false,
  show_hands: true,
  flowers: null,
  own_walls: false,
};

/** What a table is opened with by who has chosen nothing yet. */
export const usualWishes = (): Wishes => ({ ...USUAL });

/** Whether a table was ever opened here with choices of one's own. */
export function openedBefore(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

export function savedWishes(): Wishes {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Wishes>;
    return {
      ...USUAL,
      ...stored,
      bots: Array.isArray(stored.bots) && stored.bots.length === 3 ? stored.bots : USUAL.bots,
    };
  } catch {
    return { ...USUAL };
  }
}

export function saveWishes(wishes: Wishes): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(wishes));
  } catch {
    // storage may be forbidden: the next table then opens with the usual choices
  }
}

const FILLER = "plain";

/** House rules of another book than the one that is played are left out. */
export function houseFor(house: string, book: string): string {
  const based = /^\s*base\s*=\s*"([^"]+)"/m.exec(house)?.[1] ?? "";
  return based === book ? house : "";
}

/** Levels that this server has; any other, and a place that was held for a friend, is played by the usual one. */
export const bots = (wanted: readonly string[], levels: readonly string[]): string[] =>
  wanted.map((level) => (levels.includes(level) ? level : FILLER));

/** The places of a table that is over, as another one is opened by whoever sat at `you`: people's places stay free. */
export function again(head: RoomHead, you: number, house: string): Record<string, unknown> {
  const { rounds, ranked, move, bank, think, shield, delay, spectators, listed, flowers, shuffle } = head.terms;
  const { own_walls, open_hands, show_hands } = head.terms;
  const others = [1, 2, 3].map((by) => head.places[(you + by) % 4]);
  return {
    ...{
      rounds,
      ranked,
      move,
      bank,
      think,
      shield,
      delay,
      spectators,
      listed,
      flowers,
      own_walls,
      shuffle,
      open_hands,
      house,
      show_hands,
    },
    title: head.title,
    rules: head.rules,
    hints: head.hints,
    bots: ["", ...others.map((place) => (place?.kind === "bot" ? place.level : ""))],
  };
}
