// Files that somebody brings along.
import { isHere, matchOf } from "../device/here";
import { text, textFrom } from "./api.svelte";
import { t } from "./prefs.svelte";

/** For a link to a file: the browser fetches the server's by itself; what this device has is given to it here. */
export async function download(event: MouseEvent, address: string, name: string): Promise<void> {
  if (!isHere(matchOf(address))) return;
  event.preventDefault();
  const found = await text(address);
  if (found === null) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([found], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The same for a score table, which may stand on this device, or be a copy of the server's with what waits on top. */
export async function downloadTable(event: MouseEvent, address: string, name: string): Promise<void> {
  event.preventDefault();
  try {
    const found = (await textFrom(address)).replace(/^\ufeff/, "");
    // spreadsheets look for it
    saveText(name, (name.endsWith(".csv") ? "\ufeff" : "") + found, "text/plain;charset=utf-8");
  } catch {
    location.assign(address); // the browser says what is wrong
  }
}

/** The text of a file. A file that cannot be read (moved away, no permission) is told in the reader's language. */
export async function textOf(file: File): Promise<string> {
  try {
    return await file.text();
  } catch {
    throw new Error(t(`无法读取“${file.name}”。`, `“${file.name}” could not be read.`));
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
