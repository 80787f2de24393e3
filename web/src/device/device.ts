// Asks the worker that answers in this browser. It is started by the first question put to it, or ahead of need.
import { CACHE, snapshotAddress, PLACE, type Bundle } from "./bundle";
import { isHere, matchOf } from "./here";
import { openStore, type StoredLog } from "./store";

export interface Answer {
  status: number;
  type: string;
  body: string;
  /** The browser stores nothing: what was changed is in this page alone. */
  held?: Record<string, StoredLog | null>;
}

/** The browser would not store what was written: it is as if it had not been. */
export class NotStored extends Error {}

/** Tables that were opened here, and that this page alone has, for the browser stores nothing. */
export const heldLogs = new Map<string, StoredLog>();

interface Message {
  number?: number;
  ready?: boolean;
  /** It has answered and has nothing to do, and no snapshot of it is there. */
  unrecorded?: true;
  failed?: string;
  status?: number;
  type?: string;
  body?: string;
  held?: Answer["held"];
  unstored?: boolean;
  line?: number;
  text?: string;
  code?: number;
}

/** What it can answer; everything else needs other people or their records. */
const PARTS =
  "house hand tiles score waits circumstances books questions diff pay practice tables clubs stats rooms replays";
const OWN = new RegExp(`^/api/(${PARTS.replaceAll(" ", "|")})\\b`);

/** One score table; what stands there for other tables is no table's id. */
const TABLE = /^\/api\/tables\/([^/?]+)/;

let worker: Worker | null = null;
let number = 0;
const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (problem: Error) => void }>();

export const answers = (address: string): boolean => OWN.test(address);

/** The id of the table that an address is about, or nothing. */
export function tableOf(address: string): string {
  const id = TABLE.exec(address)?.[1];
  return id === undefined || id === "import" ? "" : decodeURIComponent(id);
}

/**
 * Where the log of the table or match stands that an address is about: "here" one that was opened on this device and no
 * server has taken yet, "copy" one of the server's that this device could go on with, "elsewhere" one that it does not
 * know.
 */
export async function tableHere(address: string): Promise<"here" | "copy" | "elsewhere" | "none"> {
  const match = matchOf(address);
  if (match) return isHere(match) ? "here" : "elsewhere";
  const id = tableOf(address);
  if (!id) return "none";
  if (heldLogs.has(id)) return "here";
  try {
    const log = await (await openStore()).log(id);
    return log === undefined ? "elsewhere" : log.copy ? "copy" : "here";
  } catch {
    return "elsewhere"; // storage may be forbidden: then nothing was kept here
  }
}

/** Whether this browser keeps anything that is listed at an address. */
export async function storesAny(address: string): Promise<boolean> {
  try {
    const store = await openStore();
    return address.startsWith("/api/replays")
      ? (await store.entries.heads("room")) + (await store.entries.heads("replay")) !== "[][]"
      : (await store.logs()).length > 0;
  } catch {
    return address.startsWith("/api/tables") && heldLogs.size > 0;
  }
}

export function startDevice(): void {
  if (worker || typeof Worker === "undefined") return;
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = (event: MessageEvent<Message>) => {
    const { number: which, failed, unstored, held, ready, unrecorded, line, text, code } = event.data;
    if (unrecorded) return record();
    if (ready === false) return stop(failed ?? "");
    if (line !== undefined) return lines.get(line)?.(text ?? "", code ?? 0);
    if (which === undefined) return;
    const one = waiting.get(which);
    waiting.delete(which);
    for (const [id, log] of Object.entries(held ?? {}))
      if (log) heldLogs.set(id, log);
      else heldLogs.delete(id);
    if (failed !== undefined) one?.reject(new (unstored ? NotStored : Error)(failed));
    else one?.resolve(event.data as Answer);
  };
  worker.onerror = (event) => stop(event.message);
}

/** Has a snapshot made for the next start, by a worker that ends when it is done. */
function record(): void {
  const recorder = new Worker(new URL("./recorder.ts", import.meta.url), { type: "module" });
  recorder.onmessage = recorder.onerror = () => recorder.terminate();
}

function stop(why: string): void {
  worker?.terminate();
  worker = null;
  for (const one of waiting.values()) one.reject(new Error(why));
  waiting.clear();
  for (const listener of [...lines.values()]) listener("", 1011);
  lines.clear();
}

// ---- lines to rooms that are played here

const lines = new Map<number, (text: string, code: number) => void>();

/** Calls `listener` with each message for a line, or with "" and a code when it has ended. */
export function onLine(line: number, listener: ((text: string, code: number) => void) | null): void {
  if (listener) lines.set(line, listener);
  else lines.delete(line);
}

/** Sends the worker something for a line: its first message with its room, another one, or that it is closed. */
export function toLine(message: { line: number; room?: string; hello?: string; text?: string; close?: true }): void {
  startDevice();
  if (worker) worker.postMessage(message);
  else queueMicrotask(() => lines.get(message.line)?.("", 1011));
}

export function requestDevice(
  method: string,
  address: string,
  headers: Record<string, string>,
  body: string,
  ahead?: { id: string; changes: unknown[] },
): Promise<Answer> {
  startDevice();
  return new Promise((resolve, reject) => {
    if (!worker) return reject(new Error("no workers here"));
    waiting.set(++number, { resolve, reject });
    worker.postMessage({ number, method, address, headers, body, ...(ahead ? { ahead } : {}) });
  });
}

/**
 * Fetch what the worker needs into the service worker's keeping, once, unless the user saves data; drop what is old.
 */
export async function registerDevice(): Promise<void> {
  const line = (navigator as { connection?: { saveData?: boolean } }).connection;
  if (line?.saveData) return;
  try {
    const bundle = (await (await fetch(`${PLACE}bundle.json`)).json()) as Bundle;
    const wanted = Object.keys(bundle.files).map((name) => PLACE + name);
    for (const address of wanted) if (!(await caches.match(address))) await (await fetch(address)).arrayBuffer();
    const cache = await caches.open(CACHE);
    for (const address of wanted) if (!(await cache.match(address))) return; // another start will have all of it
    wanted.push(`${PLACE}bundle.json`, snapshotAddress(bundle));
    for (const { url } of await cache.keys()) {
      if (!wanted.includes(new URL(url).pathname)) await cache.delete(url);
    }
  } catch {
    // no network, or built without it: there will be another start
  }
}
