// A record while it is being entered.
import type { Giver } from "../../components/Meld.svelte";
import { WINDS } from "../../lib/tiles";
import type { HandRecord, PenaltyRecord, PlaceShape, RowShape } from "../../lib/types";

export type TableRecord = RowShape["record"];

/** Players and their winds in an order that stays while the deal goes round: who dealt first in this round comes first. */
export function seatedIn(place: PlaceShape): { player: number; wind: string; dealer: boolean }[] {
  return [0, 1, 2, 3].map((at) => {
    const seat = (at + 4 - (place.dealership % 4)) % 4;
    return { player: place.seats[seat] ?? at, wind: WINDS[seat] ?? "E", dealer: seat === 0 };
  });
}

export type Result = "discard" | "drawn_win" | "draw" | "penalty";

export interface Draft {
  result: Result;
  winner: number | null;
  discarder: number | null;
  points: number | null;
  flowers: number;
  robbed: boolean;
  supplied: number[];
  feeder: number | null;
  ready: (number | null)[];
  readyHands: string[];
  byTiles: boolean;
  tiles: string;
  givers: (Giver | null)[];
  circumstances: string[];
  player: number | null;
  fault: string;
  faultPoints: number | null;
  remedied: boolean;
  revoked: boolean;
  note: string;
}

export const blank = (): Draft => ({
  result: "discard", winner: null, discarder: null, points: null, flowers: 0, robbed: false, supplied: [0, 0, 0, 0], feeder: null, ready: [null, null, null, null],
  readyHands: ["", "", "", ""], byTiles: false, tiles: "", givers: [], circumstances: [], player: null, fault: "", faultPoints: null, remedied: false, revoked: false, note: "",
});

const number = (n: number | null | undefined): number | null => (typeof n === "number" && Number.isFinite(n) ? Math.round(n) : null);

/** The record to send, or null while something is still missing. */
export function recordOf(draft: Draft): TableRecord | null {
  if (draft.result === "penalty") {
    if (draft.player === null || !draft.fault) return null;
    return { kind: "penalty", player: draft.player, fault: draft.fault, points: number(draft.faultPoints), remedied: draft.remedied, revoked: draft.revoked, note: draft.note };
  }
  const ready = draft.ready.map(number);
  const ready_hands = draft.readyHands.map((text) => text.trim() || null);
  if (draft.result === "draw") return { kind: "hand", ready, ready_hands, note: draft.note };
  const drawn = draft.result === "drawn_win";
  if (draft.winner === null || (!drawn && (draft.discarder === null || draft.discarder === draft.winner))) return null;
  if (draft.byTiles ? !draft.tiles.trim() : number(draft.points) === null) return null;
  return {
    kind: "hand",
    winner: draft.winner,
    self_draw: drawn,
    discarder: drawn ? null : draft.discarder,
    points: draft.byTiles ? null : number(draft.points),
    flowers: draft.byTiles ? 0 : draft.flowers,
    robbed: draft.robbed && !drawn,
    supplied: draft.supplied.map((n, i) => (i === draft.winner ? 0 : n)),
    kong_feeder: draft.feeder,
    ready,
    ready_hands,
    tiles: draft.byTiles ? { hand: draft.tiles.trim(), givers: draft.givers, circumstances: draft.circumstances, flowers: draft.flowers } : null,
    note: draft.note,
  };
}

/** An old record, to be corrected. */
export function draftOf(record: TableRecord): Draft {
  const made = blank();
  if (record.kind === "penalty") {
    const old = record as PenaltyRecord;
    return { ...made, result: "penalty", player: old.player, fault: old.fault, faultPoints: old.points ?? null, remedied: old.remedied ?? false, revoked: old.revoked ?? false, note: old.note ?? "" };
  }
  if (record.kind !== "hand") return made;
  const old = record as HandRecord;
  const none = old.winner === null || old.winner === undefined;
  return {
    ...made,
    result: none ? "draw" : old.self_draw ? "drawn_win" : "discard",
    winner: old.winner ?? null,
    discarder: old.discarder ?? null,
    points: old.points ?? null,
    flowers: typeof old.tiles?.flowers === "number" ? old.tiles.flowers : (old.flowers ?? 0),
    robbed: old.robbed ?? false,
    supplied: old.supplied ?? made.supplied,
    feeder: old.kong_feeder ?? null,
    ready: old.ready ?? made.ready,
    readyHands: (old.ready_hands ?? []).map((text) => text ?? ""),
    byTiles: !!old.tiles,
    tiles: old.tiles?.hand ?? "",
    givers: (old.tiles?.givers ?? []) as (Giver | null)[],
    circumstances: old.tiles?.circumstances ?? [],
    note: old.note ?? "",
  };
}
