// An answer while it is being given.
import { WINDS } from "../../lib/tiles";
import type { PracticeQuestion } from "../../lib/types";

export interface Reply {
  fans: string[];
  points: number | null;
  payable: boolean | null;
  waits: string[];
  pays: Record<string, number | null>;
}

export const blank = (): Reply => ({
  fans: [],
  points: null,
  payable: null,
  waits: [],
  pays: { E: null, S: null, W: null, N: null },
});

/** Whether nothing, or not all that is needed, has been answered. */
export function empty(kind: PracticeQuestion["kind"], reply: Reply): boolean {
  if (kind === "fans") return !reply.fans.length;
  if (kind === "waits") return !reply.waits.length;
  if (kind === "points") return reply.points === null;
  if (kind === "payable") return reply.payable === null;
  return WINDS.some((wind) => reply.pays[wind] === null || reply.pays[wind] === undefined);
}

/** What is sent: only the part that the kind asks for. */
export const sent = (kind: PracticeQuestion["kind"], reply: Reply): Record<string, unknown> => ({
  [kind]: reply[kind],
});
