// What a coach says at a first hand: the aim, what may be claimed and why, and how the hand went.
import { toAWin } from "../../lib/distance";
import { many, t } from "../../lib/prefs.svelte";
import { nameOf, windName, type Kind } from "../../lib/tiles";
import {
  TO_A_WIN,
  type HandOver,
  type Hint,
  type HintChoice,
  type TableEvent,
  type TableOption,
} from "../../lib/types";

const listed = (words: readonly string[]): string => words.join(t("、", ", "));
/** What is left of a first sentence of the server: its best move. */
const best = (hint: Hint | null): HintChoice | undefined => hint?.choices?.[0];

/** Whether so few tiles are missing that their number tells a beginner something. */
const isNear = (missing: number | null): missing is number =>
  missing !== null && missing > 0 && missing < TO_A_WIN.length - 1;

/** The name of a tile in a sentence: in English "north" alone would be a direction. */
const tileName = (kind: Kind): string =>
  /^[ESWN]$/.test(kind) ? t(nameOf(kind), `${nameOf(kind)} wind`) : nameOf(kind);

/** Tiles in a sentence: 四万、六万, and in English by suit, "the 4 and 6 of characters and the east wind". */
function tilesInWords(kinds: readonly Kind[]): string {
  const and = new Intl.ListFormat("en-GB");
  const ranks = new Map<string, string[]>(); // by suit; an honour has none
  for (const kind of kinds) {
    const [first = "", suit] = tileName(kind).split(" of ");
    ranks.set(suit ?? first, [...(ranks.get(suit ?? first) ?? []), ...(suit ? [first] : [])].sort());
  }
  const parts = [...ranks].map(([name, all]) => (all.length ? `the ${and.format(all)} of ${name}` : `the ${name}`));
  return t(listed(kinds.map(tileName)), and.format(parts));
}

/** What the hand is being built towards; empty while nothing is known. */
export function aimOf(hint: Hint | null): string {
  const aim = hint?.aims?.[0];
  if (aim?.fans.length)
    return t(
      `目标：${listed(aim.fans)}。还缺${listed(aim.tiles.map(tileName))}。`,
      `Aim: ${listed(aim.fans)}. It needs ${tilesInWords(aim.tiles)}.`,
    );
  const missing = best(hint)?.missing;
  if (!missing) return ""; // nothing known, or a win already
  return isNear(missing)
    ? t(`你还${toAWin(missing)}。`, `You are ${toAWin(missing)}.`)
    : t("离和牌还远，先凑成组。", "A win is still far off: make groups first.");
}

/** What to discard, and why; empty if that is not the best move. */
export function discardAdvice(hint: Hint | null): string {
  const shape = hint?.shape?.[0];
  if (shape)
    return t(
      `打${tileName(shape.tile)}：打了以后离听牌最近，还有 ${shape.left} 张牌能让你更近一步。`,
      `Discard the ${tileName(shape.tile)}: that keeps you nearest to ready, with ${many(shape.left, "useful tile")}.`,
    );
  const choice = best(hint);
  if (choice?.do !== "discard" || !choice.tile) return "";
  return choice.left
    ? t(
        `打${tileName(choice.tile)}：它最帮不上别的牌。`,
        `Discard the ${tileName(choice.tile)}: it helps the rest least.`,
      )
    : t(
        `打${tileName(choice.tile)}，离和牌最近。`,
        `Discard the ${tileName(choice.tile)}: that keeps you nearest to a win.`,
      );
}

/** What the hint would do, in a sentence. */
function advised(choice: HintChoice): string {
  if (choice.do === "pass")
    return t(
      "我会过：吃碰了反而离和牌更远，或者不合算。",
      "I would pass: claiming would slow you down or cost points.",
    );
  if (choice.do === "win") return TAKE_THE_WIN();
  const [zh, en] = DEEDS[choice.do] ?? [choice.text, choice.text];
  const low = Number(choice.low?.[0]);
  const run = choice.low ? [0, 1, 2].map((by) => `${low + by}${choice.low?.[1] ?? ""}`) : [];
  const deed = run.length ? t(`吃成${run.map(nameOf).join("")}`, `chow ${listed(run.map(nameOf))}`) : t(zh, en);
  const then = choice.then ? t(`，再打${tileName(choice.then)}`, `, then discard the ${tileName(choice.then)}`) : "";
  return t(`我会${deed}${then}。`, `I would ${deed}${then}.`);
}
const DEEDS: Readonly<Record<string, readonly [string, string]>> = {
  chow: ["吃", "chow"],
  pung: ["碰", "pung"],
  kong: ["杠", "kong"],
  concealed: ["暗杠", "make the concealed kong"],
  added: ["加杠", "add the tile to the pung"],
  flower: ["补花", "set the flower aside"],
  ready: ["报听", "declare ready"],
};
const TAKE_THE_WIN = (): string => t("能和就和，别放过。", "Take the win.");

const REASONS = (option: TableOption): string => {
  const tile = tileName(option.tile ?? "");
  switch (option.do) {
    case "win":
      return t("和：整手都成组了，而且够起和。", "Win: every tile is in a group, and the hand is worth enough.");
    case "chow":
      return t(
        `吃：${tile}和你手里两张连成顺子，亮出来，再打一张。`,
        `Chow: the ${tile} makes three in a row with two of yours. They lie open, and you discard one.`,
      );
    case "pung":
      return t(
        `碰：你有一对${tile}，凑成三张，亮出来，再打一张。`,
        "Pung: with your two that makes three alike. They lie open, and you discard one.",
      );
    case "kong":
    case "concealed":
    case "added":
      return t(`杠：四张${tile}放一起，补摸一张。`, "Kong: all four alike lie together, and you draw another tile.");
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

/** What the coach would do now (a discard is said elsewhere), then what may be claimed, each with its reason. */
export function claimAdvice(options: readonly TableOption[], hint: Hint | null): string[] {
  const seen = new Set<string>();
  const told = options.flatMap((option) => {
    const reason = seen.has(option.do) ? "" : REASONS(option);
    seen.add(option.do);
    return reason ? [reason] : [];
  });
  if (!told.length) return told;
  const choice = best(hint);
  if (choice) return choice.do === "discard" ? told : [advised(choice), ...told];
  if (seen.has("win")) return [TAKE_THE_WIN(), ...told];
  return seen.has("pass") ? [t("拿不准就点“过”。", "If in doubt, pass."), ...told] : told;
}

/**
 * The hand in five sentences: how it ended, what it cost, what you did, how near you were, what to try next. `names`
 * are the players by wind, as the table shows them; `hand` is the book's own word for a hand in Chinese.
 */
export function summary(
  over: HandOver,
  events: readonly TableEvent[],
  mine: string,
  missing: number | null,
  names: Readonly<Record<string, string>>,
  hand: string,
): string[] {
  const own = events.filter((event) => event.seat === mine);
  const discards = own.filter((event) => event.e === "discard").length;
  const claims = own.filter((event) => ["chow", "pung", "kong", "claim"].includes(event.e)).length;
  const gain = over.gains["ESWN".indexOf(mine)] ?? 0;
  const winners = [over.winner, ...(over.also ?? []).map((one) => one.winner)].filter((wind) => wind !== null);
  const called = winners.map((wind) => names[wind] ?? windName(wind));
  const who = t(called.join("、"), [called.slice(0, -1).join(", "), called.at(-1)].filter(Boolean).join(" and "));
  const won = winners.some((wind) => wind === mine);
  const dealtIn = over.discarder === mine;
  return [
    !over.winner
      ? t("牌摸完了，没有人和。", "The wall ran out, and nobody won.")
      : won
        ? t(`你和了这一${hand}，恭喜。`, "You won this hand. Well done.")
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
      ? t(`你得了 ${gain} 分。`, `You gained ${many(gain, "point")}.`)
      : gain < 0
        ? t(`你付了 ${-gain} 分。`, `You paid ${many(-gain, "point")}.`)
        : t("你没得分，也没付分。", "You gained nothing and paid nothing."),
    claims
      ? t(
          `你打了 ${discards} 张牌，吃碰杠 ${claims} 次。`,
          `You discarded ${many(discards, "tile")} and claimed ${many(claims, "tile")}.`,
        )
      : t(`你打了 ${discards} 张牌，没有吃碰过。`, `You discarded ${many(discards, "tile")} and claimed none.`),
    won
      ? t("最后一张正好补上缺的那组。", "The last tile filled the group that was missing.")
      : isNear(missing)
        ? t(`最后你还${toAWin(missing)}。`, `In the end you were ${toAWin(missing)}.`)
        : t("结束时你的手牌还没有成形。", "Your hand had not taken shape yet."),
    won
      ? t(
          "看看下面计了哪些番，下次可以早点往这些番上做。",
          "Look at the fans below: next time you can aim for them sooner.",
        )
      : dealtIn
        ? t("下次后半局多打别人打过的牌，更安全。", "Late in a hand, tiles that others have discarded are safer.")
        : t(
            "下次早点想好要做什么番，用不上的牌先打。",
            "Next time, settle on an aim early and discard what does not fit it.",
          ),
  ];
}
