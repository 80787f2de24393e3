// The four seats of a room's table, with names, totals and who is there.
import { seatsFrom, type SeatView } from "../../components/table/shapes";
import { t } from "../../lib/prefs.svelte";
import { WINDS, type Kind } from "../../lib/tiles";
import type { RoomPlace, TableEvent as EventShape, Snapshot } from "../../lib/types";
import { levelName, linkedBy, placeName } from "./names.svelte";

/** How many tiles of a kind the player sees: in the hand, in rivers, in melds and in hands laid open. */
export function seenOf(kind: Kind, seats: readonly SeatView[], hand: readonly Kind[], drawn: Kind | null): number {
  const open = seats.flatMap((seat) => [
    ...seat.river,
    ...seat.melds.flatMap((one) => one.meld.tiles),
    ...(seat.own ? [] : [...(seat.open ?? []), seat.won]),
  ]);
  return [...open, ...hand, drawn].filter((one) => one === kind).length;
}

/** A hand laid open without the tile that completed it, which lies apart. */
function without(hand: readonly Kind[] | undefined, tile: Kind | null): Kind[] | null {
  if (!hand) return null;
  const at = tile && hand.length % 3 === 2 ? hand.lastIndexOf(tile) : -1;
  return hand.filter((_, i) => i !== at);
}

/**
 * `shown` are hands laid open, by wind; `shouts` what was just said; `thrown` the discard that lies there for all;
 * `turned` the seat at the bottom, 0 East … 3 North, for who has none.
 */
export function roomSeats(
  snapshot: Snapshot,
  places: readonly RoomPlace[],
  shown: Record<Kind, Kind[]>,
  shouts: Record<Kind, string>,
  thrown?: EventShape,
  cast: Record<Kind, boolean[]> = {},
  won: { seat: Kind; tile: Kind } | null = null,
  turned = 0,
): SeatView[] {
  const view = snapshot.view;
  if (!view) return [];
  const own = view.seat;
  return seatsFrom(view.board, own ? WINDS.indexOf(own) : turned).map((seat) => {
    const at = WINDS.indexOf(seat.wind);
    const player = snapshot.players?.[at] ?? -1;
    const place = places[player];
    const mine = seat.wind === own;
    const stands = place?.kind === "person" && place.level !== "" && !mine;
    const gone = stands || (place?.kind === "person" && !place.here && !mine);
    return {
      ...seat,
      name: placeName(place, player, places),
      note: mine
        ? t("你", "you")
        : place?.kind === "bot"
          ? levelName(place.level)
          : stands
            ? t("掉线，电脑代打", "away; a bot plays")
            : gone
              ? t("断线", "disconnected")
              : linkedBy(place)
                ? t(`${linkedBy(place)}给的新链接`, `by a link from ${linkedBy(place)}`)
                : "",
      total: snapshot.totals?.[at] ?? 0,
      held: snapshot.held?.[at] ?? 13,
      open: without(shown[seat.wind] ?? snapshot.hands?.[seat.wind], won?.seat === seat.wind ? won.tile : null),
      won: won?.seat === seat.wind ? won.tile : null,
      cast: cast[seat.wind] ?? [],
      own: mine,
      lit: thrown?.seat === seat.wind && seat.river.at(-1) === thrown.tile,
      asDrawn: thrown?.drawn === true,
      bot: place?.kind === "bot",
      away: gone,
      shout: shouts[seat.wind] ?? "",
    };
  });
}
