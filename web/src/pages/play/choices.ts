// The view's options, put in the order of the bar and given a name, a key and tiles. Nothing is worked out here.
import { t } from "../../lib/prefs.svelte";
import { amount } from "../../lib/values";
import { nameOf, type Kind } from "../../lib/tiles";
import type { Bilingual, TableOption as Option } from "../../lib/types";

export interface Choice {
  option: Option;
  key: string; // as on the keyboard
  word: string;
  more: string;
  /** Tiles that the button shows, the claimed one last. */
  tiles: Kind[];
  /** Kinds of the hand that take part. */
  uses: Kind[];
}

const ORDER: Option["do"][] = ["win", "kong", "concealed", "added", "pung", "chow", "flower", "ready", "pass"];
const WORDS = (): Record<Option["do"], string> => ({
  win: t("和", "Win"),
  kong: t("杠", "Kong"),
  concealed: t("暗杠", "Kong"),
  added: t("加杠", "Add kong"),
  pung: t("碰", "Pung"),
  chow: t("吃", "Chow"),
  flower: t("补花", "Flower"),
  ready: t("报听", "Ready"),
  pass: t("过", "Pass"),
  discard: t("打", "Discard"),
});

const run = (low: Kind): Kind[] => [0, 1, 2].map((by) => `${Number(low[0]) + by}${low[1]}`);

export function choices(options: readonly Option[], unit: Bilingual): Choice[] {
  const words = WORDS();
  const chows = ["Q", "W", "E"];
  return options
    .filter((option) => option.do !== "discard")
    .sort((a, b) => ORDER.indexOf(a.do) - ORDER.indexOf(b.do))
    .map((option) => {
      const tile = option.tile ? [option.tile] : [];
      const kong = option.do === "kong" || option.do === "added" || option.do === "concealed";
      const chow = option.do === "chow" && option.low ? run(option.low) : [];
      const key =
        option.do === "win"
          ? "H"
          : kong
            ? "K"
            : option.do === "pung"
              ? "P"
              : option.do === "chow"
                ? (chows.shift() ?? "")
                : option.do === "flower"
                  ? "B"
                  : option.do === "ready"
                    ? "R"
                    : t("空格", "Space");
      const uses =
        option.do === "chow"
          ? chow.filter((kind) => kind !== option.tile)
          : option.do === "pass" || option.do === "win"
            ? []
            : tile;
      const more = option.do === "win" && option.score ? amount(option.score.total, unit) : "";
      // as it will lie: what is claimed from 上家 first
      const claimed = chow.length && option.tile ? [option.tile, ...uses] : chow;
      return {
        option,
        key,
        word: words[option.do],
        more,
        tiles: claimed.length ? claimed : option.do === "win" || option.do === "pass" ? [] : tile,
        uses,
      };
    });
}

/** A choice in words: 吃 四万五万六万. */
export const callOf = (choice: Choice): string =>
  [choice.word, choice.tiles.map(nameOf).join(" "), choice.more].filter(Boolean).join(" ");

/** What discarding a tile of the hand would say: as drawn, or from the hand; undefined if it may not be. */
export function discardOf(options: readonly Option[], kind: Kind, drawn: boolean, ready = false): Option | undefined {
  const fit = options.filter(
    (option) => option.do === "discard" && option.tile === kind && (option.ready ?? false) === ready,
  );
  return fit.find((option) => (option.drawn ?? false) === drawn) ?? fit[0];
}
