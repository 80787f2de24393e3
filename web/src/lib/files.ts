// Files that somebody brings along.
import { t } from "./prefs.svelte";

/** The text of a file. A file that cannot be read (moved away, no permission) is told in the reader's language. */
export async function textOf(file: File): Promise<string> {
  try {
    return await file.text();
  } catch {
    throw new Error(t(`读不了“${file.name}”。`, `“${file.name}” cannot be read.`));
  }
}

/** Gives somebody a text as a file of this name. */
export function saveText(name: string, text: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
