// What the device keeps between visits, in IndexedDB: logs by their id, the answers given in practice, and what was
// written and has not been answered by a server yet. All pages of this browser share it; whoever writes counts it up,
// so that the others see that they have to read again.

import { createEntries, entryLogs } from "./entries";

/** A log: of the device's own, or with `copy` the server's, read here and written there. */
export interface StoredLog {
  head: [id: string, kind: string, owner: string, title: string, created: number, updated: number, length: number];
  entries: [n: number, at: number, body: Record<string, unknown>][];
  copy?: boolean;
}

/** What a request changed: logs by id (null: deleted), and all answers if there is a new one. */
export interface Changes {
  logs: Record<string, StoredLog | null>;
  answers: unknown[] | null;
}

/** Something written that a server has to take: the body of a POST to `address`. */
export interface Waiting {
  n: number;
  /** The same each time it is sent, so that it is written once. */
  key: string;
  address: string;
  body: Record<string, unknown>;
  /** The length that the log at this address had on the server when the first that waits was written. */
  base: number;
  /** Length of the server's log that has it. It is stored until the copy on this device has it too. */
  taken?: number;
}

/** Other pages wrote in the meantime. */
export class Overtaken extends Error {}

const NAME = "quepu";
const VERSION = 3;
const COUNT = "count";
/** This page, among those of this browser. */
const ME = Math.random();

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
  });
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("IndexedDB"));
  });
}

async function opened() {
  const opening = indexedDB.open(NAME, VERSION);
  opening.onupgradeneeded = () => {
    createEntries(opening.result);
    const there = opening.result.objectStoreNames;
    for (const name of ["logs", "answers", "meta"]) if (!there.contains(name)) opening.result.createObjectStore(name);
    if (!there.contains("waiting"))
      opening.result
        .createObjectStore("waiting", { keyPath: "n", autoIncrement: true })
        .createIndex("address", "address");
  };
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    opening.onblocked = () => reject(new Error("another page holds an older store"));
    done(opening).then(resolve, reject);
  });
  database.onversionchange = () => database.close();
  const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("quepu.store");

  /** Runs `work` in one transaction that changes logs or answers, and counts it up; the new count. */
  async function counted(seen: number | null, work: (transaction: IDBTransaction) => void): Promise<number> {
    const transaction = database.transaction(["logs", "answers", "meta"], "readwrite");
    const end = finished(transaction);
    const meta = transaction.objectStore("meta");
    const now = ((await done(meta.get(COUNT))) as number | undefined) ?? 0;
    if (seen !== null && now !== seen) {
      transaction.abort();
      await end.catch(() => undefined);
      throw new Overtaken();
    }
    meta.put(now + 1, COUNT);
    work(transaction);
    await end;
    channel?.postMessage({ what: "logs", page: ME });
    return now + 1;
  }

  async function notCopied(address?: string): Promise<Waiting[]> {
    const store = database.transaction("waiting").objectStore("waiting");
    const found = address === undefined ? store.getAll() : store.index("address").getAll(address);
    return (await done(found)) as Waiting[];
  }

  return {
    entries: entryLogs(database),

    /** How often logs and answers were written. */
    count: async (): Promise<number> =>
      ((await done(database.transaction("meta").objectStore("meta").get(COUNT))) as number | undefined) ?? 0,

    async load(): Promise<{ logs: StoredLog[]; answers: unknown[]; count: number }> {
      const transaction = database.transaction(["logs", "answers", "meta"]);
      const [logs, answers, count] = await Promise.all([
        done(transaction.objectStore("logs").getAll()),
        done(transaction.objectStore("answers").get("all")),
        done(transaction.objectStore("meta").get(COUNT)),
      ]);
      return {
        logs: logs as StoredLog[],
        answers: (answers as unknown[] | undefined) ?? [],
        count: (count as number | undefined) ?? 0,
      };
    },

    log: async (id: string): Promise<StoredLog | undefined> =>
      (await done(database.transaction("logs").objectStore("logs").get(id))) as StoredLog | undefined,
    logs: async (): Promise<StoredLog[]> =>
      (await done(database.transaction("logs").objectStore("logs").getAll())) as StoredLog[],

    /**
     * Writes what was changed by somebody who had seen `seen` writes; the new count.
     * Throws Overtaken where others wrote since: nothing is written then.
     */
    async write(changes: Changes, seen: number): Promise<number> {
      if (!changes.answers && !Object.keys(changes.logs).length) return seen;
      return counted(seen, (transaction) => {
        const logs = transaction.objectStore("logs");
        for (const [id, log] of Object.entries(changes.logs)) {
          if (log === null) logs.delete(id);
          else logs.put(log, id);
        }
        if (changes.answers) transaction.objectStore("answers").put(changes.answers, "all");
      });
    },

    /** Puts a log in the place of one that had `length` entries (0: of none); whether it did. */
    async replace(log: StoredLog, length: number, also?: StoredLog): Promise<boolean> {
      let fits = true;
      await counted(null, (transaction) => {
        const logs = transaction.objectStore("logs");
        const current = logs.get(log.head[0]);
        current.onsuccess = () => {
          const old = current.result as StoredLog | undefined;
          fits = (old?.entries.length ?? 0) === length;
          if (!fits) return;
          logs.put(log, log.head[0]);
          if (also) logs.put(also, also.head[0]);
        };
      });
      return fits;
    },
    forget: (id: string): Promise<unknown> =>
      counted(null, (transaction) => void transaction.objectStore("logs").delete(id)),

    // ---- what waits for a server

    async wait(one: Omit<Waiting, "n">): Promise<Waiting> {
      const transaction = database.transaction("waiting", "readwrite");
      const end = finished(transaction);
      const n = (await done(transaction.objectStore("waiting").add(one))) as number;
      await end;
      channel?.postMessage({ what: "waiting", page: ME });
      return { ...one, n };
    },
    waiting: async (address?: string): Promise<Waiting[]> => (await notCopied(address)).filter((one) => !one.taken),
    /** What the copies of logs on this device have not: what waits, and what the server took since they were made. */
    notCopied,
    /** It waits no longer. With the length of the server's log that has it now, it stays until the copy has it. */
    async taken(one: Waiting, length?: number): Promise<void> {
      const transaction = database.transaction("waiting", "readwrite");
      const store = transaction.objectStore("waiting");
      if (length === undefined) store.delete(one.n);
      else store.put({ ...one, taken: length });
      await finished(transaction);
      channel?.postMessage({ what: "waiting", page: ME });
    },
    /** Deletes what the server took and the copy of this log has, or what no copy is there for. */
    async copied(id: string, address: string): Promise<void> {
      const transaction = database.transaction(["logs", "waiting"], "readwrite");
      const end = finished(transaction);
      const store = transaction.objectStore("waiting");
      const [log, written] = (await Promise.all([
        done(transaction.objectStore("logs").get(id)),
        done(store.index("address").getAll(address)),
      ])) as [StoredLog | undefined, Waiting[]];
      for (const one of written) if (one.taken && !(log && log.entries.length < one.taken)) store.delete(one.n);
      await end;
    },

    /** Whether this page may send now what waits; for `seconds` no other does. */
    async mayCarry(me: string, seconds: number): Promise<boolean> {
      const transaction = database.transaction("meta", "readwrite");
      const end = finished(transaction);
      const meta = transaction.objectStore("meta");
      const held = (await done(meta.get("carrier"))) as { who: string; until: number } | undefined;
      const free = !held || held.who === me || held.until < Date.now();
      if (free) meta.put({ who: me, until: Date.now() + seconds * 1000 }, "carrier");
      await end;
      return free;
    },
  };
}

export type Store = Awaited<ReturnType<typeof opened>>;
let store: Promise<Store> | null = null;

/** The store of this page; fails where storage is forbidden. */
export function openStore(): Promise<Store> {
  store ??= opened();
  store.catch(() => (store = null));
  return store;
}

/** Calls `changed` whenever another page of this browser wrote logs, or something that waits. */
export function onStore(changed: (what: "logs" | "waiting") => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => undefined;
  const channel = new BroadcastChannel("quepu.store");
  channel.onmessage = ({ data }: MessageEvent<{ what: "logs" | "waiting"; page: number }>) => {
    if (data.page !== ME) changed(data.what);
  };
  return () => channel.close();
}
