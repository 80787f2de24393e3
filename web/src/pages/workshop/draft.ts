// A draft of a rulebook: what differs from a book, as a form and as the TOML that the server reads.
import { plainHouse, toml, type House } from "../../lib/house";

/** Other keys of a fan in a rules file: `of`, `before`, `after`, `definition`, columns of its family. */
export type Keys = Record<string, unknown>;

/** A fan that the draft adds; `when` is a formula. */
export interface NewFan {
  name: string;
  when: string;
  value: Record<string, number>;
  category: string;
  english: string;
  /** What the book says of it; empty: its formula. */
  sentence: string;
  most: number;
  more: Keys;
}

export interface Draft extends House {
  aliases: Record<string, string>;
  drops: Record<string, string[]>;
  conflicts: Record<string, string[]>;
  sentences: Record<string, string>;
  fans: NewFan[];
  /** What changes of fans that the book has, beside value, relations and words: `when`, `most`, columns … */
  changes: Record<string, Keys>;
  /** What fans leave later ones: groups, or { left, why }. */
  residues: Record<string, Keys>;
  /** What a rules file has besides, as it is written: matches, the table, faults, categories, flowers, an id. */
  rest: Record<string, unknown>;
}

export const plainDraft = (base: string): Draft => ({
  ...plainHouse(base),
  aliases: {},
  drops: {},
  conflicts: {},
  sentences: {},
  fans: [],
  changes: {},
  residues: {},
  rest: {},
});

const quoted = (text: string): string => JSON.stringify(text);
const list = (names: readonly string[]): string => `[${names.map(quoted).join(", ")}]`;
const valueText = (value: Record<string, number>): string => {
  const parts = Object.entries(value);
  return parts.length === 1 ? String(parts[0]?.[1]) : `{ ${parts.map(([part, n]) => `${part} = ${n}`).join(", ")} }`;
};

/** A value as TOML writes it on one line. */
export function written(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Object.entries(value).map(([key, one]) => `${quoted(key)} = ${written(one)}`);
  return `{ ${parts.join(", ")} }`;
}

/** A draft as its file says it: what changes of a fan that is switched off waits until it is back. */
function inForce(draft: Draft): Draft {
  const off = (name: string): boolean => draft.without.includes(name);
  const anew = (name: string): boolean => draft.fans.some((fan) => fan.name === name);
  const only = <T>(table: Record<string, T>, stays: (name: string) => boolean): Record<string, T> =>
    Object.fromEntries(Object.entries(table).filter(([name]) => stays(name)));
  const related = (table: Record<string, string[]>): Record<string, string[]> => {
    const gone = (name: string): boolean => off(name) && !anew(name);
    const rows = Object.entries(only(table, (name) => !gone(name)));
    return Object.fromEntries(rows.map(([name, names]) => [name, names.filter((one) => !gone(one))]));
  };
  return {
    ...draft,
    values: only(draft.values, (name) => !off(name)),
    aliases: only(draft.aliases, (name) => !off(name)),
    changes: only(draft.changes, (name) => !off(name)),
    sentences: only(draft.sentences, (name) => !off(name) || anew(name)),
    drops: related(draft.drops),
    conflicts: related(draft.conflicts),
  };
}

/** The rules file of a draft; it names its base even where nothing differs. */
export function draftToml(whole: Draft): string {
  const draft = inForce(whole);
  const head = toml(draft) || `base = ${quoted(draft.base)}\n`;
  const above = Object.entries(draft.rest).map(([key, value]) => `${key} = ${written(value)}\n`);
  if (draft.title && !head.includes("\ntitle = ")) above.unshift(`title = ${quoted(draft.title)}\n`);
  // what is no table stands before the first one
  const parts = [head.replace(/^base = .*\n/, (line) => line + above.join(""))];
  const table = (name: string, rows: [string, string][]): void => {
    if (rows.length) parts.push(`\n[${name}]\n${rows.map(([key, value]) => `${quoted(key)} = ${value}\n`).join("")}`);
  };
  table(
    "aliases",
    Object.entries(draft.aliases).map(([old, name]) => [old, quoted(name)]),
  );
  for (const fan of draft.fans) {
    const lines = [`when = ${quoted(fan.when)}`, `value = ${valueText(fan.value)}`];
    if (fan.category) lines.push(`class = ${quoted(fan.category)}`);
    if (fan.english) lines.push(`english = ${quoted(fan.english)}`);
    if (fan.sentence) lines.push(`sentence = ${quoted(fan.sentence)}`);
    if (fan.most > 1) lines.push(`most = ${fan.most}`);
    for (const [key, value] of Object.entries(fan.more)) lines.push(`${key} = ${written(value)}`);
    parts.push(`\n[fans.${quoted(fan.name)}]\n${lines.join("\n")}\n`);
  }
  for (const [name, keys] of Object.entries(draft.changes)) {
    const lines = Object.entries(keys).map(([key, value]) => `${key} = ${written(value)}`);
    if (lines.length) parts.push(`\n[changes.${quoted(name)}]\n${lines.join("\n")}\n`);
  }
  for (const [name, later] of Object.entries(draft.residues)) {
    const lines = Object.entries(later).map(([key, value]) => `${quoted(key)} = ${written(value)}`);
    if (lines.length) parts.push(`\n[residues.${quoted(name)}]\n${lines.join("\n")}\n`);
  }
  for (const field of ["drops", "conflicts"] as const)
    table(
      field,
      Object.entries(draft[field]).map(([name, names]) => [name, list(names)]),
    );
  table(
    "sentences",
    Object.entries(draft.sentences).map(([name, sentence]) => [name, quoted(sentence)]),
  );
  return parts.join("");
}

const EDITED = new Set(
  "base title minimum without values aliases options fans changes residues drops conflicts sentences".split(" "),
);
const OWN = new Set("when value class english sentence most drops conflicts".split(" "));

/**
 * A draft out of a rules file as the server read it. `parts` names the parts of the book's values,
 * `own` holds the value of each of its fans.
 */
export function fromData(
  base: string,
  data: Record<string, unknown>,
  parts: readonly string[],
  own: Record<string, Record<string, number>> = {},
): Draft {
  const draft = plainDraft(base);
  const of = <T>(key: string): Record<string, T> => (data[key] as Record<string, T> | undefined) ?? {};
  const value = (given: unknown): Record<string, number> =>
    typeof given === "number"
      ? { [parts[0] ?? "fan"]: given }
      : Array.isArray(given)
        ? Object.fromEntries(parts.map((part, at) => [part, Number(given[at])]))
        : (given as Record<string, number>);
  if (typeof data.title === "string") draft.title = data.title;
  if (typeof data.minimum === "number") draft.minimum = data.minimum;
  draft.without = (data.without as string[] | undefined) ?? [];
  draft.aliases = of<string>("aliases");
  draft.drops = of<string[]>("drops");
  draft.conflicts = of<string[]>("conflicts");
  draft.sentences = of<string>("sentences");
  draft.rest = Object.fromEntries(Object.entries(data).filter(([key]) => !EDITED.has(key)));
  if (typeof data.title === "object") draft.rest.title = data.title; // in two languages
  // a file may name one part of a value: the others stay the book's
  draft.values = Object.fromEntries(
    Object.entries(of("values")).map(([name, given]) => [name, { ...own[name], ...value(given) }]),
  );
  draft.options = Object.fromEntries(Object.entries(of("options")).map(([key, choice]) => [key, written(choice)]));
  draft.fans = Object.entries(of<Record<string, unknown>>("fans")).map(([name, fan]) => {
    const own = { drops: fan.drops, conflicts: fan.conflicts } as Record<"drops" | "conflicts", string[] | undefined>;
    if (own.drops) draft.drops[name] = own.drops;
    if (own.conflicts) draft.conflicts[name] = own.conflicts;
    return {
      name,
      when: String(fan.when),
      value: value(fan.value),
      category: typeof fan.class === "string" ? fan.class : "",
      english: typeof fan.english === "string" ? fan.english : "",
      sentence: typeof fan.sentence === "string" ? fan.sentence : "",
      most: Number(fan.most ?? 1),
      more: Object.fromEntries(Object.entries(fan).filter(([key]) => !OWN.has(key))),
    };
  });
  for (const [name, keys] of Object.entries(of<Keys>("changes"))) {
    const { value: worth, sentence, drops, conflicts, ...rest } = keys;
    if (worth !== undefined) draft.values[name] = { ...own[name], ...value(worth) };
    if (typeof sentence === "string") draft.sentences[name] ??= sentence;
    if (drops) draft.drops[name] ??= drops as string[];
    if (conflicts) draft.conflicts[name] ??= conflicts as string[];
    if (Object.keys(rest).length) draft.changes[name] = rest;
  }
  draft.residues = of<Keys>("residues");
  return draft;
}

/** A new fan of the draft under another name, or (null) without it: in every relation too. */
export function renamed(draft: Draft, old: string, name: string | null): void {
  for (const field of ["drops", "conflicts"] as const) {
    const own = draft[field][old];
    delete draft[field][old];
    if (own && name !== null) draft[field][name] = own;
    for (const [of, names] of Object.entries(draft[field]))
      if (names.includes(old))
        draft[field][of] = names.flatMap((one) => (one !== old ? [one] : name === null ? [] : [name]));
  }
  const tables = [draft.residues, ...Object.values(draft.residues)];
  for (const table of tables as Keys[]) {
    if (!(old in table)) continue;
    if (name !== null) table[name] = table[old];
    delete table[old];
  }
}

/** A draft as letters that an address may have, and back; null where they are no draft. */
export const packed = (draft: Draft): string => {
  const bytes = new TextEncoder().encode(JSON.stringify(draft));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
};

export function unpacked(text: string): Draft | null {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return checked(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

const isText = (one: unknown): one is string => typeof one === "string";
const isTable =
  (fits: (one: unknown) => boolean) =>
  (one: unknown): boolean =>
    typeof one === "object" && one !== null && !Array.isArray(one) && Object.values(one).every(fits);
const isValue = isTable(Number.isFinite);
const isNames = (one: unknown): boolean => Array.isArray(one) && one.every(isText);
const isKeys = isTable(() => true);
const isFan = (one: unknown): boolean => {
  if (!isTable(() => true)(one)) return false;
  const fan = one as Record<string, unknown>;
  const texts = [fan.name, fan.when, fan.category, fan.english, fan.sentence];
  return texts.every(isText) && isValue(fan.value) && Number.isFinite(fan.most) && isKeys(fan.more);
};
const FIELDS: Record<keyof Draft, (one: unknown) => boolean> = {
  base: isText,
  title: isText,
  minimum: (one) => one === null || Number.isFinite(one),
  without: isNames,
  values: isTable(isValue),
  options: isTable(isText),
  aliases: isTable(isText),
  drops: isTable(isNames),
  conflicts: isTable(isNames),
  sentences: isTable(isText),
  fans: (one) => Array.isArray(one) && one.every(isFan),
  changes: isTable(isKeys),
  residues: isTable(isKeys),
  rest: isKeys,
};

/** What a link or a browser's storage holds as a draft, with what an older one lacks; null where it is none. */
export function checked(found: unknown): Draft | null {
  const base = (found as Partial<Draft> | null)?.base;
  if (!isText(base)) return null;
  const draft = { ...plainDraft(base), ...(found as Partial<Draft>) };
  if (Array.isArray(draft.fans)) draft.fans = draft.fans.map((fan) => ({ ...fan, more: fan.more ?? {} }));
  return Object.entries(FIELDS).every(([key, fits]) => fits(draft[key as keyof Draft])) ? draft : null;
}

/** The parts of a rules file that only the file can change. */
export const inFile = (draft: Draft): string[] => {
  const edited = ["match", "table", "penalties", "classes"];
  return Object.keys(draft.rest).filter((key) => !edited.includes(key));
};

/** How many things a draft changes. */
export function changes(whole: Draft): number {
  const draft = inForce(whole);
  return (
    Number(draft.minimum !== null) +
    draft.without.length +
    draft.fans.length +
    [
      draft.values,
      draft.options,
      draft.aliases,
      draft.drops,
      draft.conflicts,
      draft.sentences,
      draft.changes,
      draft.rest,
      ...Object.values(draft.residues),
    ].reduce((n, table) => n + Object.keys(table).length, 0)
  );
}
