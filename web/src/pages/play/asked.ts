// A seat's choice at the table, as a question about a typed hand names it: nothing but what the seat sees.
import { KINDS, WINDS, write, type Kind } from "../../lib/tiles";
import type { OpenMeldShape, SeatView } from "../../lib/types";

export interface AskedMoment {
  hand: string;
  seat: string;
  round: string;
  seen: string;
  left: number;
  melds: string[];
  offered: string;
  giver: string;
}

const kindsOf = (tiles: string): Kind[] => tiles.match(/[1-9][mps]|[ESWNCFP]/g) ?? [];
const written = ({ kind, tiles }: OpenMeldShape): string =>
  kind === "concealed_kong" ? `[${write(kindsOf(tiles))}]` : `(${write(kindsOf(tiles))})`;

/** All tiles that the seat holds. */
export const heldBy = (view: SeatView): Kind[] => [...(view.hand ?? []), ...(view.drawn ? [view.drawn] : [])];

/** The moment; null with a flower in hand or out of one's turn, when there is nothing to weigh. */
export function momentOf(view: SeatView): AskedMoment | null {
  const { offer, offerer, rivers, left, round } = view.board;
  const seat = view.seat ?? "E";
  const meldsAt = (at: number): OpenMeldShape[] => (view.board.melds[at % 4] ?? []) as OpenMeldShape[];
  const from = WINDS.indexOf(offerer ?? "");
  const other = !!offer && from >= 0 && offerer !== seat;
  const discarded = other && rivers[from]?.at(-1) === offer;
  const robbed = other && meldsAt(from).some((one) => one.kind.endsWith("kong") && kindsOf(one.tiles)[0] === offer);
  const offered = discarded || robbed ? offer : "";
  const held = heldBy(view);
  if (held.length % 3 !== (offered ? 1 : 2) || !held.every((kind) => KINDS.includes(kind))) return null;
  const own = WINDS.indexOf(seat);
  /** The melds of the seat so far on; a kong that lies face down is unknown. */
  const melds = (on: number): string =>
    meldsAt(own + on)
      .filter((one) => kindsOf(one.tiles).length)
      .map(written)
      .join("");
  const last = view.drawn ?? held.at(-1);
  return {
    hand: offered ? write(held) + melds(0) : `${write(held.slice(0, -1))}${melds(0)}+${last}`,
    seat,
    round,
    seen: write(rivers.flatMap((river, at) => (discarded && !robbed && at === from ? river.slice(0, -1) : river))),
    left,
    melds: [1, 2, 3].map(melds),
    offered,
    giver: offered ? (offerer ?? "") : "",
  };
}
