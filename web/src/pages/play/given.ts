// Names that the page itself gives to who has written none. They are stored as they were given, in the language of
// then; each reader sees them in his own.
import { say, t } from "../../lib/prefs.svelte";
import type { Bilingual } from "../../lib/types";

const ME: Bilingual = { zh: "我", en: "Me" };
const HOST: Bilingual = { zh: "桌主", en: "Host" };

/** The player at a table without other people. */
export const me = (): string => say(ME);
/** Who opened a table to friends: they would read “我” as themselves. */
export const host = (): string => say(HOST);

/** A person's name: one that the page gave in the language in force, any other as it was typed. */
export function personName(name: string): string {
  const given = [ME, HOST].find((one) => name === one.zh || name === one.en);
  return given ? t(given.zh, given.en) : name;
}
