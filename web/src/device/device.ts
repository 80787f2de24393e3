// Asks the worker that answers in this browser. It is started by the first question put to it, or ahead of need.
import { openStore } from "./store";

export interface Answer {
  status: number;
  type: string;
  body: string;
}

interface Message {
  number?: number;
  ready?: boolean;
  failed?: string;
  status?: number;
  type?: string;
  body?: string;
}

/** What it can answer; everything else needs other people or their records. */
const OWN = /^\/api\/(house|hand|tiles|score|waits|circumstances|books|questions|diff|pay|practice|tables|clubs)\b/;

/** One score table; what stands there for other tables is no table's id. */
const TABLE = /^\/api\/tables\/([^/?]+)/;

let store: ReturnType<typeof openStore> | null = null;
let worker: Worker | null = null;
let number = 0;
const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (problem: Error) => void }>();

export const answers = (address: string): boolean => OWN.test(address);

/** Whether it is about one score table, and whether that is here; a table stays where it was opened. */
export async function tableHere(address: string): Promise<"here" | "elsewhere" | "none"> {
  const id = TABLE.exec(address)?.[1];
  if (id === undefined || id === "import") return "none";
  return (await keeps(decodeURIComponent(id))) ? "here" : "elsewhere";
}

/** Whether this browser keeps the log of this id, or any. */
export async function keeps(id?: string): Promise<boolean> {
  try {
    store ??= openStore();
    return await (await store).has(id);
  } catch {
    store = null; // storage may be forbidden: then nothing was kept here
    return false;
  }
}

export function startDevice(): void {
  if (worker || typeof Worker === "undefined") return;
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = (event: MessageEvent<Message>) => {
    const { number: which, failed, ready } = event.data;
    if (ready === false) return stop(failed ?? "");
    if (which === undefined) return;
    const one = waiting.get(which);
    waiting.delete(which);
    if (failed !== undefined) one?.reject(new Error(failed));
    else one?.resolve(event.data as Answer);
  };
  worker.onerror = (event) => stop(event.message);
}

function stop(why: string): void {
  worker?.terminate();
  worker = null;
  for (const one of waiting.values()) one.reject(new Error(why));
  waiting.clear();
}

export function askDevice(
  method: string,
  address: string,
  headers: Record<string, string>,
  body: string,
): Promise<Answer> {
  startDevice();
  return new Promise((resolve, reject) => {
    if (!worker) return reject(new Error("no workers here"));
    waiting.set(++number, { resolve, reject });
    worker.postMessage({ number, method, address, headers, body });
  });
}

/** Fetch what the worker needs into the service worker's keeping, once, unless the user saves data; drop what is old. */
export async function keepDevice(): Promise<void> {
  const line = (navigator as { connection?: { saveData?: boolean } }).connection;
  if (line?.saveData) return;
  try {
    const bundle = (await (await fetch("/device/bundle.json")).json()) as { files: Record<string, number> };
    const wanted = Object.keys(bundle.files).map((name) => `/device/${name}`);
    for (const address of wanted) if (!(await caches.match(address))) await fetch(address);
    const kept = await caches.open("device");
    for (const address of wanted) if (!(await kept.match(address))) return; // another start will have all of it
    for (const { url } of await kept.keys()) {
      const address = new URL(url).pathname;
      if (address !== "/device/bundle.json" && !wanted.includes(address)) await kept.delete(url);
    }
  } catch {
    // no network, or built without it: there will be another start
  }
}
