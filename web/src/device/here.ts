// Ids of what is played, and kept, on this device alone: no server has one that begins so.
const HERE = "here-";
const AT = /^\/api\/(?:rooms|replays)\/([^/?]+)/;
/** What stands in the place of an id. */
const WORDS = ["levels"];

export const isHere = (id: string): boolean => id.startsWith(HERE);

/** The id of the room or replay that an address is about, or nothing. */
export function matchOf(address: string): string {
  const id = AT.exec(address)?.[1] ?? "";
  return WORDS.includes(id) ? "" : decodeURIComponent(id);
}
