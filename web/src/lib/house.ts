// House rules as a small form and as the TOML that the server reads. The form writes TOML; it never reads rules itself.

export interface House {
  base: string;
  title: string;
  minimum: number | null;
  without: string[];
  values: Record<string, Record<string, number>>;
  options: Record<string, string>; // key → TOML literal
}

export const plainHouse = (base: string): House => ({
  base,
  title: "",
  minimum: null,
  without: [],
  values: {},
  options: {},
});

const quoted = (text: string): string => JSON.stringify(text);

/** A choice of an option as TOML has it. */
export const literal = (choice: unknown): string => (typeof choice === "string" ? quoted(choice) : String(choice));

/** Whether anything differs from the base book, be it its name. */
const changed = (house: House): boolean =>
  house.title !== "" ||
  house.minimum !== null ||
  house.without.length > 0 ||
  Object.keys(house.values).length > 0 ||
  Object.keys(house.options).length > 0;

export function toml(house: House): string {
  if (!changed(house)) return "";
  const lines = [`base = ${quoted(house.base)}`];
  if (house.title) lines.push(`title = ${quoted(house.title)}`);
  if (house.minimum !== null) lines.push(`minimum = ${house.minimum}`);
  if (house.without.length) lines.push(`without = [${house.without.map(quoted).join(", ")}]`);
  const values = Object.entries(house.values);
  if (values.length) {
    lines.push("", "[values]");
    for (const [name, value] of values) {
      const parts = Object.entries(value);
      const table = `{ ${parts.map(([part, n]) => `${part} = ${n}`).join(", ")} }`;
      lines.push(`${quoted(name)} = ${parts.length === 1 ? parts[0]?.[1] : table}`);
    }
  }
  const options = Object.entries(house.options);
  if (options.length) lines.push("", "[options]", ...options.map(([key, value]) => `${quoted(key)} = ${value}`));
  return lines.join("\n") + "\n";
}
