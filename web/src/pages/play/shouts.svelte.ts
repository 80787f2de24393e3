// What is called out at the table and heard: words over a seat for a moment, and sounds.
import { t } from "../../lib/prefs.svelte";
import { sound } from "../../lib/sounds";
import { shout } from "../../lib/voice";
import type { Kind } from "../../lib/tiles";
import type { TableEvent as EventShape } from "../../lib/types";

const MOMENT = 900; // milliseconds a word stays
const PHRASE = 2600;

const WORDS: Record<string, () => string> = {
  chow: () => t("吃", "Chow"),
  pung: () => t("碰", "Pung"),
  kong: () => t("杠", "Kong"),
  added: () => t("杠", "Kong"),
  concealed: () => t("杠", "Kong"),
  flower: () => t("花", "Flower"),
  ready: () => t("听", "Ready"),
  win: () => t("和", "Win"),
};

export class Shouts {
  words = $state.raw<Record<Kind, string>>({});
  phrases = $state.raw<Record<Kind, string>>({});
  private timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** An event has just happened; `mine` is the seat of who hears it. */
  hear(event: EventShape, mine: Kind | undefined): void {
    this.sound(event, mine);
    const { seat } = event;
    const word = event.ready ? WORDS.ready?.() : WORDS[event.e]?.();
    if (!seat || !word) return;
    const shown = event.e === "win" && !event.from ? t("自摸", "Self-draw") : word;
    shout(shown);
    this.words = { ...this.words, [seat]: shown };
    this.later(seat, MOMENT, () => {
      const { [seat]: _, ...rest } = this.words;
      this.words = rest;
    });
  }

  /** A phrase that somebody chose. */
  phrase(seat: Kind, words: string): void {
    this.phrases = { ...this.phrases, [seat]: words };
    this.later(`${seat} phrase`, PHRASE, () => {
      const { [seat]: _, ...rest } = this.phrases;
      this.phrases = rest;
    });
  }

  private later(what: string, moment: number, end: () => void): void {
    clearTimeout(this.timers.get(what));
    this.timers.set(what, setTimeout(end, moment));
  }

  private sound({ e, seat, from }: EventShape, mine: Kind | undefined): void {
    if (e === "discard") sound("discard");
    else if ((e === "draw" || e === "replace") && seat === mine) sound("draw");
    else if (e === "flower") sound("flower");
    else if (e === "win") sound(mine && from === mine ? "lose" : "win");
    else if (e === "exhausted") sound("lose");
    else if (WORDS[e] && e !== "ready") sound("claim");
  }
}
