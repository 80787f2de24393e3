// A picture of a replay as the four seats that the board draws.
import { openDiscard } from "../../components/table/events";
import { seatsFrom, type BoardShape, type SeatView } from "../../components/table/shapes";
import { t } from "../../lib/prefs.svelte";
import { WINDS } from "../../lib/tiles";
import type { FrameShape, HandFilm } from "../../lib/types";
import { playerParts } from "./words";

const SHOUTS = (): Record<string, string> => ({
  chow: t("吃", "Chow"),
  pung: t("碰", "Pung"),
  kong: t("杠", "Kong"),
  added: t("加杠", "Kong"),
  concealed: t("暗杠", "Kong"),
  win: t("和", "Win"),
  ready: t("报听", "Ready"),
});

/** `first` (0 East … 3 North) lies at the bottom and is drawn apart; `open`: every hand is shown. */
export function replaySeats(frame: FrameShape, film: HandFilm, first: number, open: boolean): SeatView[] {
  /** Concealed kongs that lie face down for the others, as its record says of each. */
  const down = !open && !frame.board.over && film.frames.some((one) => one.e === "concealed" && one.hidden);
  const frames = film.frames.slice(0, film.frames.indexOf(frame) + 1);
  const thrown = openDiscard(frames.map((one) => ({ ...one, from: one.source })));
  return seatsFrom(frame.board as BoardShape, first).map((seat) => {
    const at = WINDS.indexOf(seat.wind);
    const own = at === first;
    const drawn = frame.drawn?.seat === seat.wind ? [frame.drawn.tile] : [];
    const hand = [...(frame.hands[at] ?? []), ...drawn];
    const waits = frame.waits[at] ?? [];
    const played = film.bots[film.players[at] ?? -1];
    const { name, level } = playerParts(film.names[at]);
    const ready =
      (open || own) && waits.length && !frame.board.over ? t(`听 ${waits.length} 种`, `waits on ${waits.length}`) : "";
    return {
      ...seat,
      name,
      note: [level, ready].filter(Boolean).join(" · "),
      total: film.before[at] ?? 0,
      lit: thrown?.seat === seat.wind && seat.river.at(-1) === thrown.tile,
      asDrawn: frame.as_drawn,
      held: hand.length,
      melds:
        down && !own
          ? seat.melds.map((one) =>
              one.meld.kind === "concealed_kong" ? { ...one, meld: { ...one.meld, tiles: [] } } : one,
            )
          : seat.melds,
      open: open || frame.board.over ? hand : null,
      own,
      bot: !!played && played !== "person",
      shout: frame.seat === seat.wind ? (SHOUTS()[frame.e] ?? "") : "",
    };
  });
}

/** What is told of an event to who looks at one seat only. */
export const eventText = (frame: FrameShape, seat: number, open: boolean): { zh: string; en: string } =>
  frame.hidden && !open && frame.seat !== WINDS[seat] ? frame.hidden : frame.text;
