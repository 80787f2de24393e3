// The log of one table as a page has it: read, followed, and written to, on the server or on this device.
import { storeCopy } from "../../device/copies";
import { tableHere } from "../../device/device";
import { onStore, type Waiting } from "../../device/store";
import { getAnywhere, post, postAnywhere, Refused } from "../../lib/api.svelte";
import { follow } from "../../lib/live";
import { newKey, Outbox, underWay } from "../../lib/outbox.svelte";
import { say, t } from "../../lib/prefs.svelte";
import type { TableView } from "../../lib/types";
import { join } from "./joined";

const OFTEN = 4_000; // milliseconds between two looks for the server while changes wait

export class FollowedTable {
  view = $state<TableView | null>(null);
  failed = $state("");
  /** What has to be said after what was just written down; null where nothing was. */
  news = $state<string | null>(null);
  /** Whether the only one that waits is on its way, for the first time. */
  sending = $state(false);
  /** How many of those that wait the table on the page has already: this device worked it out. */
  ahead = $state(0);
  readonly outbox: Outbox<TableView>;
  private readonly address: string;
  /** The length of the log where it stands: on the server, or on this device, if it was opened here. */
  private served = 0;
  private reading: Promise<void> | null = null;
  private next: Promise<void> | null = null;

  constructor(readonly id: string) {
    this.address = `/api/tables/${encodeURIComponent(id)}`;
    this.outbox = new Outbox<TableView>(this.address, true);
  }

  /**
   * Reads the table anew. While that goes on, one more reading follows it, however many ask: a slow device that was
   * asked each time would be behind for ever.
   */
  load = (): Promise<void> => {
    if (!this.reading) return (this.reading = this.read().finally(() => (this.reading = null)));
    const again = (): Promise<void> => {
      this.next = null;
      return this.load();
    };
    return (this.next ??= this.reading.then(again, again));
  };

  private async read(): Promise<void> {
    await this.outbox.read();
    const [waiting, before] = [this.outbox.waiting.length, this.served];
    try {
      const { answer, server } = await getAnywhere<TableView>(this.address);
      this.failed = "";
      join({ id: this.id, title: answer.title, names: answer.names });
      // what was on its way while a change was taken is old; without that change, a server was put back to a backup
      if (server && answer.length < this.served && this.served !== before) return await this.read();
      if (server) await this.take(await this.outbox.send(answer));
      else if (!this.view || answer.length >= this.served + waiting) {
        // a copy that is behind what the server showed last would take hands away from the page
        this.view = answer;
        this.ahead = waiting;
        if (!waiting) this.served = answer.length;
      }
    } catch (problem) {
      const { status, key, message } = problem as Refused;
      const wrong = key ? this.outbox.waiting.find((one) => one.key === key) : undefined;
      if (wrong) {
        await this.outbox.taken(wrong); // this device knows already that it cannot be
        await this.read();
        this.failed = message;
      } else if (!this.view || status) this.failed = message; // what is on the page stays where the network is gone
    }
  }

  /** Shows the table as the server has it. */
  private async take(view: TableView): Promise<void> {
    this.view = view;
    this.served = view.length;
    this.ahead = 0;
    if (!view.readonly) await storeCopy(this.id, view.length);
  }

  /** Loads the table, and again whenever it may have changed; what ends that. */
  follow(): () => void {
    void this.load();
    const again = (): void => void (document.visibilityState === "visible" && this.load());
    document.addEventListener("visibilitychange", again);
    addEventListener("online", again);
    const often = setInterval(() => this.outbox.waiting.length && again(), OFTEN);
    const deaf = onStore(again); // other pages of this browser
    const unfollow = follow(`${this.address}/live`, (length) => void (this.served !== length && this.load()));
    return () => {
      unfollow();
      deaf();
      clearInterval(often);
      document.removeEventListener("visibilitychange", again);
      removeEventListener("online", again);
    };
  }

  /** Adds what waits behind what others wrote meanwhile. */
  append = async (): Promise<void> => {
    if (this.view) await this.take(await this.outbox.send(this.view, true));
  };

  /** Gives up a change that waits. */
  drop = async (one: Waiting): Promise<void> => {
    await this.outbox.taken(one);
    await this.load();
  };

  /** Writes one change down; why it cannot be, or null. */
  change = async (body: Record<string, unknown>): Promise<string | null> => {
    if (!this.view) return null;
    const entry = { ...body, key: newKey() };
    try {
      if ((await tableHere(this.address)) === "here") {
        this.view = await post<TableView>(this.address, { ...entry, seen: this.served });
        this.served = this.view.length;
        this.news = this.view.news.map(say).join(" ");
        return null;
      }
    } catch (problem) {
      if ((problem as Refused).status === 409) await this.load();
      return (problem as Error).message;
    }
    const one = await this.outbox.add(entry, this.served); // before it is sent: nothing that was pressed is lost
    const others = this.outbox.waiting.length > 1;
    const later = async (): Promise<string | null> => {
      this.news = null;
      await this.load();
      if (this.ahead && this.view) this.news = this.view.news.map(say).join(" ");
      if (this.ahead || body.do === "add" || !this.outbox.waiting.some((other) => other.key === entry.key)) return null;
      await this.outbox.taken(one); // without the table nobody sees what it would change
      return t("连不上服务器。", "The server cannot be reached.");
    };
    if (others) return later();
    this.sending = true;
    underWay.add(entry.key);
    try {
      const { answer } = await postAnywhere<TableView>(this.address, { ...entry, seen: this.served });
      await this.outbox.taken(one, answer.length);
      this.news = answer.news.map(say).join(" ");
      this.view = answer;
      this.served = answer.length;
      this.ahead = 0;
      void storeCopy(this.id, answer.length);
      return null;
    } catch (problem) {
      const { status, message } = problem as Refused;
      this.sending = false;
      underWay.delete(entry.key);
      if (status === 0) return later();
      await this.outbox.taken(one);
      if (status === 409) await this.load();
      return message;
    } finally {
      this.sending = false;
      underWay.delete(entry.key);
    }
  };
}
