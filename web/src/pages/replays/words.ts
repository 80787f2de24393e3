// Words of the list.
import { prefs, say, t } from "../../lib/prefs.svelte";
import type { ReplayHead } from "../../lib/types";
import { personName } from "../play/given";
import { levels } from "../play/names.svelte";

export const sourceName = (kind: ReplayHead["kind"]): string =>
  ({
    room: t("在这里打的", "played here"),
    log: t("导入的牌谱", "imported log"),
    botzone: t("Botzone 导入", "from Botzone"),
    tziakcha: t("雀渣导入", "from tziakcha"),
    open_mahjong: t("Salasasa 导入", "from Salasasa"),
    mjai: t("mjai 导入", "from mjai"),
  })[kind];

/** A moment as a day and a time, in the reader's own zone. */
export const day = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleString(prefs.lang === "en" ? "en" : "zh-Hans", {
    dateStyle: "medium",
    timeStyle: "short",
  });

/** A player's name out of a log, and a bot's level. Bots were written down in Chinese; they, and who wrote no name, are
    called in the reader's language. */
export function playerParts(name: string | undefined): { name: string; level: string } {
  const [, at, level = ""] = /^电脑([1-4])·(.+)$/.exec(name ?? "") ?? [];
  const found = levels.list.find((one) => one.name.zh === level);
  return at
    ? { name: t(`电脑${at}`, `Bot ${at}`), level: found ? say(found.name) : level }
    : { name: personName(name ?? ""), level: "" };
}

export function playerName(stored: string | undefined): string {
  const { name, level } = playerParts(stored);
  return level ? `${name}·${level}` : name;
}

/** A share in percent, without the sign: two digits after the point below ten. */
export const digits = (share: number): string => (100 * share).toFixed(share < 0.1 ? 2 : 1);

/** A large number with the separators of the page's language. */
export const count = (n: number): string => n.toLocaleString(prefs.lang === "en" ? "en" : "zh");
