// What standings are ordered by, and how it is shown.
import { t } from "../../lib/prefs.svelte";
import type { DeskLine, DeskView } from "../../lib/types";
import { signed } from "../../lib/values";

export type Key = NonNullable<DeskView["spec"]["order"]>[number];

export const KEYS: readonly Key[] = ["total", "standard", "reduced", "wins", "met", "direct", "imps"];

export const keyName = (key: Key): string =>
  ({
    total: t("总分", "Points"),
    standard: t("标准分", "Standard"),
    reduced: t("约化分数", "Reduced"),
    wins: t("头名", "Firsts"),
    met: t("对手分", "Opponents"),
    direct: t("直接对决", "Head-to-head"),
    imps: "IMP",
  })[key];

/** Points, with a fraction where a cut carried half of them. */
export const pointsText = (points: number): string =>
  Number.isInteger(points) ? signed(points) : `${points > 0 ? "+" : "−"}${+Math.abs(points).toFixed(2)}`;

export const keyText = (line: DeskLine, key: Key): string =>
  key === "reduced"
    ? line.reduced.toFixed(3)
    : key === "total" || key === "met" || key === "imps"
      ? pointsText(line[key])
      : String(+line[key].toFixed(2));
