// What this browser was doing last, and one hand as every rulebook counts it.
import { get, post } from "../../lib/api.svelte";
import { loadLevels } from "../play/names.svelte";
import { tickets } from "../play/tickets";
import type { BookBrief, ExplainedScore, HandShape, Bilingual, TableHead } from "../../lib/types";

/** 三色同顺, nearly 一气, and a wait on three tiles: worth something in every book. */
export const SHOWN = "234m234p2344567s+4s";

/** How a book counts the shown hand; null where it cannot be asked now. */
export const counted = (book: BookBrief): Promise<ExplainedScore | null> =>
  post<ExplainedScore>("/api/score?explain=true", { rules: book.id, hand: SHOWN }).catch(() => null);

export interface Unfinished {
  /** The hand in the calculator, and the address that brings it back. */
  hand: HandShape | null;
  link: string;
  tables: TableHead[];
  /** Rooms in which this browser holds a place, newest first. */
  rooms: { id: string; title: Bilingual; hand: Bilingual | null; names: string[] }[];
}

/** What can be gone on with. Whatever cannot be asked is left out. */
export async function unfinished(): Promise<Unfinished> {
  let link = "";
  let stored = false; // a browser that never kept anything is not asked about
  try {
    link = localStorage.getItem("quepu.calculator") ?? "";
    stored = localStorage.getItem("quepu.who") !== null;
  } catch {
    // storage may be forbidden: then nothing was kept
  }
  const text = new URL(link || "/", location.origin).searchParams.get("h") ?? "";
  const held = tickets().slice(0, 2);
  if (held.length) loadLevels(); // bots are called by them
  const [hand, tables, ...rooms] = await Promise.all([
    text ? post<HandShape>("/api/hand", { hand: text }).catch(() => null) : null,
    stored ? get<TableHead[]>(`/api/tables`).catch(() => []) : [],
    ...held.map((ticket) =>
      get<{ phase: string; book: Bilingual; hand: Bilingual | null; places: { name: string }[] }>(
        `/api/rooms/${encodeURIComponent(ticket.room)}`,
      ).catch(() => null),
    ),
  ]);
  return {
    hand,
    link,
    tables: tables.filter((table) => !table.over).slice(0, 2),
    rooms: rooms.flatMap((room, i) =>
      room && room.phase !== "over"
        ? [
            {
              id: held[i]?.room ?? "",
              title: room.book,
              hand: room.hand,
              names: room.places.map((place) => place.name).filter(Boolean),
            },
          ]
        : [],
    ),
  };
}
