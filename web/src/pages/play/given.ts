// Names that the page itself gives to who has written none. They are stored in brackets, in the language of then, and
// each reader sees them in his own; what somebody typed stays as typed, be it “我”.
import { say } from "../../lib/prefs.svelte";
import type { Bilingual } from "../../lib/types";

/** The player at a table without other people; in English a name with which verbs agree. */
export const ME: Bilingual = { zh: "我", en: "Player" };
const ONCE = "(Me)"; // as it was stored in English at first
/** Who opened a table to friends: they would read “我” as themselves. */
export const HOST: Bilingual = { zh: "桌主", en: "Host" };

/** A given name as it is stored. Whoever reads a log without this page understands it too. */
export const given = (one: Bilingual): string => `(${say(one)})`;

/** A person's name: one that the page gave in the language in force, any other as it was typed. */
export function personName(name: string): string {
  const found = name === ONCE ? ME : [ME, HOST].find((one) => name === `(${one.zh})` || name === `(${one.en})`);
  return found ? say(found) : name;
}
