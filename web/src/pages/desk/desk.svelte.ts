// A tournament on this page: what the server has of it, and what is written there.
import { get, post, Refused } from "../../lib/api.svelte";
import { follow } from "../../lib/live";
import type { DeskChange, DeskView } from "../../lib/types";
import { newKey } from "../scorekeeper/outbox";

export type DeskRecord = DeskChange["record"];
export type DeskRound = DeskView["rounds"][number];
export type DeskTable = DeskRound["tables"][number];

export class DeskState {
  view = $state<DeskView | null>(null);
  failed = $state("");
  /** What the server's clock is ahead of this machine's, in seconds. */
  ahead = $state(0);

  constructor(readonly id: string) {}

  get address(): string {
    return `/api/desks/${encodeURIComponent(this.id)}`;
  }

  async load(): Promise<void> {
    try {
      this.take(await get<DeskView>(this.address));
      this.failed = "";
    } catch (problem) {
      if (!this.view || !(problem instanceof Refused) || problem.status) this.failed = (problem as Error).message;
    }
  }

  /** Writes a record down; the sentence why not, or nothing. */
  async write(record: DeskRecord): Promise<string> {
    if (!this.view) return "";
    try {
      this.take(await post<DeskView>(this.address, { seen: this.view.length, key: newKey(), record }));
      return "";
    } catch (problem) {
      if (problem instanceof Refused && problem.status === 409) await this.load();
      return (problem as Error).message;
    }
  }

  /** Follows it as long as the page is there. */
  follow(): () => void {
    void this.load();
    const unfollow = follow(`${this.address}/live`, (length) => void (this.view?.length !== length && this.load()));
    const often = setInterval(() => document.visibilityState === "visible" && void this.load(), 20_000); // score tables
    return () => {
      unfollow();
      clearInterval(often);
    };
  }

  private take(view: DeskView): void {
    this.view = view;
    if (view.clock) this.ahead = view.clock.now - Date.now() / 1000;
  }
}

/** Seconds left on the clock of a round at a moment of this machine. */
export function secondsLeft(clock: NonNullable<DeskView["clock"]>, now: number, ahead: number): number {
  return clock.running ? Math.max(0, clock.left - (now + ahead - clock.at)) : clock.left;
}

export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
