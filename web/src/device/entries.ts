// Logs that are written entry by entry (matches played here): a head each, and its entries under [id, number]. An entry
// is written once: where a log has another length than its writer thinks, nothing is written. Python calls these, see
// `Storage` in quepu.server.device.stored_logs: everything is JSON, or "" for nothing.

type Head = [id: string, kind: string, owner: string, title: string, created: number, updated: number, length: number];

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
  });
const finished = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("IndexedDB"));
  });
const ENTRIES = ["heads", "entries"];
const entriesOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id], [id, []]);

/** The stores that these logs are in. */
export function createEntries(database: IDBDatabase): void {
  for (const name of ENTRIES) if (!database.objectStoreNames.contains(name)) database.createObjectStore(name);
}

export const entryLogs = (database: IDBDatabase) => ({
  async write(text: string): Promise<boolean> {
    const { head, seen, entries } = JSON.parse(text) as { head: Head; seen: number; entries: [number, ...unknown[]][] };
    const transaction = database.transaction(ENTRIES, "readwrite");
    const end = finished(transaction);
    const heads = transaction.objectStore("heads");
    const old = (await done(heads.get(head[0]))) as Head | undefined;
    if ((old?.[6] ?? 0) !== seen) {
      await end;
      return false;
    }
    heads.put(head, head[0]);
    for (const entry of entries) transaction.objectStore("entries").add(entry, [head[0], entry[0]]);
    await end;
    return true;
  },
  async read(id: string): Promise<string> {
    const transaction = database.transaction(ENTRIES);
    const [head, entries] = await Promise.all([
      done(transaction.objectStore("heads").get(id)),
      done(transaction.objectStore("entries").getAll(entriesOf(id))),
    ]);
    return head === undefined ? "" : JSON.stringify({ head: head as Head, entries: entries as unknown[] });
  },
  async heads(kind: string): Promise<string> {
    const all = (await done(database.transaction("heads").objectStore("heads").getAll())) as Head[];
    return JSON.stringify(all.filter((head) => head[1] === kind));
  },
  async delete(id: string): Promise<void> {
    const transaction = database.transaction(ENTRIES, "readwrite");
    const end = finished(transaction);
    transaction.objectStore("heads").delete(id);
    transaction.objectStore("entries").delete(entriesOf(id));
    await end;
  },
});
export type EntryLogs = ReturnType<typeof entryLogs>;
