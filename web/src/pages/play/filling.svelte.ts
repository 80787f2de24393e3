// A quick table fills up: bots take the free seats once nobody has sat down for a while. Everybody's page counts, and
// the match begins when each has said that it is ready.
import type { RoomHead } from "../../lib/types";

/** Milliseconds without a newcomer after which the seats that are free are left to bots. */
export const PATIENCE = 20_000;

export class Filling {
  /** Seconds until bots fill in; null where nobody counts. */
  left = $state<number | null>(null);
  private since = 0;
  private seated = "";
  private timer: ReturnType<typeof setInterval> | undefined;

  /** `onready` says that this seat is ready; returns whether it could be said. */
  constructor(private readonly onready: () => boolean) {}

  /** Looks at who sits there; a newcomer gives everybody new patience, and a full table begins at once. */
  look(head: RoomHead, now = Date.now()): void {
    const seated = head.places.map((place) => place.name).join("\n");
    if (seated !== this.seated) [this.seated, this.since] = [seated, now];
    this.timer ??= setInterval(() => this.beat(), 500);
    this.beat(now, head.free === 0);
  }

  private beat(now = Date.now(), full = false): void {
    const rest = full ? 0 : this.since + PATIENCE - now;
    this.left = Math.max(0, Math.ceil(rest / 1000));
    if (rest <= 0 && this.onready()) this.close();
  }

  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.left = null;
  }
}
