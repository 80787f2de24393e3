// Both Chinese scripts, widths and cases of a name are one spelling where something is searched: 槓上開花 is 杠上开花.
import groups from "virtual:folding";

const one = new Map<string, string>();
for (const group of groups.split(" ")) {
  const [first = "", ...others] = [...group];
  for (const other of others) one.set(other, first);
}

/** A text in one script, character for character: every place in it stays where it was. */
export const oneScript = (text: string): string => [...text].map((c) => one.get(c) ?? c).join("");

/** A text as it is compared in a search: one script, one width, small letters. */
export const fold = (text: string): string => oneScript(text).normalize("NFKC").toLowerCase();
