// How this browser's user last opened a table: kept, so that the next one opens alike.
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
  flowers: boolean | null; // null: as the book says
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
  flowers: null,
};

export function savedWishes(): Wishes {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Wishes>;
    return { ...USUAL, ...kept, bots: Array.isArray(kept.bots) && kept.bots.length === 3 ? kept.bots : USUAL.bots };
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
