// Whether the wall shown after a hand is the one that was promised before it, and whose salts are in it: SHA-256 alone,
// which needs no secure connection here. docs/guide/fair-walls.md says how a wall is made.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { FLOWER_KEYS, KINDS } from "../../lib/tiles";
import type { RevealedWall, WallSealed } from "../../lib/types";

/** `left out`: it is as promised, but this browser's salt was sent and is not in it. */
export type Verdict = "same" | "mixed" | "left out" | "other" | "unpromised" | "later";

/** What this browser was told before the hand, and the salt that it sent for it. */
export interface Promised {
  hand: number;
  commitment: string;
  commitments?: string[] | undefined;
  salts?: string[] | undefined;
}

const ORDER = [...KINDS, ...FLOWER_KEYS];
const digest = (text: string): Uint8Array => sha256(utf8ToBytes(text));

/** What commits to a salt of the player at a place (0 to 3), or to the server's secret. */
export const committed = (whose: number | "secret", text: string): string => bytesToHex(digest(`${whose} ${text}`));

function* words(text: string): Generator<number, never> {
  for (let block = 0; ; block++) {
    const bytes = digest(`${text} ${block}`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < view.byteLength; at += 4) yield view.getUint32(at);
  }
}

function below(bound: number, from: Generator<number, never>): number {
  const fair = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const { value } = from.next();
    if (value < fair) return value % bound;
  }
}

/** The wall and dice that follow from a secret and four salts, of the same tiles as a wall. */
function mixed(number: number, secret: string, salts: readonly string[], tiles: readonly string[]): [string, number[]] {
  const order = tiles.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  const from = words(`${number} ${secret} ${salts.join(" ")}`);
  for (let last = order.length - 1; last > 0; last--) {
    const at = below(last + 1, from);
    [order[at], order[last]] = [order[last] ?? "", order[at] ?? ""];
  }
  return [order.join(""), [1, 2, 3, 4].map(() => 1 + below(6, from))];
}

const same = (a: readonly unknown[], b: readonly unknown[] | undefined): boolean =>
  b === undefined || (a.length === b.length && a.every((one, i) => one === b[i]));

/**
 * `promised` is what this browser was told before the hand, undefined if it came later; `mine` what it put in, where.
 */
export function proved(reveal: RevealedWall, promised?: Promised, mine?: { place: number; salt: string }): Verdict {
  const { commitment, secret, salts = [], commitments = [] } = reveal;
  if (!commitment) return "unpromised";
  if (promised && promised.commitment !== commitment) return "other";
  if (!reveal.wall) return "later";
  if (!secret) {
    if (reveal.salt === undefined) return "unpromised";
    return bytesToHex(digest(`${reveal.wall} ${reveal.dice.join("")} ${reveal.salt}`)) === commitment
      ? "same"
      : "other";
  }
  const rest =
    committed("secret", secret) === commitment &&
    salts.length === 4 &&
    same(commitments, promised?.commitments) &&
    same(salts, promised?.salts) &&
    salts.every((salt, place) => !salt || committed(place, salt) === commitments[place]);
  const tiles = reveal.wall.match(/\d[mps]|./gu) ?? [];
  const [wall, dice] = mixed(reveal.hand, secret, salts, tiles);
  if (!rest || wall !== reveal.wall || !same(dice, reveal.dice)) return "other";
  if (mine && salts[mine.place] !== mine.salt) return "left out";
  return salts.some(Boolean) ? "mixed" : "same";
}

/** The salts of one seat: a new one for each wall, shown once, and only for a wall that was sealed with it. */
export class OwnSalts {
  private next = "";
  private shown: { hand: number; place: number; salt: string } | null = null;
  private sealed = 0;

  /** The message that commits to a salt for the next wall. */
  commit(place: number): { commitment: string } {
    this.next ||= bytesToHex(randomBytes(16));
    return { commitment: committed(place, this.next) };
  }

  /** The answer to a seal: the salt, if it is in; a wall is sealed once, so a second seal gets none. */
  show(seal: WallSealed, place: number): { salt?: string; commitment: string } {
    const salt = this.next;
    const wanted = salt !== "" && this.sealed !== seal.hand && seal.commitments[place] === committed(place, salt);
    this.sealed = seal.hand;
    if (!wanted) return this.commit(place);
    this.shown = { hand: seal.hand, place, salt };
    this.next = "";
    return { salt, ...this.commit(place) };
  }

  /** What was put into the wall of a hand, and where. */
  of(hand: number): { place: number; salt: string } | undefined {
    return this.shown?.hand === hand ? this.shown : undefined;
  }
}
