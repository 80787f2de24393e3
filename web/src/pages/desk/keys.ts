// What standings are ordered by, and how it is shown.
import { t } from "../../lib/prefs.svelte";
import type { DeskLine, DeskView, Extra } from "../../lib/types";
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

/** Standard points, with a fraction where places were shared; only what is taken away has a sign. */
export const standardText = (points: number): string => `${points < 0 ? "−" : ""}${+Math.abs(points).toFixed(2)}`;

export const keyText = (line: DeskLine, key: Key): string =>
  key === "reduced"
    ? line.reduced.toFixed(3)
    : key === "total" || key === "met" || key === "imps"
      ? pointsText(line[key])
      : String(+line[key].toFixed(2));

/** Columns of points besides those of sessions, in their order after a session. */
export const EXTRAS: readonly Extra["kind"][] = ["passed_on", "fined", "uncounted", "carried"];

export const extraName = (kind: Extra["kind"]): string =>
  ({
    passed_on: t("替补交接", "Substitution"),
    fined: t("罚分", "Penalties"),
    uncounted: t("不计", "Not counted"),
    carried: t("带入", "Carried"),
  })[kind];

/** A line of a player's page for points that are not a result of the player's own seat. */
export function extraText(extra: Extra): string {
  if (extra.kind === "passed_on") return t("替补交接的分", "Points passed on by a substitution");
  if (extra.kind === "fined") return t("罚分", "Penalties");
  if (extra.kind === "uncounted") return t("未晋级，不计分", "Not counted: out at the cut");
  const { share } = extra;
  if (!share) return t("晋级：从零分开始", "After the cut: from zero");
  return share === 0.5
    ? t("晋级：带入以上得分的一半", "After the cut: half of the points above")
    : t(
        `晋级：带入以上得分的 ${+(share * 100).toFixed(1)}%`,
        `After the cut: ${+(share * 100).toFixed(1)}% of the points above`,
      );
}
