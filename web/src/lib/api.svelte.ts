// Asking the server. Every refusal is one sentence that can be shown as it is.
import { answers, heldLogs, NotStored, requestDevice, storesAny, tableHere, tableOf } from "../device/device";
import { openStore } from "../device/store";
import { prefs, t } from "./prefs.svelte";
import { who } from "./who";

/** An English sentence of the server, whose errors begin in lower case, as it begins on a page. */
export const begun = (sentence: string): string =>
  /^[a-z]+ /.test(sentence) ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence;

/** A refusal: the sentence, the status, and the position in the text it speaks about. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly at: number | null = null,
    /** Which of the changes that wait it is about, if it is about one. */
    readonly key = "",
  ) {
    super(begun(message));
  }
}

/**
 * `offline` is true from a request that found no server until one that does; `here` while this browser answers in its
 * place, `starting` while it gets ready to. `forgets`: what this browser answers is in this page alone, for nothing is
 * stored; `held` is how many tables are.
 */
export const network = $state({ offline: false, here: false, starting: false, forgets: false, held: 0 });

/** What is called when a server answers again. */
export const back = new Set<() => void>();

/**
 * What is asked about this browser's own things: its name goes with it, in a header, for addresses are written down.
 */
const OWN = /^\/api\/(tables|clubs|desks|friends|players|roster|season|leagues|fees|replays|practice|belongings)\b/;

interface Answer {
  status: number;
  text: string;
}

/** What the server answers; null where there is none, or nothing but a host of files. */
async function fromServer(
  method: string,
  address: string,
  headers: Record<string, string>,
  body: string | null,
  signal?: AbortSignal,
): Promise<Answer | null> {
  try {
    const response = await fetch(address, { method, signal: signal ?? null, headers, body });
    const json = (response.headers.get("content-type") ?? "").includes("json");
    if (!json && response.status !== 204 && response.status !== 0 && !response.headers.has("x-content-type-options"))
      return null;
    return { status: response.status, text: response.status === 204 ? "" : await response.text() };
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === "AbortError") throw problem;
    return null;
  }
}

const headersFor = (address: string, name: string = who()): Record<string, string> => ({
  "Accept-Language": prefs.lang,
  ...(OWN.test(address) ? { "X-Who": name } : {}),
});

/** What this browser answers in the server's place; null where it cannot. */
async function fromDevice(
  method: string,
  address: string,
  headers: Record<string, string>,
  body: string,
): Promise<Answer | null> {
  const table = await tableHere(address); // while a server was asked in vain a copy of the table may have come
  if (table === "elsewhere" || !answers(address)) return null;
  const writes = method !== "GET" && !address.split("?", 1)[0]?.endsWith("/preview");
  if (table === "copy" && writes) return null; // the server writes it: until then it waits
  const id = tableOf(address);
  try {
    const own = table === "copy" ? await (await openStore()).notCopied(`/api/tables/${encodeURIComponent(id)}`) : [];
    const ahead = table === "copy" ? { id, changes: own.map((one) => one.body) } : undefined;
    network.starting = !network.here;
    const here = await requestDevice(method, address, headers, body, ahead);
    network.here = true;
    network.forgets = here.held !== undefined;
    network.held = heldLogs.size;
    return { status: here.status, text: here.body };
  } catch (problem) {
    if (problem instanceof NotStored)
      throw new Refused(
        t(
          "浏览器未能保存（可能空间已满），这一条没有记下。",
          "This browser could not save it (it is probably out of space): nothing was recorded.",
        ),
        507,
      );
    network.here = false;
    return null;
  } finally {
    network.starting = false;
  }
}

/** What a refusal says, as one sentence. */
function refused({ status, text }: Answer): Refused {
  let found: { error?: string; at?: number | null; key?: string } = {};
  try {
    found = JSON.parse(text) as typeof found;
  } catch {
    // no sentence of ours
  }
  const sentence = found.error ?? t(`服务器返回 ${status}。`, `The server replied with ${status}.`);
  return new Refused(sentence, status, found.at ?? null, found.key ?? "");
}

/** The answer of the server or of this browser, and whose it is. */
async function answerFrom<T>(
  method: string,
  address: string,
  given?: unknown,
  signal?: AbortSignal,
  name?: string,
): Promise<{ answer: T; server: boolean }> {
  const headers = {
    ...headersFor(address, name),
    ...(given === undefined ? {} : { "Content-Type": "application/json" }),
  };
  const body = given === undefined ? null : JSON.stringify(given);
  const here = (await tableHere(address)) === "here";
  let found = here ? null : await fromServer(method, address, headers, body, signal);
  const server = found !== null;
  if (!here) {
    if (server && network.offline) queueMicrotask(() => back.forEach((listener) => listener()));
    network.offline = !server;
  }
  found ??= await fromDevice(method, address, headers, body ?? "");
  signal?.throwIfAborted();
  if (found === null) throw new Refused(t("连不上服务器。", "The server cannot be reached."), 0);
  if (found.status >= 400) throw refused(found);
  try {
    return { answer: (found.text ? JSON.parse(found.text) : null) as T, server };
  } catch {
    throw new Refused(t("服务器的返回无法识别。", "The server's reply could not be read."), 0);
  }
}

const request = async <T>(
  method: string,
  address: string,
  given?: unknown,
  signal?: AbortSignal,
  name?: string,
): Promise<T> => (await answerFrom<T>(method, address, given, signal, name)).answer;

/** What this browser lists at an address by itself, where it keeps anything; nothing where it cannot. */
export async function listedHere<T>(address: string): Promise<T | null> {
  try {
    if (!(await storesAny(address))) return null;
    const { status, body } = await requestDevice("GET", address, headersFor(address), "");
    return status === 200 ? (JSON.parse(body) as T) : null;
  } catch {
    return null;
  }
}

/** `name` is whose things are meant, where that is not this browser's present name. */
export const get = <T>(address: string, signal?: AbortSignal, name?: string): Promise<T> =>
  request<T>("GET", address, undefined, signal, name);
export const post = <T>(address: string, body: unknown, signal?: AbortSignal, name?: string): Promise<T> =>
  request<T>("POST", address, body, signal, name);
/** The server's answer, or this browser's, and whose it is. */
export const getAnywhere = <T>(address: string): Promise<{ answer: T; server: boolean }> =>
  answerFrom<T>("GET", address);
export const postAnywhere = <T>(address: string, body: unknown): Promise<{ answer: T; server: boolean }> =>
  answerFrom<T>("POST", address, body);
/** What this browser can answer by itself is not sent anywhere; where it cannot, the server answers. */
export async function postHere<T>(address: string, body: unknown): Promise<T> {
  const headers = { ...headersFor(address), "Content-Type": "application/json" };
  const here = await fromDevice("POST", address, headers, JSON.stringify(body));
  if (here === null) return post<T>(address, body);
  if (here.status >= 400) throw refused(here);
  return JSON.parse(here.text) as T;
}

/** An answer as it stands, of the server or of this browser. */
export async function textFrom(address: string): Promise<string> {
  const headers = headersFor(address);
  const here = (await tableHere(address)) === "here";
  const found =
    (here ? null : await fromServer("GET", address, headers, null)) ?? (await fromDevice("GET", address, headers, ""));
  if (found === null) throw new Refused(t("连不上服务器。", "The server cannot be reached."), 0);
  if (found.status >= 400) throw refused(found);
  return found.text;
}

/** The server's answer alone; null where there is no server. */
export const fromServerAlone = (method: string, address: string, given?: unknown): Promise<Answer | null> =>
  fromServer(
    method,
    address,
    { ...headersFor(address), ...(given === undefined ? {} : { "Content-Type": "application/json" }) },
    given === undefined ? null : JSON.stringify(given),
  );
/** The text at an address (a log, house rules), from the server or this browser; null where it cannot be had. */
export async function text(address: string, method = "GET", more: Record<string, string> = {}): Promise<string | null> {
  const headers = { ...headersFor(address), ...more };
  try {
    if ((await tableHere(address)) === "here") {
      const { status, body } = await requestDevice(method, address, headers, "");
      return status < 400 ? body : null;
    }
    const answer = await fetch(address, { method, headers });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}

export const remove = <T>(address: string): Promise<T> => request<T>("DELETE", address);
