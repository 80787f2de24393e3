// Asking the server. Every refusal is one sentence that can be shown as it is.
import { prefs, t } from "./prefs.svelte";
import { who } from "./who";

/** A refusal: the sentence, the status, and the position in the text it speaks about. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly at: number | null = null,
  ) {
    super(message);
  }
}

/** `offline` is true from a request that found no server until one that does. */
export const network = $state({ offline: false });

/** What is asked about this browser's own things: its name goes with it, in a header, for addresses are written down. */
const OWN = /^\/api\/(tables|clubs|replays|practice)\b/;

async function ask<T>(method: string, address: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let response: Response;
  let answer: unknown = null;
  try {
    response = await fetch(address, {
      method,
      signal: signal ?? null,
      headers: {
        "Accept-Language": prefs.lang,
        ...(OWN.test(address) ? { "X-Who": who() } : {}),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (response.status !== 204) answer = await response.json(); // may break off in the middle, as the request itself may
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === "AbortError") throw problem;
    if (problem instanceof SyntaxError)
      throw new Refused(t("服务器的答复读不懂。", "The server's answer cannot be read."), 0);
    network.offline = true;
    throw new Refused(t("连不上服务器。", "The server cannot be reached."), 0);
  }
  network.offline = false;
  if (!response.ok) {
    const said = answer as { error?: string; at?: number | null } | null;
    throw new Refused(
      said?.error ?? t(`服务器答复 ${response.status}。`, `The server answered ${response.status}.`),
      response.status,
      said?.at ?? null,
    );
  }
  return answer as T;
}

export const get = <T>(address: string, signal?: AbortSignal): Promise<T> => ask<T>("GET", address, undefined, signal);
export const post = <T>(address: string, body: unknown, signal?: AbortSignal): Promise<T> =>
  ask<T>("POST", address, body, signal);
export const put = <T>(address: string, body: unknown): Promise<T> => ask<T>("PUT", address, body);
export const remove = <T>(address: string): Promise<T> => ask<T>("DELETE", address);
