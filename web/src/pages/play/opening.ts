// Tables that are opened by one press: as the last one was, or as the one that has just ended.
import { account } from "../../lib/account.svelte";
import { get, post, text } from "../../lib/api.svelte";
import { prefs, t } from "../../lib/prefs.svelte";
import { go } from "../../lib/route.svelte";
import type { Level, RoomHead, Sat } from "../../lib/types";
import { given, HOST, ME } from "./given";
import { storeTicket, savedName, ticketOf, tickets } from "./tickets";
import { again, bots, houseFor, savedWishes, usualWishes, type Wishes } from "./wishes";

async function open(spec: Record<string, unknown>, name: string): Promise<void> {
  const sat = await post<Sat>("/api/rooms", { ...spec, name });
  storeTicket(sat);
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
    savedName() || account.name || given(ME),
  );
}

/** A table by house rules, with three places for friends. */
export async function playWithFriends(rules: string, house: string): Promise<void> {
  const spec = { ...usualWishes(), house, rules, bots: ["", "", "", ""], listed: false };
  await open(spec, savedName() || account.name || given(HOST));
}

const GUESTS = 900; // names of those who have none: few enough to be short, many enough to differ
export const guest = (): string => {
  const number = 100 + Math.floor(Math.random() * GUESTS);
  return t(`客人${number}`, `Guest ${number}`);
};

/**
 * A table with other people: the first open one of the book in force, else a running one where a bot hands its seat
 * over after the hand, else a new one. The server chooses. Bots take the seats that are still free once nobody has come
 * for a while (`#quick`).
 */
export async function playQuick(): Promise<void> {
  const sat = await post<Sat>("/api/rooms/quick", {
    ...usualWishes(),
    joins: true,
    rules: prefs.book,
    bots: ["", "", "", ""],
    name: savedName() || account.name || guest(),
    fallback: guest(),
    skip: tickets().map((ticket) => ticket.room),
  });
  storeTicket(sat);
  go(`/play/${sat.room}#quick`);
}

/** A first hand: against beginners, without a clock, with a coach at its side. */
export async function playCoached(): Promise<void> {
  const levels = (await get<Level[]>("/api/rooms/levels")).map((level) => level.key);
  await open(
    {
      ...usualWishes(),
      think: 1.2,
      coached: true,
      rules: prefs.book,
      bots: ["", ...bots(["", "", ""], levels)],
      listed: false,
    },
    savedName() || account.name || given(ME),
  );
}

/** The house rules of a table, as they were given; "" where the book is played as it is. */
export async function houseOf(head: RoomHead): Promise<string> {
  if (!head.terms.house) return "";
  const found = await text(`/api/rooms/${encodeURIComponent(head.id)}/house`);
  if (found === null) throw new Error(t("自定规则暂时无法载入。", "The house rules cannot be loaded now."));
  return found;
}

/** The same table once more: with other people the one that whoever asked first has opened for them. */
export async function playAgain(head: RoomHead, you: number): Promise<void> {
  if (head.places.some((place, at) => at !== you && place.kind === "person")) {
    const sat = await post<Sat>(`/api/rooms/${head.id}/again`, { token: ticketOf(head.id)?.token ?? "" });
    storeTicket(sat);
    go(`/play/${sat.room}`);
  } else await open(again(head, you, await houseOf(head)), head.places[you]?.name || savedName() || given(HOST));
}
