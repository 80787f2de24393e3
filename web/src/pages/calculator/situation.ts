// What surrounds the hand of the calculator, and the address that says all of it.
import type { Giver } from "../../components/Meld.svelte";

/** All that a link or a reload has to bring back. */
export interface Situation {
  text: string;
  givers: (Giver | null)[];
  seat: string;
  round: string;
  selfDraw: boolean;
  circumstances: string[];
  flowers: string[];
  house: string;
  seen: string;
}

export const EMPTY: Situation = {
  text: "",
  givers: [],
  seat: "E",
  round: "E",
  selfDraw: false,
  circumstances: [],
  flowers: [],
  house: "",
  seen: "",
};
const GIVERS: Record<string, Giver> = { L: "left", A: "across", R: "right" };
const LETTERS: Record<Giver, string> = { left: "L", across: "A", right: "R" };

/** The query of an address; `melds` is how many of the givers are meant. */
export function queryOf(situation: Situation, rules: string, melds: number): URLSearchParams {
  const { text, givers, seat, round, selfDraw, circumstances, flowers, house, seen } = situation;
  const query = new URLSearchParams({ rules, h: text });
  const from = Array.from({ length: melds }, (_, at) => LETTERS[givers[at] ?? "left"]).join("");
  if (/[AR]/.test(from)) query.set("from", from);
  if (seat !== "E") query.set("seat", seat);
  if (round !== "E") query.set("round", round);
  if (selfDraw) query.set("drawn", "1");
  if (circumstances.length) query.set("luck", circumstances.join(","));
  if (flowers.length) query.set("flowers", flowers.join(","));
  if (seen) query.set("seen", seen);
  if (house) query.set("house", house);
  return query;
}

/** The same back. */
export function situationOf(query: URLSearchParams): Situation {
  const wind = (key: string): string => /^[ESWN]$/.exec(query.get(key) ?? "")?.[0] ?? "E";
  const list = (key: string): string[] => (query.get(key) ?? "").split(",").filter(Boolean);
  return {
    text: query.get("h") ?? "",
    givers: [...(query.get("from") ?? "")].map((letter) => GIVERS[letter] ?? null),
    seat: wind("seat"),
    round: wind("round"),
    selfDraw: query.has("drawn"),
    circumstances: list("luck"),
    flowers: list("flowers"),
    house: query.get("house") ?? "",
    seen: query.get("seen") ?? "",
  };
}
