// What several desks may write at once without being in each other's way.
import type { DeskChange, DeskView } from "../../lib/types";

export type DeskRecord = NonNullable<DeskChange["record"]>;

/** Whether what others wrote between these two views does not touch what a record is about. */
export function standsApart(record: DeskRecord, seen: DeskView, now: DeskView): boolean {
  if (["fine", "enter", "leave", "ruling", "check_in"].includes(record.do ?? "")) return true;
  if (record.do !== "slip") return false;
  const table = (view: DeskView): string => {
    const round = view.rounds[record.round - 1];
    const { names, results } = round?.tables[record.table - 1] ?? {};
    return JSON.stringify([round?.at, names, results]);
  };
  return table(seen) === table(now);
}
