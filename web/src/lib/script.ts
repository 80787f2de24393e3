// The script that Chinese is written in where a text leaves the page: what is copied, and what is drawn into a picture.
let change = (text: string): string => text;

/** A text as this browser's user reads and writes. */
export const inScript = (text: string): string => change(text);

export function setScript(traditional: (text: string) => string): void {
  change = traditional;
}
