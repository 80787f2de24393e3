// The table as it will be when the server accepts what was just pressed: shown at once, taken back if it is refused.
import type { Kind } from "../../lib/tiles";
import { WINDS } from "../../lib/tiles";
import type { Snapshot, TableOption } from "../../lib/types";

const without = (tiles: readonly Kind[], tile: Kind): Kind[] => {
  const at = tiles.indexOf(tile);
  return tiles.filter((_, i) => i !== at);
};

/** A snapshot with one's own move made. Only a discard moves a tile here; of all else the server says what follows. */
export function ahead(snapshot: Snapshot, move: TableOption): Snapshot {
  const { view } = snapshot;
  if (!view) return snapshot;
  const tile = move.tile;
  if (move.do !== "discard" || !tile || !view.seat) return { ...snapshot, view: { ...view, options: [] } };
  const own = WINDS.indexOf(view.seat);
  const drawn = view.drawn ?? null;
  const cast = drawn === tile && (move.drawn ?? !(view.hand ?? []).includes(tile));
  const hand = cast ? (view.hand ?? []) : [...without(view.hand ?? [], tile), ...(drawn ? [drawn] : [])];
  const rivers = view.board.rivers.map((river, seat) => (seat === own ? [...river, tile] : river));
  return { ...snapshot, view: { ...view, hand, drawn: null, options: [], board: { ...view.board, rivers } } };
}
