// Words of the list.
import { prefs, t } from "../../lib/prefs.svelte";
import type { ReplayHead } from "../../lib/types";

export const sourceName = (kind: ReplayHead["kind"]): string => ({ room: t("在这里打的", "played here"), log: t("导入的牌谱", "imported log"), botzone: t("Botzone 导入", "from Botzone") })[kind];

/** A moment as a day and a time, in the reader's own zone. */
export const day = (seconds: number): string => new Date(seconds * 1000).toLocaleString(prefs.lang === "en" ? "en" : "zh-Hans", { dateStyle: "medium", timeStyle: "short" });
