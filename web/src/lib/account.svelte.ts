// Who is logged in here. Optional: everything can be played without. The session itself is a cookie that no script can
// read.
import { get, post, Refused } from "./api.svelte";
import { follow } from "./belongings";
import type { Account } from "./types";
import { before, goBack } from "./who";

const KEY = "quepu.account"; // the name last logged in with: without it nobody needs to be asked for
export const account = $state({ name: "" });

const remembered = (): string => {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
};
function set(name: string): void {
  account.name = name;
  try {
    if (name) localStorage.setItem(KEY, name);
    else localStorage.removeItem(KEY);
  } catch {
    // storage may be forbidden: the cookie still knows, and logging in again does no harm
  }
}

/** Asks the server whether the session of last time still holds. */
export async function recall(): Promise<void> {
  if (account.name || !remembered()) return;
  try {
    await entered(get<Account>("/api/account"), !before()); // tables from before accounts had any are its own
  } catch (problem) {
    if (problem instanceof Refused && problem.status === 401) set("");
  }
}

/** Tables, clubs and practice go with the account; where that fails, they stay this browser's. */
async function entered(answer: Promise<Account>, merge = false): Promise<void> {
  set((await answer).name);
  await follow(merge).catch(() => undefined);
}

/** Raises Refused with a sentence. What is in this browser becomes the new account's. */
export const register = (name: string, password: string): Promise<void> =>
  entered(post<Account>("/api/account/register", { name, password }), true);
export const logIn = (name: string, password: string): Promise<void> =>
  entered(post<Account>("/api/account/login", { name, password }));
export const changePassword = (old: string, password: string): Promise<void> =>
  entered(post<Account>("/api/account/password", { old, password }));
/** Another password by a code that the server's operator gave out. */
export const reset = (name: string, code: string, password: string): Promise<void> =>
  entered(post<Account>("/api/account/reset", { name, code, password }));
export async function logOut(): Promise<void> {
  await post("/api/account/logout", {});
  set("");
  goBack();
}
export async function deleteAccount(password: string): Promise<void> {
  await post("/api/account/delete", { password });
  set(""); // its tables stay in this browser
}
