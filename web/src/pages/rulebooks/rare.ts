// How common a fan is, in words: a percentage, or one in so many.
import { t } from "../../lib/prefs.svelte";

export const shareText = (share: number): string =>
  share >= 0.0095
    ? `${(share * 100).toFixed(1)}%`
    : share > 0
      ? t(
          `约每 ${Math.round(1 / share).toLocaleString("en")} 次和牌出现一次`,
          `one in ${Math.round(1 / share).toLocaleString("en")}`,
        )
      : t("不会出现", "never");

/** The length of a bar, 0-1: each full step of ten is a ninth. */
export const shareBar = (share: number): number =>
  share > 0 ? Math.max(0.03, 1 + Math.log10(Math.max(share, 1e-9)) / 9) : 0;
