// What the device keeps between visits, in IndexedDB: logs by their id, and the answers given in practice.

/** What a request changed: logs by id (null: deleted), and all answers if there is a new one. */
export interface Changes {
  logs: Record<string, unknown>;
  answers: unknown[] | null;
}

const NAME = "quepu";

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

export async function openStore() {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore("logs");
    opening.result.createObjectStore("answers");
  };
  const database = await done(opening);
  return {
    async load(): Promise<{ logs: unknown[]; answers: unknown[] }> {
      const transaction = database.transaction(["logs", "answers"]);
      const [logs, answers] = await Promise.all([
        done(transaction.objectStore("logs").getAll()),
        done(transaction.objectStore("answers").get("all")),
      ]);
      return { logs: logs as unknown[], answers: (answers as unknown[] | undefined) ?? [] };
    },
    /** Whether there is a log of this id, or any. */
    async has(id?: string): Promise<boolean> {
      return (await done(database.transaction("logs").objectStore("logs").count(id))) > 0;
    },
    async write(changes: Changes): Promise<void> {
      if (!changes.answers && !Object.keys(changes.logs).length) return;
      const transaction = database.transaction(["logs", "answers"], "readwrite");
      const logs = transaction.objectStore("logs");
      for (const [id, log] of Object.entries(changes.logs)) {
        if (log === null) logs.delete(id);
        else logs.put(log, id);
      }
      if (changes.answers) transaction.objectStore("answers").put(changes.answers, "all");
      await finished(transaction);
    },
  };
}
