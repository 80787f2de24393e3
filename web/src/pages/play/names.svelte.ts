// What a player is called here. Bots are called by their place and level in the user's language; people as they wrote
// it.
import { get } from "../../lib/api.svelte";
import { prefs, say, t } from "../../lib/prefs.svelte";
import { spelled, windName, type Kind } from "../../lib/tiles";
import { personName } from "./given";
import type { Level, RoomPlace, Bilingual, TableEvent as EventShape } from "../../lib/types";

/** `failed`: neither a server nor this device said what there is, so no table can be opened now. */
export const levels = $state({ list: [] as Level[], failed: false });
let loaded = false;

/** Asks once for the levels of bots, and again (`anew`) where others may answer. */
export function loadLevels(anew = false): void {
  if (loaded && !anew) return;
  loaded = true;
  get<Level[]>("/api/rooms/levels").then(
    (list) => {
      levels.list = list;
      levels.failed = false;
    },
    () => {
      levels.failed = true;
      loaded = false;
    },
  );
}

/** What people call a level. */
export function levelName(key: string): string {
  const found = levels.list.find((level) => level.key === key);
  return found ? say(found.name) : t("电脑", "bot");
}

/** How a bot of a level plays, in one sentence; "" while that is not known. */
export function levelManner(key: string): string {
  const found = levels.list.find((level) => level.key === key);
  return found ? say(found.manner) : "";
}

/** The name of place `at` (0-3); bots of one level among `places` are told apart by their place. */
export function placeName(place: RoomPlace | undefined, at: number, places: readonly RoomPlace[] = []): string {
  if (!place || place.kind === "free") return t("空位", "free");
  if (place.kind !== "bot") return personName(place.name);
  const found = levels.list.find((level) => level.key === place.level);
  if (!found) return t(`电脑${at + 1}`, `Bot ${at + 1}`);
  const alone = places.filter((one) => one.kind === "bot" && one.level === place.level).length === 1;
  return say(found.nickname) + (alone ? "" : t(`${at + 1}`, ` ${at + 1}`));
}

/** Who gave out another link to a place; "" where nobody did. A tournament's desk has no name of its own. */
export const linkedBy = (place: RoomPlace | undefined): string =>
  place?.link_by === "裁判台" ? t("裁判台", "the organiser") : personName(place?.link_by ?? "");

/** A name out of the log, as it is said here. */
export function called(name: string, places: readonly RoomPlace[]): string {
  const at = places.findIndex((place) => place.name === name);
  return at < 0 ? personName(name) : placeName(places[at], at, places);
}

/** A name before Chinese words: a Latin one, or its number, is set apart. */
export const spaced = (name: string): string => name + (/[A-Za-z0-9]$/.test(name) ? " " : "");

/** An event in words, with the player's name instead of the seat, and the tile's instead of its notation. */
export function named(text: Bilingual, event: EventShape, names: Record<Kind, string>): string {
  const name = event.seat ? names[event.seat] : undefined;
  const words = say(text);
  const seat = event.seat ? t(`${windName(event.seat)}家`, windName(event.seat)) : "";
  // in English the tiles would be in notation; they lie open at the table
  if (event.e === "show" && prefs.lang === "en") return `${name ?? seat} shows their hand`;
  const told =
    name && words.startsWith(seat) ? `${t(spaced(name), `${name} `)}${words.slice(seat.length).trimStart()}` : words;
  return spelled(told, event.tile);
}
