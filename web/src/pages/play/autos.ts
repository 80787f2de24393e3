// What a player leaves to this page: wins taken, the drawn tile thrown, flowers set aside, claims of some kinds passed.
import type { TableOption } from "../../lib/types";

export interface Autos {
  win: boolean;
  /** Throws the drawn tile. */
  throw: boolean;
  flower: boolean;
  /** Kinds of claims that are passed. */
  chow: boolean;
  pung: boolean;
  kong: boolean;
}

export const NONE: Autos = { win: false, throw: false, flower: false, chow: false, pung: false, kong: false };

const passed = (option: TableOption, autos: Autos): boolean =>
  (option.do === "chow" && autos.chow) || (option.do === "pung" && autos.pung) || (option.do === "kong" && autos.kong);

/** What is left of what may be done: claims that are passed are not offered. */
export function wanted(options: readonly TableOption[], autos: Autos): TableOption[] {
  return options.filter((option) => !passed(option, autos));
}

/** What is done without asking; null: the player is asked. A win is never passed. */
export function automatic(options: readonly TableOption[], autos: Autos): TableOption | null {
  const find = (what: TableOption["do"]): TableOption | undefined => options.find((one) => one.do === what);
  const win = find("win");
  if (win) return autos.win ? win : null;
  const flower = find("flower");
  if (flower && autos.flower) return flower;
  const pass = find("pass");
  if (pass) return wanted(options, autos).every((one) => one === pass) && options.length > 1 ? pass : null;
  if (autos.throw && !find("concealed") && !find("added"))
    return options.find((one) => one.do === "discard" && one.drawn && !one.ready) ?? null;
  return null;
}
