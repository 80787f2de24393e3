// A question in words: what is asked, and what surrounds the hand.
import { fanNames, wordsOf } from "../../lib/books.svelte";
import { t } from "../../lib/prefs.svelte";
import { nameOf, windName } from "../../lib/tiles";
import type { BookBrief, PracticeQuestion } from "../../lib/types";

/** What is asked. */
export const askText = (question: PracticeQuestion): string =>
  ({
    fans: t("计哪些番？选出全部。", "Which fans count? Choose all of them."),
    points: t(`一共几${question.unit.zh}？（连花牌）`, `How many ${question.unit.en} in all, flowers included?`),
    payable: t(
      `够不够起和 ${question.minimum} ${question.unit.zh}？`,
      `Does it reach the minimum of ${question.minimum} ${question.unit.en}?`,
    ),
    waits: t("听哪些牌？选出全部牌形上能和的。", "Which tiles complete it? Choose all that make a winning shape."),
    discard: t("打哪张听牌，剩下能和的牌最多？", "Which discard leaves you ready with the most winning tiles?"),
    aim: t(
      "打一张就听，奔哪一路最值？（张数 × 点和的分）",
      "Which ready hand is worth most? (winning tiles × points on a discard)",
    ),
    pays: question.hand.melds.some((meld) => meld.kind !== "concealed_kong")
      ? t(
          "四家各得失多少？副露都来自上家，其余三家未听。",
          "What does each seat gain or lose? All melds came from the left player; the others are not ready.",
        )
      : t("四家各得失多少？其余三家未听。", "What does each seat gain or lose? The others are not ready."),
  })[question.kind];

/** How the hand was won, its winds, circumstances and flowers. */
export const situationText = (question: PracticeQuestion, brief: BookBrief | undefined): string =>
  [
    ...(["waits", "discard", "aim"].includes(question.kind)
      ? []
      : [
          question.self_draw
            ? t("自摸", "self-drawn")
            : question.discarder
              ? t(
                  `${windName(question.discarder)}家${wordsOf(question.rules)?.discarded.zh ?? ""}`,
                  `discarded by ${windName(question.discarder)}`,
                )
              : t("点和", "on a discard"),
        ]),
    t(`门风${windName(question.seat)}`, `seat ${windName(question.seat)}`),
    ...(brief?.round_wind ? [t(`圈风${windName(question.round)}`, `round ${windName(question.round)}`)] : []),
    ...question.circumstances.map((name) => fanNames([name], question.rules)),
    ...(question.flowers.length
      ? [t(`花 ${question.flowers.join("")}`, `flowers ${question.flowers.map(nameOf).join(", ")}`)]
      : []),
  ].join(t("，", ", "));
