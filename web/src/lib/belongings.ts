// This browser's tables, clubs and practice on another device: by an account, or by a code that is good once.
import { get, post } from "./api.svelte";
import type { BelongingsShape, OwnName, TransferCodeShape } from "./types";
import { become, before, merged, who } from "./who";

export const belongings = (): Promise<BelongingsShape> => get<BelongingsShape>("/api/belongings");
export const transferCode = (): Promise<TransferCodeShape> => post<TransferCodeShape>("/api/belongings/code", {});

/** Goes on with what belongs to the browser that made the code; what is here goes along with `merge`. */
export async function takeOver(code: string, merge: boolean): Promise<void> {
  become((await post<OwnName>("/api/belongings/take", { code, merge })).who);
}

/** Goes on with what belongs to the account; with `merge`, what is here becomes its. */
export async function follow(merge: boolean): Promise<void> {
  become((await post<OwnName>("/api/belongings/account", { merge })).who, true);
  if (merge) merged();
}

/** What belonged to this browser before it went on with the account's. */
export const leftBehind = (): Promise<BelongingsShape | null> =>
  before() && before() !== who() ? get<BelongingsShape>("/api/belongings", undefined, before()) : Promise.resolve(null);

/** Puts that to the account's. */
export async function addToAccount(): Promise<void> {
  await post<OwnName>("/api/belongings/account", { merge: true }, undefined, before());
  merged();
}

/** The code in an address that a camera read; it stands behind `#`, which is not sent to the server. */
export const codeAddress = (code: string): string => `${location.origin}/transfer#${code}`;
