// Copies of the server's tables on this device, so that it can go on with them, and the way back: tables that were
// opened without a server go to it when it is there, and what waits for it is sent. Logs merge by their length: where
// one is the beginning of the other, the longer one holds; where neither is, both stay, as two tables.
import { fromServerAlone, network } from "../lib/api.svelte";
import { newKey, Outbox, unstored } from "../lib/outbox.svelte";
import { who } from "../lib/who";
import type { CarriedTable, TableHead, TableLog, TableView } from "../lib/types";
import { heldLogs, tableOf } from "./device";
import { openStore, type StoredLog, type Waiting } from "./store";

const address = (id: string): string => `/api/tables/${encodeURIComponent(id)}`;
const COPIES = 40;

function stored(log: TableLog): StoredLog {
  return {
    head: [log.id, "table", log.mine ? who() : "", log.title, log.created, log.updated, log.length],
    entries: log.entries.map(({ n, at, body }) => [n, at, body]),
    copy: true,
  };
}

/** Makes the copy of a server's table as long as the server's log, which is `length` now. */
export async function storeCopy(id: string, length: number): Promise<void> {
  try {
    const store = await openStore();
    const old = await store.log(id);
    if (old && !old.copy) return;
    if (old?.entries.length !== length) {
      const answer = await fromServerAlone("GET", `${address(id)}/log`);
      if (answer?.status === 200)
        await store.replace(stored(JSON.parse(answer.text) as TableLog), old?.entries.length ?? 0);
    }
    await store.copied(id, address(id));
  } catch {
    // without storage there are no copies
  }
}

/** The ids of the tables that were opened here and have not gone to a server. */
export async function openedHere(): Promise<Set<string>> {
  try {
    return new Set((await (await openStore()).logs()).filter((log) => !log.copy).map((log) => log.head[0]));
  } catch {
    return new Set(heldLogs.keys());
  }
}

export async function forgetCopy(id: string): Promise<void> {
  try {
    const store = await openStore();
    if ((await store.log(id))?.copy) await store.forget(id);
    await store.copied(id, address(id));
  } catch {
    // without storage there are no copies
  }
}

/** Keeps copies of the latest of these tables (all that this browser has), where they are older than the list. */
export async function storeCopies(tables: TableHead[]): Promise<void> {
  try {
    const store = await openStore();
    if (tables.length < 200)
      for (const { head, copy } of await store.logs())
        if (copy && head[2] === who() && !tables.some((one) => one.id === head[0])) await store.forget(head[0]);
    for (const { id, updated } of tables.slice(0, COPIES)) {
      const old = await store.log(id);
      if (!old || (old.copy && old.head[5] !== updated)) await storeCopy(id, -1);
    }
  } catch {
    // without storage there are no copies
  }
}

function carried(log: StoredLog): CarriedTable {
  const [first, ...rest] = log.entries;
  return {
    who: log.head[2] || who(),
    spec: first?.[2].spec,
    entries: rest.map(([, , body]) => {
      const { came_to: _, ...entry } = body;
      return entry;
    }),
  } as unknown as CarriedTable;
}

/** Gives the server the tables that this page alone has; what is written to one meanwhile is for the next time. */
async function carryHeld(): Promise<void> {
  for (const [id, log] of heldLogs) {
    const answer = await fromServerAlone("PUT", `${address(id)}/log`, carried(log));
    if (answer !== null && answer.status < 400 && heldLogs.get(id) === log) heldLogs.delete(id);
  }
  network.held = heldLogs.size;
}

/** Gives the server a table that was opened here; whether it has it now. */
async function carry(log: StoredLog): Promise<boolean> {
  const [id, , owner, title] = log.head;
  const [first, ...rest] = log.entries;
  const answer = await fromServerAlone("PUT", `${address(id)}/log`, carried(log));
  if (answer === null || (answer.status >= 400 && answer.status !== 409)) return false;
  const now = await fromServerAlone("GET", `${address(id)}/log`);
  if (now?.status !== 200) return false;
  const theirs = stored(JSON.parse(now.text) as TableLog);
  const store = await openStore();
  if (answer.status !== 409) return store.replace(theirs, log.entries.length);
  if (theirs.head[2] !== who()) return false; // the id is somebody else's: it stays here
  const keys = (log: StoredLog): unknown[] => log.entries.slice(1).map(([, , body]) => body.key);
  const [ours, others] = [keys(log), keys(theirs)];
  const common = Math.min(ours.length, others.length);
  if (ours.slice(0, common).every((key, i) => key === others[i])) return false; // another page did so at once: again
  // others wrote there, and this device too: two versions, each a table of its own
  const other = newKey().slice(0, 12);
  const name = `${title} 2`.slice(0, 60);
  const spec = { ...(first?.[2].spec as object), title: name };
  const mine: StoredLog = {
    head: [other, "table", owner, name, ...(log.head.slice(4) as [number, number, number])],
    entries: [[0, first?.[1] ?? 0, { ...first?.[2], spec }], ...rest],
  };
  return store.replace(theirs, log.entries.length, mine);
}

/** Sends what waits for these tables, and has their copies show it. */
async function sendTo(tables: Set<string>): Promise<void> {
  for (const table of tables) {
    const outbox = new Outbox<TableView>(table, true);
    await outbox.read();
    const now = await fromServerAlone("GET", table);
    if (now?.status === 200)
      await storeCopy(tableOf(table), (await outbox.send(JSON.parse(now.text) as TableView)).length);
    else if (now?.status === 404) await forgetCopy(tableOf(table));
  }
}
const tablesOf = (waiting: Waiting[]): Set<string> =>
  new Set(waiting.map((one) => one.address).filter((one) => one.startsWith("/api/tables/")));

async function sendAnswer(one: Waiting): Promise<void> {
  const answer = await fromServerAlone("POST", one.address, one.body);
  if (answer && answer.status < 500 && answer.status !== 429) await (await openStore()).taken(one);
}

const me = newKey();
let carrying = false;

/** Brings the server what this device has written without it, unless another page does so now. */
export async function carryAll(): Promise<void> {
  if (carrying) return;
  carrying = true;
  try {
    await carryHeld();
    await sendTo(tablesOf(unstored.list));
    const store = await openStore();
    const waiting = await store.notCopied();
    const own = (await store.logs()).filter((log) => !log.copy && log.head[1] === "table");
    if ((!waiting.length && !own.length) || !(await store.mayCarry(me, 30))) return;
    for (const log of own) if (!(await carry(log))) break;
    for (const one of waiting.filter((one) => one.address === "/api/practice/answer")) await sendAnswer(one);
    await sendTo(tablesOf(waiting));
  } catch {
    // there will be another time
  } finally {
    carrying = false;
  }
}
