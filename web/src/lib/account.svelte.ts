// Who is logged in here. Optional: everything can be played without. The session itself is a cookie that no script can read.
import { get, post, Refused } from "./api.svelte";
import type { Account } from "./types";

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
    set((await get<Account>("/api/account")).name);
  } catch (problem) {
    if (problem instanceof Refused && problem.status === 401) set("");
  }
}

/** Raises Refused with a sentence. */
export const register = async (name: string, password: string): Promise<void> =>
  set((await post<Account>("/api/account/register", { name, password })).name);
export const logIn = async (name: string, password: string): Promise<void> =>
  set((await post<Account>("/api/account/login", { name, password })).name);
export const changePassword = async (old: string, password: string): Promise<void> =>
  set((await post<Account>("/api/account/password", { old, password })).name);
/** Another password by a code that the server's operator gave out. */
export const reset = async (name: string, code: string, password: string): Promise<void> =>
  set((await post<Account>("/api/account/reset", { name, code, password })).name);
export async function logOut(): Promise<void> {
  await post("/api/account/logout", {});
  set("");
}
export async function deleteAccount(password: string): Promise<void> {
  await post("/api/account/delete", { password });
  set("");
}
