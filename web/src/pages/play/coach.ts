// What a coach says at a first hand: the aim, what may be claimed and why, and how the hand went.
import { toAWin } from "../../lib/distance";
import { many, t } from "../../lib/prefs.svelte";
import { nameOf, windName } from "../../lib/tiles";
import type { HandOver, Hint, HintChoice, TableEvent, TableOption } from "../../lib/types";

const listed = (words: readonly string[]): string => words.join(t("、", ", "));
/** What is left of a first sentence of the server: its best move. */
const best = (hint: Hint | null): HintChoice | undefined => hint?.choices?.[0];

/** What the hand is being built towards; empty while nothing is known. */
export function aimOf(hint: Hint | null): string {
  const aim = hint?.aims?.[0];
  if (aim?.fans.length)
    return t(
      `目标：${listed(aim.fans)}。还缺${listed(aim.tiles.map(nameOf))}。`,
      `Aim: ${listed(aim.fans)}. Still to come: ${listed(aim.tiles.map(nameOf))}.`,
    );
  const missing = best(hint)?.missing;
  return typeof missing === "number" ? t(`现在${toAWin(missing)}。`, `Now ${toAWin(missing)}.`) : "";
}

/** What to discard, and why. */
export function discardAdvice(hint: Hint | null): string {
  const shape = hint?.shape?.[0];
  if (shape)
    return t(
      `打${nameOf(shape.tile)}：打了以后离听牌最近，还有 ${shape.left} 张牌能让你更近一步。`,
      `Discard the ${nameOf(shape.tile)}: that keeps you nearest to ready, and ${shape.left} tiles bring you nearer.`,
    );
  const choice = best(hint);
  if (choice?.do !== "discard" || !choice.tile) return choice ? choice.text + t("。", ".") : "";
  return choice.left
    ? t(
        `打${nameOf(choice.tile)}：它帮不上别的牌，打了以后还有 ${choice.left} 张牌能让你更近一步。`,
        `Discard the ${nameOf(choice.tile)}: it helps the rest least, and ${choice.left} tiles still bring you nearer.`,
      )
    : t(
        `打${nameOf(choice.tile)}，离和牌最近。`,
        `Discard the ${nameOf(choice.tile)}: that keeps you nearest to a win.`,
      );
}

const REASONS = (option: TableOption): string => {
  const tile = nameOf(option.tile ?? "");
  switch (option.do) {
    case "win":
      return t("和：整手都成组了，而且够起和。", "Win: every tile is in a group, and the hand is worth enough.");
    case "chow":
      return t(
        `吃：${tile}和你手里两张连成顺子，亮出来，再打一张。`,
        `Chow: the ${tile} makes a run with two of your tiles. It lies open, and you discard one.`,
      );
    case "pung":
      return t(
        `碰：你有一对${tile}，凑成三张，亮出来，再打一张。`,
        `Pung: you hold two of the ${tile}. The three lie open, and you discard one.`,
      );
    case "kong":
    case "concealed":
    case "added":
      return t(`杠：四张${tile}放一起，补摸一张。`, `Kong: all four of the ${tile} together; you draw another tile.`);
    case "flower":
      return t("补花：花牌放一边，补摸一张。", "Flower: lay it beside your hand and draw another tile.");
    case "ready":
      return t(
        "报听：宣布你只差一张，以后不能换牌。",
        "Ready: declare that you are one tile away; the hand stays as it is.",
      );
    default:
      return "";
  }
};

/** What may be claimed or declared now, each with its reason; then what the hint would do. */
export function claimAdvice(options: readonly TableOption[], hint: Hint | null): string[] {
  const seen = new Set<string>();
  const told = options.flatMap((option) => {
    const reason = seen.has(option.do) ? "" : REASONS(option);
    seen.add(option.do);
    return reason ? [reason] : [];
  });
  const choice = best(hint);
  if (!choice || !told.length) return told;
  return [
    ...told,
    choice.do === "pass"
      ? t("我会过：吃碰了反而离和牌更远，或者不值。", "I would pass: claiming would slow you down or cost points.")
      : t(`我会选：${choice.text}。`, `I would choose: ${choice.text}.`),
  ];
}

/** The hand in five sentences: how it ended, what it cost, what you did, how near you were, what to try next. */
export function summary(over: HandOver, events: readonly TableEvent[], mine: string, missing: number | null): string[] {
  const own = events.filter((event) => event.seat === mine);
  const discards = own.filter((event) => event.e === "discard").length;
  const claims = own.filter((event) => ["chow", "pung", "kong", "claim"].includes(event.e)).length;
  const gain = over.gains["ESWN".indexOf(mine)] ?? 0;
  const who = over.winner ? t(`${windName(over.winner)}家`, windName(over.winner)) : "";
  const won = over.winner === mine || (over.also ?? []).some((one) => one.winner === mine);
  const dealtIn = over.discarder === mine;
  return [
    !over.winner
      ? t("牌摸完了，没有人和。", "The wall ran out, and nobody won.")
      : won
        ? t("你和了这一局，恭喜。", "You won this hand. Well done.")
        : over.self_draw
          ? t(`${who}自摸和了。`, `${who} won by self-draw.`)
          : over.robbed
            ? dealtIn
              ? t(`${who}抢了你的杠，和了。`, `${who} won by robbing your kong.`)
              : t(`${who}抢杠和了。`, `${who} won by robbing a kong.`)
            : dealtIn
              ? t(`你打出的牌让${who}和了。`, `${who} won on your discard.`)
              : t(`${who}和了别家打出的牌。`, `${who} won on another player's discard.`),
    gain > 0
      ? t(`你得了 ${gain} 分。`, `You gained ${gain} points.`)
      : gain < 0
        ? t(`你付出 ${-gain} 分。`, `You paid ${-gain} points.`)
        : t("你不得不失。", "You neither gained nor paid."),
    claims
      ? t(
          `你打了 ${discards} 张牌，吃碰杠 ${claims} 次。`,
          `You discarded ${many(discards, "tile")} and claimed ${many(claims, "tile")}.`,
        )
      : t(`你打了 ${discards} 张牌，没有吃碰过。`, `You discarded ${many(discards, "tile")} and claimed none.`),
    won
      ? t("最后一张正好补上缺的那组。", "The last tile filled the group that was missing.")
      : missing === null
        ? t("结束时你的手牌还没有成形。", "Your hand had not taken shape yet.")
        : t(`最后一次提示时，你的手牌${toAWin(missing)}。`, `At the last hint you were ${toAWin(missing)}.`),
    won
      ? t(
          "看看下面计了哪些番，下次就能早点朝它们做。",
          "Look at the fans below: next time you can aim for them sooner.",
        )
      : dealtIn
        ? t("下次后半局多打别人打过的牌，更安全。", "Late in a hand, tiles that others have discarded are safer.")
        : t(
            "下次先留能连成顺子的牌，孤张字牌早点打。",
            "Next time keep tiles that can make runs, and discard lone honours early.",
          ),
  ];
}
