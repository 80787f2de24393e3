// The routes of quepu in this browser: Python (Pyodide) in a worker of its own, so that thinking never blocks the page.
// What it keeps (score tables, practice answers) is written to IndexedDB after each request that changed something.
import { openStore, type Changes } from "./store";

interface Bundle {
  pyodide: string;
  libraries: string;
  quepu: string;
}

interface Asked {
  number: number;
  method: string;
  address: string;
  headers: Record<string, string>;
  body: string;
}

interface Python {
  FS: unknown;
  unpackArchive(data: ArrayBuffer, format: string, more: { extractDir: string }): void;
  runPythonAsync(code: string): Promise<unknown>;
  globals: { get(name: string): (...given: unknown[]) => Promise<unknown> };
}

const PLACE = "/device/";
const START = `
import json, sys
from quepu.server.device.app import Device, without_threads

without_threads()
_device = Device()

async def request(method, address, headers, body):
    status, sent, answer = await _device.request(method, address, json.loads(headers), body.encode())
    return json.dumps([status, sent.get("content-type", ""), answer.decode()])

def changes():
    return _device.changes()

def put_back(text):
    _device.put_back(text)
`;

const fetched = async (name: string): Promise<ArrayBuffer> => {
  const response = await fetch(PLACE + name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
};

async function start(): Promise<{ python: Python; store: Awaited<ReturnType<typeof openStore>> }> {
  const bundle = (await (await fetch(`${PLACE}bundle.json`)).json()) as Bundle;
  const folder = PLACE + bundle.pyodide;
  const address = `${folder}pyodide.mjs`;
  const { loadPyodide } = (await import(/* @vite-ignore */ address)) as {
    loadPyodide: (options: { indexURL: string }) => Promise<Python>;
  };
  const [python, libraries, own, store] = await Promise.all([
    loadPyodide({ indexURL: folder }),
    fetched(bundle.libraries),
    fetched(bundle.quepu),
    openStore(),
  ]);
  for (const archive of [libraries, own])
    python.unpackArchive(archive, "zip", { extractDir: "/lib/python3.14/site-packages" });
  await python.runPythonAsync(START);
  await python.globals.get("put_back")(JSON.stringify(await store.load()));
  return { python, store };
}

const ready = start();
let last: Promise<unknown> = ready; // one request after the other, so that what it changed is written with it

async function answer(asked: Asked): Promise<void> {
  try {
    const { python, store } = await ready;
    const text = await python.globals.get("request")(
      asked.method,
      asked.address,
      JSON.stringify(asked.headers),
      asked.body,
    );
    const changes = JSON.parse((await python.globals.get("changes")()) as unknown as string) as Changes;
    await store.write(changes);
    const [status, type, body] = JSON.parse(text as string) as [number, string, string];
    postMessage({ number: asked.number, status, type, body });
  } catch (problem) {
    postMessage({ number: asked.number, failed: String(problem) });
  }
}

addEventListener("message", (event: MessageEvent<Asked>) => {
  last = last.then(
    () => answer(event.data),
    () => answer(event.data),
  );
});
ready.then(
  () => postMessage({ ready: true }),
  (problem: unknown) => postMessage({ ready: false, failed: String(problem) }),
);
