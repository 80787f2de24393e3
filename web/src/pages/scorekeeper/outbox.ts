// Records that were written while there was no network: they wait in this browser until the server takes them.
import { t } from "../../lib/prefs.svelte";
import type { HandRecord, PenaltyRecord, TableView } from "../../lib/types";
import type { TableRecord } from "./draft";

export interface Waiting {
  /** The same each time it is sent, so that it is written once. */
  key: string;
  record: TableRecord;
}

/** What waits for one table; `base` is the length that its log had when the first of them was written. */
export interface Outbox {
  base: number;
  waiting: Waiting[];
}

const name = (id: string): string => `quepu.outbox.${id}`;

export function loadOutbox(id: string): Outbox {
  try {
    const found = JSON.parse(localStorage.getItem(name(id)) ?? "null") as Outbox | null;
    if (found && Array.isArray(found.waiting)) return found;
  } catch {
    // storage may be forbidden, or hold something else
  }
  return { base: 0, waiting: [] };
}

export function saveOutbox(id: string, outbox: Outbox): void {
  try {
    if (outbox.waiting.length) localStorage.setItem(name(id), JSON.stringify(outbox));
    else localStorage.removeItem(name(id));
  } catch {
    // it lasts for this page then
  }
}

export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A waiting record in words; what it comes to is worked out by the server. */
export function inWords(record: TableRecord, table: TableView): string {
  const called = (player: number | null | undefined): string => table.names[player ?? -1] ?? "";
  if (record.kind === "penalty") {
    const { player, fault } = record as PenaltyRecord;
    return `${called(player)} ${fault}`;
  }
  if (record.kind !== "hand") return t("别的记录", "another record");
  const hand = record as HandRecord;
  if (hand.winner === null || hand.winner === undefined) return t(table.words.drawn.zh, "drawn");
  const worth =
    hand.tiles?.hand ??
    `${hand.fan ?? hand.points ?? ""} ${table.needs.announced ? t("番", "fan") : t(table.unit.zh, table.unit.en)}`;
  return hand.self_draw
    ? t(`${called(hand.winner)} 自摸 ${worth}`, `${called(hand.winner)} self-draw ${worth}`)
    : t(
        `${called(hand.winner)} ${table.words.won.zh} ${worth}，${called(hand.discarder)} ${table.words.discarded.zh}`,
        `${called(hand.winner)} wins ${worth} off ${called(hand.discarder)}`,
      );
}
