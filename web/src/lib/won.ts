// The way from a win at a table to the calculator, with all that lay around it.
import type { Kind } from "./tiles";
import type { WinRequest } from "./types";

/** The tile that completed a won hand, which its text has last; null where nobody won. */
export const lastTile = (won: WinRequest | null): Kind | null => won?.hand.split("+")[1] ?? null;

/** `house` are house rules in TOML. */
export function calculatorLink(rules: string, won: WinRequest, house = ""): string {
  const query = new URLSearchParams({ rules, h: won.hand, seat: won.seat, round: won.round });
  if (/[AR]/.test(won.givers)) query.set("from", won.givers.replace(/-/g, "L"));
  if (won.self_draw) query.set("drawn", "1");
  if (won.circumstances.length) query.set("luck", won.circumstances.join(","));
  if (won.flowers.length) query.set("flowers", won.flowers.join(","));
  if (house) query.set("house", house);
  return `/calculator?${query}`;
}
