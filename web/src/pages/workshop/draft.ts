// A draft of a rulebook: what differs from a book, as a form and as the TOML that the server reads.
import { plainHouse, toml, type House } from "../../lib/house";

/** A fan that the draft adds; `when` is a formula. */
export interface NewFan {
  name: string;
  when: string;
  value: Record<string, number>;
  category: string;
  english: string;
  most: number;
}

export interface Draft extends House {
  aliases: Record<string, string>;
  drops: Record<string, string[]>;
  conflicts: Record<string, string[]>;
  fans: NewFan[];
}

export const plainDraft = (base: string): Draft => ({
  ...plainHouse(base),
  aliases: {},
  drops: {},
  conflicts: {},
  fans: [],
});

const quoted = (text: string): string => JSON.stringify(text);
const list = (names: readonly string[]): string => `[${names.map(quoted).join(", ")}]`;
const valueText = (value: Record<string, number>): string => {
  const parts = Object.entries(value);
  return parts.length === 1 ? String(parts[0]?.[1]) : `{ ${parts.map(([part, n]) => `${part} = ${n}`).join(", ")} }`;
};

/** The rules file of a draft; it names its base even where nothing differs. */
export function draftToml(draft: Draft): string {
  const parts = [toml(draft) || `base = ${quoted(draft.base)}\n`];
  if (draft.title && !parts[0]?.includes("\ntitle = ")) parts.push(`title = ${quoted(draft.title)}\n`);
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
    if (fan.most > 1) lines.push(`most = ${fan.most}`);
    parts.push(`\n[fans.${quoted(fan.name)}]\n${lines.join("\n")}\n`);
  }
  for (const field of ["drops", "conflicts"] as const)
    table(
      field,
      Object.entries(draft[field]).map(([name, names]) => [name, list(names)]),
    );
  return parts.join("");
}

/** What a rules file says, as the server took it apart; `parts` names the parts of the book's values. */
export function fromData(base: string, data: Record<string, unknown>, parts: readonly string[]): Draft {
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
  draft.values = Object.fromEntries(Object.entries(of("values")).map(([name, given]) => [name, value(given)]));
  draft.options = Object.fromEntries(
    Object.entries(of("options")).map(([key, choice]) => [
      key,
      typeof choice === "string" ? quoted(choice) : String(choice),
    ]),
  );
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
      most: Number(fan.most ?? 1),
    };
  });
  return draft;
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
    const found = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Draft>;
    return typeof found.base === "string" ? { ...plainDraft(found.base), ...found } : null;
  } catch {
    return null;
  }
}

/** How many things a draft changes. */
export const changes = (draft: Draft): number =>
  Number(draft.minimum !== null) +
  draft.without.length +
  draft.fans.length +
  [draft.values, draft.options, draft.aliases, draft.drops, draft.conflicts].reduce(
    (n, table) => n + Object.keys(table).length,
    0,
  );
