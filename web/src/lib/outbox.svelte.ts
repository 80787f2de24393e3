// What was written to a log of the server and has not been taken by it: first it is put into IndexedDB, then sent.
// Where there is no server it waits, over any restart, and is sent in order; a change that is sent twice is made once
// (`key`).
import { openStore, type Waiting } from "../device/store";
import { fromServerAlone, postAnywhere } from "./api.svelte";

export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Without what a page wraps around it to follow its changes: that cannot be stored. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

let memory = 0; // numbers of what waits in this page alone, where storage is forbidden

/** What waits in this page alone, for the browser did not store it. It outlives the part of the page that wrote it. */
export const unstored = $state<{ list: Waiting[] }>({ list: [] });
/** How much waits in the browser's storage, for all addresses. */
export const storedWaiting = $state({ count: 0 });
/** Keys of what the server took of what had waited for it, by address, since somebody wrote there last. */
const sent = $state<Record<string, string[]>>({});
/**
 * What the server does not take, by address: why not, and its length where others had written. It is asked once,
 * however many want to send it.
 */
const stopped = $state<Record<string, { refused: string; overtaken: number }>>({});
/** Keys of changes that a page sends as they are written: whatever else sends one at that moment, it did not wait. */
export const underWay = new Set<string>();

/** Counts what is stored and waits. */
export async function countWaiting(): Promise<void> {
  try {
    storedWaiting.count = (await (await openStore()).waiting()).length;
  } catch {
    storedWaiting.count = 0;
  }
}

/** Posts what this device can answer too, and keeps it for the server where it was not the server that answered. */
export async function postQueued<T>(address: string, body: Record<string, unknown>): Promise<T> {
  const store = await openStore().catch(() => null);
  const one = await store?.wait({ key: newKey(), address, body: plain(body), base: 0 }).catch(() => null);
  try {
    const { answer, server } = await postAnywhere<T>(address, body);
    if (server && one) await store?.taken(one);
    return answer;
  } catch (problem) {
    if (one) await store?.taken(one); // nobody took it: whoever wrote it sees why, and writes it again
    throw problem;
  }
}

/** What waits for one log, whose view `V` has the log's length. */
export class Outbox<V extends { length: number }> {
  waiting = $state<Waiting[]>([]);
  private sending = false;
  /** What looks into the store or changes it, one after the other: a look does not undo what came after it began. */
  private last: Promise<unknown> = Promise.resolve();

  /** `copied`: the log has a copy on this device, which shows what the server took only once it was made anew. */
  constructor(
    readonly address: string,
    private readonly copied = false,
  ) {}

  /** How many of those that had waited the server has taken. */
  get sent(): number {
    return sent[this.address]?.length ?? 0;
  }

  /** Why the server does not take the first of them, or nothing. */
  get refused(): string {
    return stopped[this.address]?.refused ?? "";
  }

  /** The server's length at which the first was refused because others had written; 0: it was not. */
  get overtaken(): number {
    return stopped[this.address]?.overtaken ?? 0;
  }

  private stop(refused = "", overtaken = 0): void {
    stopped[this.address] = { refused, overtaken };
  }

  /** Whether some of them are in this page alone. */
  get unstored(): boolean {
    return this.waiting.some((one) => one.n < 0);
  }

  /** The length that the server's log had when the first of them was written. */
  get base(): number {
    return this.waiting[0]?.base ?? 0;
  }

  private get held(): Waiting[] {
    return unstored.list.filter((one) => one.address === this.address);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work, work);
    this.last = done;
    return done;
  }

  read = (): Promise<void> =>
    this.inTurn(async () => {
      try {
        const stored = await (await openStore()).waiting(this.address);
        this.waiting = [...stored, ...this.held];
      } catch {
        this.waiting = this.held; // storage is forbidden: what waits is in this page
      }
      void countWaiting();
    });

  add = (body: Record<string, unknown>, base: number): Promise<Waiting> => this.inTurn(() => this.put(body, base));

  private async put(body: Record<string, unknown>, base: number): Promise<Waiting> {
    const one = {
      key: String(body.key),
      address: this.address,
      body: plain(body),
      base: this.waiting.length ? this.base : base,
    };
    if (!this.waiting.length) {
      sent[this.address] = [];
      this.stop();
    }
    let entry: Waiting;
    try {
      entry = await (await openStore()).wait(one);
    } catch {
      entry = { ...one, n: --memory };
      unstored.list.push(entry);
    }
    void countWaiting();
    this.waiting = [...this.waiting, entry];
    return entry;
  }

  /** The server's log has it, and is this long, or it is given up. */
  taken = (one: Waiting, length?: number): Promise<void> =>
    this.inTurn(async () => {
      this.waiting = this.waiting.filter((other) => other.key !== one.key);
      this.stop("", this.waiting.length ? this.overtaken : 0);
      unstored.list = unstored.list.filter((other) => other.key !== one.key);
      if (one.n > 0)
        await openStore()
          .then((store) => store.taken(plain(one), this.copied ? length : undefined))
          .catch(() => undefined);
      void countWaiting();
    });

  /**
   * Sends what waits, in order; the view after it. Where others wrote since, somebody has to look first: then `anyway`
   * adds it behind what they wrote. What was meant for a certain place of the log is given up then.
   */
  async send(view: V, anyway = false): Promise<V> {
    if (this.sending || !this.waiting.length) return view;
    if (!anyway && (this.refused || this.overtaken === view.length)) return view;
    this.sending = true;
    this.stop();
    let seen = anyway ? view.length : this.base;
    try {
      for (let first = this.waiting[0]; first; first = this.waiting[0]) {
        if (anyway && !["add", undefined].includes(first.body.do as string | undefined)) {
          await this.taken(first);
          continue;
        }
        const waited = !underWay.has(first.key);
        const answer = await fromServerAlone("POST", this.address, { ...first.body, seen });
        if (!answer || answer.status >= 500 || answer.status === 429) break; // later
        const reply = JSON.parse(answer.text) as V & { error?: string };
        if (answer.status < 400) {
          view = reply;
          seen = view.length;
          await this.taken(first, seen);
          // what brings it there when the network is back may have sent it at the same time
          if (waited) sent[this.address] = [...new Set([...(sent[this.address] ?? []), first.key])];
        } else if (answer.status === 409) {
          const now = await fromServerAlone("GET", this.address);
          if (now?.status === 200) view = JSON.parse(now.text) as V;
          if (this.waiting.some((one) => one.key === first.key)) this.stop("", view.length);
          break;
        } else {
          this.stop(reply.error ?? String(answer.status));
          break;
        }
      }
    } finally {
      this.sending = false;
    }
    return view;
  }
}
