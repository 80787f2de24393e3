// What an edition changed, asked once for each pair of books.
import { get, post } from "../../lib/api.svelte";
import { drafted, fanNames, loadFanNames, unitWords } from "../../lib/books.svelte";
import { prefs, say, t } from "../../lib/prefs.svelte";
import type { DifferenceAnswer } from "../../lib/types";
import { valueText } from "../../lib/values";

const requests = new Map<string, Promise<DifferenceAnswer>>();

export function differenceOf(older: string, newer: string): Promise<DifferenceAnswer> {
  const key = `${older} ${newer}`;
  const found =
    requests.get(key) ??
    (drafted(newer)
      ? post<DifferenceAnswer>("/api/house/diff", { house: newer, old: older })
      : get<DifferenceAnswer>(`/api/diff?old=${encodeURIComponent(older)}&new=${encodeURIComponent(newer)}`));
  requests.set(key, found);
  found.catch(() => requests.delete(key));
  return found;
}

/** In words what changed for one fan; "" where nothing did, or where it cannot be asked now. */
export async function changeOf(older: string, newer: string, name: string): Promise<string> {
  const found = await differenceOf(older, newer).catch(() => null);
  if (!found) return "";
  if (found.added.some((row) => row.name === name)) return t("新增。", "new.");
  const row = found.changed.find((one) => one.name === name);
  if (!row) return "";
  if (prefs.lang === "en") await Promise.all([older, newer].map(loadFanNames));
  const list = (names: string[]): string => fanNames(names, newer, older); // relations with what is gone, too
  return [
    row.renamed_from ? t(`原名${row.renamed_from}`, `formerly ${row.renamed_from}`) : "",
    row.values ? row.values.map((value, i) => valueText(value, unitWords([older, newer][i] ?? newer))).join(" → ") : "",
    row.no_longer_drops.length
      ? t(`取消不计${list(row.no_longer_drops)}`, `now counted together with ${list(row.no_longer_drops)}`)
      : "",
    row.now_drops.length ? t(`改为不计${list(row.now_drops)}`, `${list(row.now_drops)} no longer counted with it`) : "",
    row.no_longer_conflicts.length
      ? t(
          `不再与${list(row.no_longer_conflicts)}互斥`,
          `no longer mutually exclusive with ${list(row.no_longer_conflicts)}`,
        )
      : "",
    row.now_conflicts.length
      ? t(`改为与${list(row.now_conflicts)}互斥`, `now mutually exclusive with ${list(row.now_conflicts)}`)
      : "",
    row.categories ? `${t("类别", "category")} ${row.categories.map(say).join(" → ")}` : "",
    row.reread ? t("判定有改", "holds for different hands") : "",
    row.sentences ? t("原文有改", "reworded") : "",
  ]
    .filter(Boolean)
    .join(t("；", "; "))
    .concat(t("。", "."));
}
