// A tournament on this page: what the server has of it, and what is written there.
import { get, post, Refused } from "../../lib/api.svelte";
import type { Waiting } from "../../device/store";
import { follow } from "../../lib/live";
import type { DeskChange, DeskView } from "../../lib/types";
import { newKey, Outbox } from "../../lib/outbox.svelte";
import { standsApart, type DeskRecord } from "./apart";

export type { DeskRecord };
/** What is done to the log: a record added; or one corrected, removed; or the latest change undone. */
export type DeskEntry = Pick<DeskChange, "do" | "of" | "note" | "record">;
/** Writes to the log; whether it was taken. */
export type Write = (record: DeskRecord) => Promise<boolean>;
export type WriteEntry = (entry: DeskEntry) => Promise<boolean>;
export type DeskRound = DeskView["rounds"][number];
export type DeskTable = DeskRound["tables"][number];

export class DeskState {
  view = $state<DeskView | null>(null);
  failed = $state("");
  /** What the server's clock is ahead of this machine's, in seconds. */
  ahead = $state(0);

  /** Whether the only one that waits is on its way, for the first time. */
  sending = $state(false);

  /** What is being written down at this moment. */
  private readonly pressed = new Set<string>();

  /** What was written here and the server has not taken yet. */
  readonly outbox: Outbox<DeskView>;

  constructor(readonly id: string) {
    this.outbox = new Outbox(this.address);
  }

  get address(): string {
    return `/api/desks/${encodeURIComponent(this.id)}`;
  }

  async load(): Promise<void> {
    await this.outbox.read();
    try {
      this.take(await this.outbox.send(await get<DeskView>(this.address)));
      this.failed = "";
    } catch (problem) {
      if (!this.view || !(problem instanceof Refused) || problem.status) this.failed = (problem as Error).message;
    }
  }

  /** Writes a record down; the sentence why not, or nothing. Without a server it waits. */
  async write(record: DeskRecord): Promise<string> {
    return this.change({ record });
  }

  /** The same of a record, of a correction, a removal or an undo. */
  async change(entry: DeskEntry): Promise<string> {
    const text = JSON.stringify(entry);
    if (!this.view || this.pressed.has(text)) return ""; // a finger that presses twice means it once
    this.pressed.add(text);
    try {
      return await this.put(entry);
    } finally {
      this.pressed.delete(text);
    }
  }

  private async put(given: DeskEntry): Promise<string> {
    if (!this.view) return "";
    const others = this.outbox.waiting.length;
    const entry = { key: newKey(), ...given };
    const one = await this.outbox.add(entry, this.view.length);
    if (others) return this.load().then(() => "");
    this.sending = true;
    try {
      return await this.post(entry, one);
    } finally {
      this.sending = false;
    }
  }

  private async post(entry: DeskEntry & { key: string }, one: Waiting): Promise<string> {
    for (let left = TRIES; ; left--) {
      const seen = this.view;
      if (!seen) return "";
      try {
        this.take(await post<DeskView>(this.address, { ...entry, seen: seen.length }));
        await this.outbox.taken(one);
        return "";
      } catch (problem) {
        if (problem instanceof Refused && problem.status === 0) return "";
        const overtaken = problem instanceof Refused && problem.status === 409;
        if (overtaken && left) {
          const now = await get<DeskView>(this.address).catch(() => null);
          if (now) this.take(now);
          if (now && !entry.do && entry.record && standsApart(entry.record, seen, now)) continue;
        }
        await this.outbox.taken(one);
        if (overtaken) await this.load();
        return (problem as Error).message;
      }
    }
  }

  /** Adds what waits behind what others wrote. */
  async append(): Promise<void> {
    if (this.view) this.take(await this.outbox.send(this.view, true));
  }

  async drop(): Promise<void> {
    const first = this.outbox.waiting[0];
    if (first) await this.outbox.taken(first);
    await this.load();
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

/** How often a record is sent again because others wrote something else first. */
const TRIES = 5;

/** Seconds left on the clock of a round at a moment of this machine. */
export function secondsLeft(clock: NonNullable<DeskView["clock"]>, now: number, ahead: number): number {
  return clock.running ? Math.max(0, clock.left - (now + ahead - clock.at)) : clock.left;
}

export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
