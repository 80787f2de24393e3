// What is said of an event to somebody who hears the table.
import { t } from "../../lib/prefs.svelte";

/**
 * An event in words (`words`, of `who`) as it is spoken, in few of them: a whole hand is there to be read where it
 * lies.
 */
export const readout = (e: string, words: string, who: string): string =>
  e === "deal"
    ? t("发牌", "Tiles dealt")
    : e === "show"
      ? t(`${who}亮牌`, `${who} shows their hand`)
      : e === "chow"
        ? words.replace(/（[^（）]*给）$/, "") // it is always the player before
        : words;
