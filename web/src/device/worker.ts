// The routes of quepu in this browser: Python (Pyodide) in a worker of its own, so that thinking never blocks the page.
// What it keeps (score tables, practice answers) is written to IndexedDB after each request that changed something. Other
// pages have workers of their own: what one wrote the others read before they answer, and nobody writes over it.
import { CACHE, compiledAddress, PLACE, type Bundle } from "./bundle";
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

interface Python {
  FS: { readFile(path: string): Uint8Array<ArrayBuffer> };
  unpackArchive(data: ArrayBuffer, format: string, more: { extractDir: string }): void;
  runPythonAsync(code: string): Promise<unknown>;
  globals: { get(name: string): (...given: unknown[]) => Promise<unknown> };
}

const PACKED_AFTER = 4000; // milliseconds after the first answer
const COMPILED = "/compiled.zip";
const START = `
import json
from quepu.server.device import compiled

compiled.use(compiled.library())

from quepu.server.device.app import Device, without_threads

without_threads()

def begin(storage):
    global _device
    _device = Device(storage)

def lines(send):
    from quepu.server.device.lines import Lines

    return Lines(_device.rooms(), send)

async def taken(room):
    await _device.rooms().taken(room)

async def request(method, address, headers, body):
    status, sent, answer = await _device.request(method, address, json.loads(headers), body.encode())
    return json.dumps([status, sent.get("content-type", ""), answer.decode()])

async def ahead(id, changes, method, address, headers, body):
    status, sent, answer = await _device.ahead(
        id, json.loads(changes), method, address, json.loads(headers), body.encode()
    )
    return json.dumps([status, sent.get("content-type", ""), answer.decode()])

def changes():
    return _device.changes()

def put_back(text):
    _device.put_back(text)

async def pack():
    return await compiled.pack(compiled.library(), "${COMPILED}")
`;

const fetched = async (name: string): Promise<ArrayBuffer> => {
  const response = await fetch(PLACE + name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
};

/** Python's own library with what was compiled at an earlier start, if this browser has it and gives it by its address. */
async function compiledBefore(bundle: Bundle): Promise<string | undefined> {
  try {
    const address = compiledAddress(bundle);
    const there = await (await caches.open(CACHE)).match(address);
    if (!there) return undefined;
    const given = await fetch(address);
    return given.ok && (await given.blob()).size === (await there.blob()).size ? address : undefined;
  } catch {
    return undefined; // no caches here
  }
}

/** Keeps what has been compiled by now for the next start. */
async function storeCompiled({ python, bundle }: Started): Promise<void> {
  try {
    const cache = await caches.open(CACHE);
    if (await python.globals.get("pack")())
      await cache.put(compiledAddress(bundle), new Response(python.FS.readFile(COMPILED)));
  } catch {
    // no caches here, or they are full
  }
}

interface Started {
  python: Python;
  store: Store;
  bundle: Bundle;
}

async function startWith(bundle: Bundle, compiled?: string): Promise<Started> {
  const folder = PLACE + bundle.pyodide;
  const wasm = await fetch(`${folder}pyodide.asm.wasm`); // where it is missing, Pyodide waits for it without end
  if (!wasm.ok) throw new Error(`pyodide.asm.wasm: ${wasm.status}`);
  await wasm.body?.cancel();
  const address = `${folder}pyodide.mjs`;
  const { loadPyodide } = (await import(/* @vite-ignore */ address)) as {
    loadPyodide: (options: { indexURL: string; stdLibURL?: string }) => Promise<Python>;
  };
  const [python, libraries, own, store] = await Promise.all([
    loadPyodide({ indexURL: folder, ...(compiled ? { stdLibURL: compiled } : {}) }),
    fetched(bundle.libraries),
    fetched(bundle.quepu),
    openStore(),
  ]);
  for (const archive of [libraries, own])
    python.unpackArchive(archive, "zip", { extractDir: "/lib/python3.14/site-packages" });
  await python.runPythonAsync(START);
  await python.globals.get("begin")(store.entries);
  return { python, store, bundle };
}

async function start(): Promise<Started> {
  const bundle = (await (await fetch(`${PLACE}bundle.json`)).json()) as Bundle;
  const compiled = await compiledBefore(bundle);
  try {
    return await startWith(bundle, compiled);
  } catch (problem) {
    if (!compiled) throw problem;
    await (await caches.open(CACHE)).delete(compiled); // it may be what cannot be read
    return startWith(bundle);
  }
}

const ready = start();
let packing: ReturnType<typeof setTimeout> | undefined;
let last: Promise<unknown> = ready; // one request after the other, so that what it changed is written with it

/** How many writes of the store Python has seen. */
let seen = -1;

async function handled(python: Python, store: Store, one: DeviceRequest): Promise<unknown> {
  if ((await store.count()) !== seen) {
    const { count, ...stored } = await store.load();
    await python.globals.get("put_back")(JSON.stringify(stored));
    seen = count;
  }
  const given = [one.method, one.address, JSON.stringify(one.headers), one.body];
  if (one.ahead) return python.globals.get("ahead")(one.ahead.id, JSON.stringify(one.ahead.changes), ...given);
  const text = await python.globals.get("request")(...given);
  const changes = JSON.parse((await python.globals.get("changes")()) as unknown as string) as Changes;
  seen = await store.write(changes, seen);
  return text;
}

async function answer(one: DeviceRequest): Promise<void> {
  try {
    const { python, store } = await ready;
    let text: unknown;
    for (let left = 5; text === undefined; left--) {
      try {
        text = await handled(python, store, one);
      } catch (problem) {
        seen = -1; // what Python made of it stands nowhere: it reads again
        if (!(problem instanceof Overtaken) || !left) throw problem;
      }
    }
    const [status, type, body] = JSON.parse(text as string) as [number, string, string];
    postMessage({ number: one.number, status, type, body });
    packing ??= setTimeout(() => void ready.then(storeCompiled), PACKED_AFTER);
  } catch (problem) {
    postMessage({ number: one.number, failed: String(problem) });
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
