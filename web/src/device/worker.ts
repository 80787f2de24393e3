// The routes of quepu in this browser: Python (Pyodide) in a worker of its own, so that thinking never blocks the page.
// What it keeps (score tables, practice answers) is written to IndexedDB after each request that changed something.
// Where the browser stores nothing, it lasts as long as this worker, and each answer says so (`held`).
// Other pages have workers of their own: what one wrote the others read before they answer, and nobody writes over it.
import type { Python } from "../../device/python.mjs";
import { CACHE, snapshotAddress } from "./bundle";
import { readBundle, startRecorded } from "./python";
import { openStore, Overtaken, type Changes, type Store } from "./store";

interface DeviceRequest {
  number: number;
  method: string;
  address: string;
  headers: Record<string, string>;
  body: string;
  /** The copy of a server's table that it is about, and what was written there that the server has not taken yet. */
  ahead?: { id: string; changes: unknown[] };
}

/** About a line to a room: it is opened with its first message, it is sent something, it is closed. */
type OfLine =
  { line: number; room: string; hello: string } | { line: number; text: string } | { line: number; close: true };

interface Lines {
  open(line: number, room: string, hello: string): Promise<void>;
  hear(line: number, text: string): Promise<void>;
  close(line: number): Promise<void>;
}

const IDLE = 4000; // milliseconds after an answer

/** What was changed could not be written: it is as if it had not been. */
class NotStored extends Error {}

interface Started {
  python: Python;
  /** Null: the browser stores nothing for this page. */
  store: Store | null;
  /** Whether it came out of a snapshot, and what throws that away. */
  snapshot: boolean;
  forget: () => Promise<unknown>;
}

async function start(): Promise<Started> {
  const bundle = await readBundle();
  const [{ python, snapshot }, store] = await Promise.all([startRecorded(bundle), openStore().catch(() => null)]);
  await python.globals.get("begin")(store?.entries);
  const forget = async () => (await caches.open(CACHE)).delete(snapshotAddress(bundle));
  return { python, store, snapshot, forget };
}

const ready = start();
let idle: ReturnType<typeof setTimeout> | undefined;
let recorded = false;
let last: Promise<unknown> = ready; // one request after the other, so that what it changed is written with it

/** How many writes of the store Python has seen. */
let seen = -1;

interface Handled {
  text: unknown;
  held?: Changes["logs"];
}

async function handled(python: Python, store: Store | null, one: DeviceRequest): Promise<Handled> {
  if (store && (await store.count()) !== seen) {
    const { count, ...stored } = await store.load();
    await python.globals.get("put_back")(JSON.stringify(stored));
    seen = count;
  }
  const given = [one.method, one.address, JSON.stringify(one.headers), one.body];
  if (one.ahead)
    return { text: await python.globals.get("ahead")(one.ahead.id, JSON.stringify(one.ahead.changes), ...given) };
  const text = await python.globals.get("request")(...given);
  const changes = JSON.parse((await python.globals.get("changes")()) as unknown as string) as Changes;
  if (!store) return { text, held: changes.logs };
  try {
    seen = await store.write(changes, seen);
  } catch (problem) {
    if (problem instanceof Overtaken) throw problem;
    throw new NotStored(String(problem)); // no room, as a rule
  }
  return { text };
}

/** Once this has had nothing to do for a while, and came out of no snapshot, has the page make one. */
function rest(snapshot: boolean): void {
  clearTimeout(idle);
  if (snapshot || recorded) return;
  idle = setTimeout(() => {
    recorded = true;
    postMessage({ unrecorded: true });
  }, IDLE);
}

async function answer(one: DeviceRequest): Promise<void> {
  let began: Started | undefined;
  try {
    began = await ready;
    const { python, store } = began;
    let done: Handled | undefined;
    for (let left = 5; done === undefined; left--) {
      try {
        done = await handled(python, store, one);
      } catch (problem) {
        seen = -1; // what Python made of it stands nowhere: it reads again
        if (!(problem instanceof Overtaken) || !left) throw problem;
      }
    }
    const [status, type, body] = JSON.parse(done.text as string) as [number, string, string];
    postMessage({ number: one.number, status, type, body, ...(done.held ? { held: done.held } : {}) });
    rest(began.snapshot);
  } catch (problem) {
    const unstored = problem instanceof NotStored;
    postMessage({ number: one.number, failed: String(problem), unstored });
    // an error of Python's own may be the memory's: the next start has none of it
    if (began?.snapshot && !unstored && !(problem instanceof Overtaken)) await began.forget().catch(() => false);
  }
}

// ---- lines to the rooms that are played here

const others = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("quepu.rooms");
let linesOf: Promise<Lines> | null = null;
let lineWork: Promise<unknown> = ready;

async function toLines(one: OfLine): Promise<void> {
  try {
    const { python } = await ready;
    linesOf ??= python.globals.get("lines")((line: number, text: string, code: number) =>
      postMessage({ line, text, code }),
    ) as Promise<Lines>;
    const lines = await linesOf;
    if ("room" in one) {
      others?.postMessage(one.room); // another page that has this table leaves it to this one
      await lines.open(one.line, one.room, one.hello);
    } else if ("text" in one) await lines.hear(one.line, one.text);
    else await lines.close(one.line);
  } catch (problem) {
    postMessage({ line: one.line, text: "", code: 1011 });
    console.error(problem);
  }
}

if (others)
  others.onmessage = (event: MessageEvent<string>) => {
    if (linesOf) void ready.then(({ python }) => python.globals.get("taken")(event.data));
  };

addEventListener("message", (event: MessageEvent<DeviceRequest | OfLine>) => {
  const one = event.data;
  if ("line" in one) lineWork = lineWork.then(() => toLines(one));
  else
    last = last.then(
      () => answer(one),
      () => answer(one),
    );
});
ready.then(
  () => postMessage({ ready: true }),
  (problem: unknown) => postMessage({ ready: false, failed: String(problem) }),
);
