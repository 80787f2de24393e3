// A change that waits for the network, in words; what it comes to is worked out by the server.
import { t } from "../../lib/prefs.svelte";
import type { HandRecord, NewEntry, PenaltyRecord, TableView } from "../../lib/types";
import { amount } from "../../lib/values";

export function inWords(entry: NewEntry, table: TableView): string {
  const called = (player: number | null | undefined): string => table.names[player ?? -1] ?? "";
  const number = (entry.at ?? 0) + 1;
  if (entry.do === "undo") return t("撤销", "undo");
  if (entry.do === "rename") return t(`改名：${entry.name}`, `rename: ${entry.name}`);
  if (entry.do === "remove") return t(`删掉第 ${number} 条`, `delete entry ${number}`);
  const record = entry.record;
  if (!record) return t("其他记录", "another entry");
  const which =
    entry.do === "correct"
      ? t(`第 ${number} 条改成：`, `entry ${number} becomes: `)
      : entry.do === "insert"
        ? t(`插在第 ${number} 条前：`, `before entry ${number}: `)
        : "";
  if (record.kind === "penalty") {
    const { player, fault } = record as PenaltyRecord;
    return `${which}${called(player)} ${fault}`;
  }
  if (record.kind !== "hand") return which + t("其他记录", "another entry");
  const hand = record as HandRecord;
  if (hand.winner === null || hand.winner === undefined) return which + t(table.words.drawn.zh, "no winner");
  const value =
    hand.tiles?.hand ??
    amount(hand.fan ?? hand.points ?? 0, table.needs.announced ? { zh: "番", en: "fan" } : table.unit);
  const who = [hand.winner, ...(hand.also ?? []).map((one) => one.winner)].map(called).join(t("、", ", "));
  const payer = called(hand.discarder);
  return (
    which +
    (hand.self_draw
      ? t(`${who} 自摸 ${value}`, `${who} self-draw ${value}`)
      : t(
          `${who} ${table.words.won.zh} ${value}，${payer} ${table.words.discarded.zh}`,
          `${who} wins ${value} off ${payer}`,
        ))
  );
}
