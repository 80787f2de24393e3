// A hand and what surrounds it in words, for what is shared.
import { current, fanNames } from "../../lib/books.svelte";
import { prefs, t } from "../../lib/prefs.svelte";
import { nameOf, windName } from "../../lib/tiles";
import type { WaitShape } from "../../lib/types";
import type { Calculator } from "./state.svelte";

/** How it was won, winds, circumstances, flowers: 自摸，门风东，圈风南，岭上开花，花 2. */
export function situationText(calculator: Calculator): string {
  const { seat, round, selfDraw, circumstances, flowers, house } = calculator.now;
  return [
    selfDraw ? t("自摸", "self-drawn") : t("点和", "on a discard"),
    t(`门风${windName(seat)}`, `seat ${windName(seat)}`),
    ...(current()?.round_wind ? [t(`圈风${windName(round)}`, `round ${windName(round)}`)] : []),
    ...circumstances.map((name) => fanNames([name], prefs.book)),
    ...(flowers.length ? [t(`花 ${flowers.length}`, `${flowers.length} flowers`)] : []),
    ...(house ? [t("自定规则", "house rules")] : []),
  ].join(t("，", ", "));
}

/** A wait on one line: 一索 余 3：点和 8，自摸 24. */
export const waitText = (wait: WaitShape): string =>
  t(
    `听 ${nameOf(wait.tile)}，余 ${wait.left}：点和 ${wait.discard.total}，自摸 ${wait.self_draw.total}`,
    `waits on ${nameOf(wait.tile)}, ${wait.left} left: ${wait.discard.total} on a discard, ` +
      `${wait.self_draw.total} by self-draw`,
  ) + (wait.reason ? t(`（${wait.reason}）`, ` (${wait.reason})`) : "");
