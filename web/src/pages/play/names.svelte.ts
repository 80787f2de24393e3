// What a player is called here. Bots are called by their place and level in the user's language; people as they wrote it.
import { get } from "../../lib/api.svelte";
import { say, t } from "../../lib/prefs.svelte";
import type { Level, RoomPlace } from "../../lib/types";

export const levels = $state({ list: [] as Level[] });
let asked = false;

/** Asks once for the levels of bots. */
export function loadLevels(): void {
  if (asked) return;
  asked = true;
  get<Level[]>("/api/rooms/levels").then((list) => (levels.list = list), () => (asked = false));
}

/** The short name of a level: what stands before the colon of its description. */
export function levelName(key: string): string {
  const found = levels.list.find((level) => level.key === key);
  const name = found ? (say(found.text).split(/[：:]/)[0] ?? key) : t("电脑", "bot");
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** The name of place `at` (0-3). */
export const placeName = (place: RoomPlace | undefined, at: number): string => (!place || place.kind === "free" ? t("空位", "free") : place.kind === "bot" ? t(`电脑${at + 1}`, `Bot ${at + 1}`) : place.name);

/** A name out of the log, as it is said here. */
export function called(name: string, places: readonly RoomPlace[]): string {
  const at = places.findIndex((place) => place.name === name);
  return at < 0 ? name : placeName(places[at], at);
}
