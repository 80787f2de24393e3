// What the client makes of events itself. tests/whole/test_browser_fold.py holds it against the server's fold, event by
// event.

/** What of an event counts here. */
export interface Happened {
  e: string;
  seat?: string | null;
  from?: string | null;
}

const CLAIMS: ReadonlySet<string> = new Set(["chow", "pung", "kong"]);
const DEEDS: ReadonlySet<string> = new Set(["discard", "ready", "chow", "pung", "kong", "added", "concealed", "win"]);

/** The newest discard among what happened, unless it was claimed since. A kong that is robbed leaves it where it is. */
export function openDiscard<E extends Happened>(events: readonly E[]): E | undefined {
  const at = events.findLastIndex((event) => event.e === "discard");
  const thrown = events[at];
  const taken = events
    .slice(at + 1)
    .some((event) => CLAIMS.has(event.e) || (event.e === "win" && !!event.from && event.from === thrown?.seat));
  return taken ? undefined : thrown;
}

/** By seat, which discards that still lie in its river were thrown as they were drawn. */
export function castOf(events: readonly (Happened & { drawn?: boolean })[]): Record<string, boolean[]> {
  const rivers: Record<string, boolean[]> = {};
  let thrown = "";
  for (const { e, seat, from, drawn } of events) {
    if (e === "discard" && seat) {
      (rivers[seat] ??= []).push(!!drawn);
      thrown = seat;
    } else if (CLAIMS.has(e) || (e === "win" && from && from === thrown)) {
      rivers[thrown]?.pop();
      thrown = "";
    }
  }
  return rivers;
}

/** Whether a seat did this itself. Flowers go by themselves in most books, so setting one aside is not counted. */
export const isDeed = (event: Happened): boolean => DEEDS.has(event.e);
