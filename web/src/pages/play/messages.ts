// What a room tells over its socket, as docs/protocol.md has it.
import type { ExplainedScore, PaymentShape, RoomHead, Said, WaitShape, AskedWin } from "../../lib/types";
import type { Kind } from "../../lib/tiles";
import type { BoardShape } from "../../components/table/shapes";

/** One thing that may be said now. */
export interface Option {
  do: "discard" | "chow" | "pung" | "kong" | "added" | "concealed" | "flower" | "ready" | "win" | "pass";
  tile?: Kind;
  low?: Kind;
  drawn?: boolean;
  ready?: boolean;
  worth?: { points: number; total: number };
}

/** What one seat sees; a spectator has no seat and no hand. */
export interface ViewShape {
  seat?: Kind;
  hand?: Kind[];
  drawn?: Kind | null;
  board: BoardShape;
  options: Option[];
}

/** The table as this place may see it now; lists go by seat E S W N. */
export interface Snapshot {
  n: number;
  phase: RoomHead["phase"];
  view: ViewShape | null;
  names?: string[];
  players?: number[];
  totals?: number[];
  place?: Said;
  hand?: number;
  held?: number[];
  asked?: Kind[];
  clock?: { move: number; bank: number; used: number };
  /** Seconds until the next hand is dealt at the latest. */
  rest?: number;
}

/** The wall of a hand that is over, and what was promised before it. */
export interface Reveal {
  hand: number;
  wall: string;
  dice: number[];
  commitment?: string;
  salt?: string;
}

/** The end of a hand. */
export interface Over {
  place: Said;
  seats: string[];
  winner: Kind | null;
  discarder: Kind | null;
  self_draw: boolean;
  robbed: boolean;
  supplied: number[];
  /** What hands beside the winner's are worth, null for not ready; only where every ready hand is paid. */
  ready: (number | null)[] | null;
  /** Tiles of hands laid open, by wind. */
  hands: Record<Kind, Kind[]>;
  board: BoardShape;
  /** The win as the calculator is asked for it; null where no tile won. */
  won: AskedWin | null;
  score: { zh: ExplainedScore; en: ExplainedScore } | null;
  payments: PaymentShape[];
  gains: number[];
  pool: number;
  zero_sum: boolean;
  standings: { rank: number; player: number; name: string; total: number }[];
  next: Said | null;
  match_over: boolean;
  reveal: Reveal;
}

/** Where a hand stands: its waits, or what would help it. */
export interface Outlook {
  ready: boolean;
  missing: number;
  waits: WaitShape[];
  useful: { tile: Kind; left: number }[];
  tiles_left: number;
}

export interface Hint {
  outlook?: Outlook;
  choices?: (Outlook & { discard: Kind })[];
}

export interface EventShape {
  e: string;
  seat?: Kind;
  tile?: Kind;
  from?: Kind;
  tiles?: string;
  drawn?: boolean;
  ready?: boolean;
}

/** Any message; which keys are there says which it is. */
export interface Message {
  n?: number;
  room?: RoomHead;
  you?: number | null;
  event?: EventShape;
  text?: Said;
  hand?: { hand: number; commitment?: string };
  result?: unknown;
  over?: Over;
  hint?: Hint;
  refused?: Said;
  pong?: number;
}
