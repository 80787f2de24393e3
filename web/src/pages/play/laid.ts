// How a meld lies: the claimed tile sideways, left, middle or right as it came from 上家, 对家, 下家.
import type { Giver } from "../../components/Meld.svelte";
import { WINDS } from "../../lib/tiles";
import type { MeldShape } from "../../lib/types";
import { kindsOf, type SetShape } from "./messages";

const GIVERS: readonly (Giver | null)[] = [null, "right", "across", "left"];

/** A set of the board in front of a seat (0 East … 3 North). */
export function laid(set: SetShape, seat: number): { meld: MeldShape; from: Giver | null } {
  const tiles = kindsOf(set.tiles);
  const from = set.from ? (GIVERS[(WINDS.indexOf(set.from) - seat + 4) % 4] ?? null) : null;
  if (from && set.claimed) {
    tiles.splice(tiles.indexOf(set.claimed), 1);
    tiles.splice(from === "left" ? 0 : from === "across" ? 1 : tiles.length, 0, set.claimed);
  }
  return { meld: { kind: set.kind, tiles }, from };
}
