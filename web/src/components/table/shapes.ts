// What lies on a table, as the server tells it, and as the board draws it. Nothing is worked out but where things lie.
import { WINDS, type Kind } from "../../lib/tiles";
import type { WallShape, MeldShape } from "../../lib/types";
import type { Giver } from "../Meld.svelte";

/** A meld on the board; `from` is the wind that gave `claimed`. */
export interface SetShape {
  kind: "chow" | "pung" | "kong" | "concealed_kong";
  tiles: string;
  claimed?: Kind | null;
  from?: Kind | null;
  /** A fourth tile was put to the pung that it was. */
  added?: boolean;
}

/** What lies open for all four, by seat E S W N. */
export interface BoardShape {
  round: Kind;
  stacks: WallShape;
  rivers: Kind[][];
  melds: SetShape[][];
  flowers: Kind[][];
  left: number;
  turn: Kind;
  offer: Kind | null;
  offerer: Kind | null;
  declared: string[];
  barred: boolean[];
  over: boolean;
}

/** A meld with the side its claimed tile came from. */
export interface PlacedMeld {
  meld: MeldShape;
  from: Giver | null;
  added?: boolean;
}

/** Where seats are drawn, in their order on the board. */
export const SIDES: readonly string[] = ["bottom", "right", "top", "left"];

/** One seat as the board draws it. */
export interface SeatView {
  wind: Kind;
  name: string;
  /** A second line under the name. */
  note: string;
  total: number;
  river: readonly Kind[];
  /** The newest tile of the river is the newest on the table. */
  lit: boolean;
  /** That tile was thrown as it was drawn. */
  asDrawn?: boolean;
  /** Which tiles of the river were thrown as they were drawn (摸切). */
  cast?: readonly boolean[];
  melds: readonly PlacedMeld[];
  flowers: readonly Kind[];
  /** The tile that completed the hand, laid apart. */
  won?: Kind | null;
  /** How many concealed tiles; `open` shows them instead. */
  held: number;
  open: readonly Kind[] | null;
  /** The hand lies elsewhere on the page. */
  own: boolean;
  bot: boolean;
  away: boolean;
  turn: boolean;
  declared: boolean;
  barred: boolean;
  /** 吃 碰 杠 和, just said. */
  shout: string;
  /** What its player said to the others. */
  phrase?: string;
}

/** Kinds out of a text of them: 4m5m6m, EEE, 春梅. */
export const kindsOf = (text: string): Kind[] => text.match(/\d[mps]|[ESWNCFP]|[春夏秋冬梅兰竹菊]/g) ?? [];

const GIVERS: readonly (Giver | null)[] = [null, "right", "across", "left"];

/**
 * How a set lies in front of a seat (0 East … 3 North): the claimed tile left, middle or right as it came from 上家, 对家,
 * 下家.
 */
export function placedMeld(set: SetShape, seat: number): PlacedMeld {
  const tiles = kindsOf(set.tiles);
  const from = set.from ? (GIVERS[(WINDS.indexOf(set.from) - seat + 4) % 4] ?? null) : null;
  // all alike; the fourth lies on the claimed one
  if (set.added) return { meld: { kind: set.kind, tiles }, from, added: true };
  if (from && set.claimed) {
    tiles.splice(tiles.indexOf(set.claimed), 1);
    tiles.splice(from === "left" ? 0 : from === "across" ? 1 : tiles.length, 0, set.claimed);
  }
  return { meld: { kind: set.kind, tiles }, from };
}

/**
 * The four seats in the order bottom, right, top, left, with `first` (0 East … 3 North) at the bottom. Names and the
 * like are the page's to add.
 */
export function seatsFrom(board: BoardShape, first: number): SeatView[] {
  const turn = board.offer ? board.offerer : board.turn;
  return [0, 1, 2, 3].map((turned) => {
    const seat = (first + turned) % 4;
    const wind = WINDS[seat] ?? "E";
    return {
      wind,
      name: "",
      note: "",
      total: 0,
      river: board.rivers[seat] ?? [], // a discard on offer lies there already; a kong on offer does not
      lit: false,
      melds: (board.melds[seat] ?? []).map((set) => placedMeld(set, seat)),
      flowers: board.flowers[seat] ?? [],
      held: 13,
      open: null,
      own: false,
      bot: false,
      away: false,
      turn: !board.over && turn === wind,
      declared: (board.declared[seat] ?? "") !== "",
      barred: board.barred[seat] ?? false,
      shout: "",
    };
  });
}
