// The table, matches, penalties and categories of a draft: what a rules file says of them beside what the book says.
import type { PlayShape } from "../../lib/types";
import type { Keys } from "./draft";

export type Fault = PlayShape["faults"][number];

/** A fault as the draft has it; `gone`: switched off; `own`: the book's, if the book has it. */
export interface FaultRow extends Fault {
  gone: boolean;
  own: Fault | undefined;
}

/** Another value in a table of a rules file, or (undefined) none; an empty table is left out. */
export function put(rest: Keys, table: string, key: string, value: unknown): void {
  const rows = { ...(rest[table] as Keys | undefined), [key]: value };
  if (value === undefined) delete rows[key];
  if (Object.keys(rows).length) rest[table] = rows;
  else delete rest[table];
}

const plain = (key: string): Fault => ({
  key,
  name: { zh: key, en: key },
  text: { zh: "", en: "" },
  points: 0,
  again: [],
  to: "pool",
  barred: false,
});

/** The faults of the book with the changes of a draft, then those that it adds. */
export function faultRows(book: readonly Fault[], given: Keys): FaultRow[] {
  const added = Object.keys(given).filter((key) => book.every((one) => one.key !== key));
  return [...book, ...added.map(plain)].map((one) => {
    const own = added.includes(one.key) ? undefined : one;
    const said = given[one.key];
    const fields = typeof said === "number" ? { points: said } : typeof said === "object" ? (said as Keys) : {};
    const known = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== "text"));
    return { ...one, ...known, gone: said === false, own };
  });
}

/** What a rules file says of a fault after a change; undefined: as in the book. */
export function penalty(row: FaultRow, given: unknown, field: "points" | "to" | "barred", value: unknown): unknown {
  const said: Keys = typeof given === "number" ? { points: given } : { ...(given as Keys | undefined) };
  said[field] = value;
  for (const key of ["points", "to", "barred"] as const) if (row.own && said[key] === row.own[key]) delete said[key];
  const keys = Object.keys(said);
  if (!keys.length) return row.own ? undefined : 0;
  return keys.length === 1 && keys[0] === "points" ? said.points : said;
}

/** A category of the draft: its name in the book ("": new), its name now, and in English. */
export interface ClassRow {
  was: string;
  name: string;
  en: string;
}

/** The categories of the book in the draft's order and with its names. */
export function classRows(book: readonly { zh: string; en: string }[], given: unknown): ClassRow[] {
  const own = book.map(({ zh, en }) => ({ was: zh, name: zh, en }));
  if (!Array.isArray(given)) return own;
  return given.map((one: string | { name: string; was?: string; en?: string }) => {
    const name = typeof one === "string" ? one : one.name;
    const was = (typeof one === "string" ? undefined : one.was) ?? name;
    const found = own.find((row) => row.was === was);
    return { was: found ? was : "", name, en: (typeof one === "string" ? undefined : one.en) ?? found?.en ?? name };
  });
}

/** The categories as a rules file lists them; undefined: as in the book. */
export function writtenClasses(book: readonly { zh: string; en: string }[], rows: readonly ClassRow[]): unknown {
  const list = rows.map(({ was, name, en }) => {
    const own = book.find(({ zh }) => zh === was);
    const more = { ...(was && was !== name ? { was } : {}), ...(own && en !== own.en ? { en } : {}) };
    return Object.keys(more).length ? { name, ...more, ...(own && was !== name ? { en } : {}) } : name;
  });
  return JSON.stringify(list) === JSON.stringify(book.map(({ zh }) => zh)) ? undefined : list;
}
