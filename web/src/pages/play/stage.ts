// What lies on the table now: the last view, or, for who comes between hands, the board that the hand left behind.
import { WINDS } from "../../lib/tiles";
import type { RoomClient } from "./client.svelte";
import type { SeatView, Snapshot } from "../../lib/types";

export function stage(client: RoomClient): Snapshot | null {
  const { over, shown: seen, now, you, head } = client;
  const gained = (totals: readonly number[] | undefined, gains: readonly number[]): number[] =>
    gains.map((gain, at) => (totals?.[at] ?? 0) + gain);
  if (seen) return over ? { ...seen, totals: gained(seen.totals, over.gains) } : seen;
  if (!over || !now || !head) return null;
  const players = over.seats.map((name) => head.places.findIndex((place) => place.name === name));
  const seat = you === null ? undefined : (WINDS[players.indexOf(you)] as SeatView["seat"]);
  const totals = players.map((player) => over.standings.find((one) => one.player === player)?.total ?? 0);
  const hand = seat ? (over.hands[seat] ?? []) : [];
  return {
    ...now,
    names: over.seats,
    players,
    totals,
    place: over.place,
    view: { ...(seat ? { seat, hand, drawn: null } : {}), board: over.board, options: [] },
  };
}
