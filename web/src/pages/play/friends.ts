// Friends of this browser: an invitation is a link, and nothing is asked of the server before there is one.
import { get } from "../../lib/api.svelte";
import type { FriendList } from "../../lib/types";

const KEY = "quepu.friends"; // whether there may be any: otherwise the server need not be asked
export const EVERY = 30_000; // milliseconds between two signs that this page is open

export function mayHaveFriends(): boolean {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false;
  }
}
export function noteFriends(any: boolean): void {
  try {
    if (any) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // storage may be forbidden: the list is then loaded with the page that shows it
  }
}

/** The code of an invitation in an address; it stands behind `#`, which is not sent to the server. "" without one. */
export const invitedBy = (hash: string): string => /^friend=([\w-]{8,20}\.[\w-]{20,40})$/.exec(hash)?.[1] ?? "";
export const invitationLink = (code: string): string => `${location.origin}/play#friend=${code}`;

/** Loads the friends, and lets them know that this page is open: at a table, "-" at one that is not public. */
export const friendsAt = (at = ""): Promise<FriendList> =>
  get<FriendList>(`/api/friends?${new URLSearchParams({ at })}`);

/** Shows friends that this page is open, until it is closed. */
export function showPresence(at: () => string): () => void {
  const beat = (): void => {
    if (mayHaveFriends() && document.visibilityState === "visible") void friendsAt(at()).catch(() => undefined);
  };
  beat();
  const timer = setInterval(beat, EVERY);
  return () => clearInterval(timer);
}
