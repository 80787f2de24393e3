// Finding fans by what people type: Chinese in either script, pinyin whole or by initials, English, a value.
import { fold, oneScript } from "../../lib/folding";
import type { FanRow } from "../../lib/types";

const plain = (text: string): string => fold(text).replace(/\s+/g, "");

/** Whether a row answers to what was typed. */
export function matches(row: FanRow, typed: string): boolean {
  const wanted = plain(typed);
  if (!wanted) return true;
  const names = row.pinyin.split(" ");
  return (
    [
      row.name,
      ...row.aliases,
      row.english,
      row.sentence,
      row.definition,
      row.category,
      row.value_text.zh,
      row.value_text.en,
      row.example?.hand.text ?? "",
    ].some((text) => plain(text).includes(wanted)) ||
    names.some(
      (name) =>
        name.replaceAll("-", "").startsWith(wanted) ||
        name
          .split("-")
          .map((syllable) => syllable[0])
          .join("")
          .startsWith(wanted) ||
        name.replaceAll("-", "").includes(wanted),
    )
  );
}

/** Whether a row is called so: by its name, another name, English or pinyin. */
export function named(row: Pick<FanRow, "name" | "english" | "pinyin" | "aliases">, typed: string): boolean {
  return fold(`${row.name} ${row.english} ${row.pinyin} ${row.aliases.join(" ")}`).includes(fold(typed.trim()));
}

/** A text cut where the typed word stands, for marking: odd parts are the word. */
export function parts(text: string, typed: string): string[] {
  const wanted = typed.trim();
  if (!wanted) return [text];
  const found: string[] = [];
  const [lower, low] = [oneScript(text).toLowerCase(), oneScript(wanted).toLowerCase()];
  let from = 0;
  for (let at = lower.indexOf(low); at >= 0; at = lower.indexOf(low, from)) {
    found.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...found, text.slice(from)];
}
