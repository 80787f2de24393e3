// A record while it is being entered.
import type { Giver } from "../../components/Meld.svelte";
import { WINDS } from "../../lib/tiles";
import type { HandRecord, PenaltyRecord, PlaceShape, RowShape } from "../../lib/types";

export type TableRecord = RowShape["record"];

/**
 * Players and their winds in an order that stays while the deal goes round: who dealt first in this round comes first.
 */
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
  /** As it is announced: points, or fan in books whose players announce fan. */
  points: number | null;
  flowers: number;
  /** Flowers by name, where the hand is given in tiles. */
  named: string[];
  robbed: boolean;
  supplied: number[];
  /** Who discarded the tile of an exposed kong: -1 for nobody, null while nobody said. */
  feeder: number | null;
  /** Further winners of the same tile, and what each announces. */
  also: { winner: number; points: number | null; liable: number | null }[];
  /** Who pays for the whole hand. */
  liable: number | null;
  ready: (number | null)[];
  readyHands: string[];
  /** Tiles that lie open on the table: they decide which waits are dead. */
  seen: string;
  byTiles: boolean;
  tiles: string;
  givers: (Giver | null)[];
  circumstances: string[];
  player: number | null;
  fault: string;
  receiver: number | null;
  faultPoints: number | null;
  remedied: boolean;
  revoked: boolean;
  note: string;
}

export const blank = (): Draft => ({
  result: "discard",
  winner: null,
  discarder: null,
  points: null,
  flowers: 0,
  named: [],
  robbed: false,
  supplied: [0, 0, 0, 0],
  feeder: null,
  also: [],
  liable: null,
  ready: [null, null, null, null],
  readyHands: ["", "", "", ""],
  seen: "",
  byTiles: false,
  tiles: "",
  givers: [],
  circumstances: [],
  player: null,
  fault: "",
  receiver: null,
  faultPoints: null,
  remedied: false,
  revoked: false,
  note: "",
});

const number = (n: number | null | undefined): number | null =>
  typeof n === "number" && Number.isFinite(n) ? n : null;

/** The record to send, or null while something is still missing; `fan`: whether what is written is fan. */
export function recordOf(draft: Draft, fan = false): TableRecord | null {
  if (draft.result === "penalty") {
    if (draft.player === null || !draft.fault) return null;
    return {
      kind: "penalty",
      player: draft.player,
      fault: draft.fault,
      points: number(draft.faultPoints),
      remedied: draft.remedied,
      revoked: draft.revoked,
      note: draft.note,
      receiver: draft.receiver,
    };
  }
  const ready_hands = draft.readyHands.map((text) => text.trim() || null);
  const values = draft.ready.map((n, i) => (ready_hands[i] ? null : number(n))); // tiles say it themselves
  const none = [null, null, null, null];
  const shown = {
    ready: fan ? none : values,
    ready_fan: fan ? values : none,
    ready_hands,
    seen: draft.seen.trim(),
    note: draft.note,
  };
  if (draft.result === "draw") return { kind: "hand", ...shown };
  const drawn = draft.result === "drawn_win";
  if (draft.winner === null || (!drawn && (draft.discarder === null || draft.discarder === draft.winner))) return null;
  if (draft.byTiles ? !draft.tiles.trim() : number(draft.points) === null) return null;
  const also = drawn
    ? []
    : draft.also.map((one) => ({
        winner: one.winner,
        points: fan ? null : number(one.points),
        fan: fan ? number(one.points) : null,
        liable: one.liable,
      }));
  if (also.some((one) => (one.points ?? one.fan) === null)) return null;
  return {
    kind: "hand",
    winner: draft.winner,
    self_draw: drawn,
    discarder: drawn ? null : draft.discarder,
    points: draft.byTiles || fan ? null : number(draft.points),
    fan: draft.byTiles || !fan ? null : number(draft.points),
    flowers: draft.byTiles ? 0 : draft.flowers,
    robbed: draft.robbed && !drawn,
    supplied: draft.supplied.map((n, i) => (i === draft.winner ? 0 : n)),
    kong_feeder: draft.feeder,
    ...(also.length ? { also } : {}),
    ...(draft.liable === null ? {} : { liable: draft.liable }),
    ...shown,
    tiles: draft.byTiles
      ? {
          hand: draft.tiles.trim(),
          givers: draft.givers,
          circumstances: draft.circumstances,
          flowers: draft.named.length ? draft.named : draft.flowers,
        }
      : null,
  };
}

/** An old record, to be corrected. */
export function draftOf(record: TableRecord): Draft {
  const made = blank();
  if (record.kind === "penalty") {
    const old = record as PenaltyRecord;
    return {
      ...made,
      result: "penalty",
      player: old.player,
      fault: old.fault,
      receiver: old.receiver ?? null,
      faultPoints: old.points ?? null,
      remedied: old.remedied ?? false,
      revoked: old.revoked ?? false,
      note: old.note ?? "",
    };
  }
  if (record.kind !== "hand") return made;
  const old = record as HandRecord;
  const none = old.winner === null || old.winner === undefined;
  return {
    ...made,
    result: none ? "draw" : old.self_draw ? "drawn_win" : "discard",
    winner: old.winner ?? null,
    discarder: old.discarder ?? null,
    points: old.fan ?? old.points ?? null,
    named: Array.isArray(old.tiles?.flowers) ? old.tiles.flowers : [],
    flowers: typeof old.tiles?.flowers === "number" ? old.tiles.flowers : (old.flowers ?? 0),
    robbed: old.robbed ?? false,
    supplied: old.supplied ?? made.supplied,
    feeder: old.kong_feeder ?? null,
    also: (old.also ?? []).map((one) => ({
      winner: one.winner,
      points: one.fan ?? one.points ?? null,
      liable: one.liable ?? null,
    })),
    liable: old.liable ?? null,
    ready: old.ready_fan?.some((fan) => fan !== null) ? old.ready_fan : (old.ready ?? made.ready),
    seen: old.seen ?? "",
    readyHands: (old.ready_hands ?? []).map((text) => text ?? ""),
    byTiles: !!old.tiles,
    tiles: old.tiles?.hand ?? "",
    givers: (old.tiles?.givers ?? []) as (Giver | null)[],
    circumstances: old.tiles?.circumstances ?? [],
    note: old.note ?? "",
  };
}
