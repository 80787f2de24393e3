// Tables that are opened by one press: as the last one was, or as the one that has just ended.
import { get, post } from "../../lib/api.svelte";
import { prefs, t } from "../../lib/prefs.svelte";
import { go } from "../../lib/route.svelte";
import type { Level, RoomHead, Sat } from "../../lib/types";
import { keepTicket, savedName } from "./tickets";
import { again, bots, houseFor, savedWishes, type Wishes } from "./wishes";

async function open(spec: Record<string, unknown>, name: string): Promise<void> {
  const sat = await post<Sat>("/api/rooms", { ...spec, name });
  keepTicket(sat);
  const alone = !(spec.bots as string[]).slice(1).includes("");
  go(`/play/${sat.room}${alone ? "#begin" : ""}`);
}

/** A table against three bots with what was chosen last, begun at once. */
export async function playBots(): Promise<void> {
  const wishes: Wishes = savedWishes();
  const levels = (await get<Level[]>("/api/rooms/levels")).map((level) => level.key);
  await open(
    {
      ...wishes,
      house: houseFor(wishes.house, prefs.book),
      rules: prefs.book,
      bots: ["", ...bots(wishes.bots, levels)],
      listed: false,
    },
    savedName() || t("我", "Me"),
  );
}

/** The same table once more. */
export const playAgain = (head: RoomHead, you: number, house: string): Promise<void> =>
  open(again(head, you, house), head.places[you]?.name || savedName() || t("桌主", "Host"));
