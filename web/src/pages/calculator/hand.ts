// The tiles of the hand being built: how many there may be, and what it is after a change.
import type { Giver } from "../../components/Meld.svelte";
import { sorted, write, type Kind } from "../../lib/tiles";
import type { HandShape, MeldShape } from "../../lib/types";

/** Where a picked tile goes: "seen" are tiles that lie open elsewhere (rivers, melds of others). */
export type Mode = "hand" | MeldShape["kind"] | "seen";

export const NO_TILES: HandShape = { text: "", concealed: [], melds: [], winning: null };

export const textOf = (hand: HandShape): string =>
  write(hand.concealed) +
  hand.melds
    .map((meld) => (meld.kind === "concealed_kong" ? `[${write(meld.tiles)}]` : `(${write(meld.tiles)})`))
    .join("") +
  (hand.winning ? `+${hand.winning}` : "");

/** How many tiles there are beside the melds of a whole hand. */
export const roomOf = (hand: HandShape): number => 14 - 3 * hand.melds.length;

const loose = (hand: HandShape): Kind[] => [...hand.concealed, ...(hand.winning ? [hand.winning] : [])];

/** Copies of a kind that are neither in the hand nor among those seen elsewhere. */
export function copiesLeft(hand: HandShape, seen: Kind[], kind: Kind): number {
  const shown = [...loose(hand), ...hand.melds.flatMap((meld) => meld.tiles), ...seen];
  return 4 - shown.filter((one) => one === kind).length;
}

/** The tiles that picking `kind` adds, or null where that cannot be. */
export function picked(hand: HandShape, seen: Kind[], mode: Mode, kind: Kind): Kind[] | null {
  const left = (one: Kind): number => copiesLeft(hand, seen, one);
  let added: Kind[];
  if (mode === "seen") return left(kind) > 0 ? [kind] : null;
  if (mode === "hand") added = [kind];
  else if (mode === "chow") {
    const rank = Number(kind[0]);
    if (kind.length !== 2 || rank > 7) return null;
    added = [0, 1, 2].map((step) => `${rank + step}${kind[1]}`);
  } else added = Array<Kind>(mode === "pung" ? 3 : 4).fill(kind);
  const needed = mode === "hand" ? 1 : 3;
  if (loose(hand).length + needed > roomOf(hand) || (mode !== "hand" && hand.melds.length === 4)) return null;
  return added.every((one) => left(one) >= added.filter((other) => other === one).length) ? added : null;
}

/** The hand without that tile, and none of the others the winning one. */
export function discarded(hand: HandShape, kind: Kind): HandShape {
  const all = sorted(loose(hand));
  all.splice(all.indexOf(kind), 1);
  return { ...hand, concealed: all, winning: null };
}

/** The hand with one of its own tiles as the winning one; the one before is among the others again. */
export function marked(hand: HandShape, kind: Kind): HandShape {
  return { ...discarded(hand, kind), winning: kind };
}

/** The givers of the melds with the next at one of them: 上家 → 对家 → 下家; null where the meld has no other. */
export function turned(hand: HandShape, givers: (Giver | null)[], at: number): (Giver | null)[] | null {
  const meld = hand.melds[at];
  if (!meld || meld.kind === "concealed_kong" || meld.kind === "chow") return null;
  const order: Giver[] = ["left", "across", "right"];
  const found = hand.melds.map((one, i) => givers[i] ?? (one.kind === "concealed_kong" ? null : "left"));
  found[at] = order[(order.indexOf(found[at] ?? "right") + 1) % 3] ?? "left";
  return found;
}
