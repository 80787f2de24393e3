// The places this browser holds: a token for each room, so that a reload or a closed window loses nothing.
export interface Ticket {
  room: string;
  token: string;
  place: number;
  at: number;
  /** The last message that a page of this browser was shown. */
  seen?: number;
}

const KEY = "quepu.rooms";
const MOST = 20;

export function tickets(): Ticket[] {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "[]") as Ticket[];
    return Array.isArray(stored)
      ? stored.filter((one) => typeof one.room === "string" && typeof one.token === "string")
      : [];
  } catch {
    return [];
  }
}

function write(list: Ticket[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(list.slice(0, MOST)));
  } catch {
    // storage may be forbidden: the place then lasts as long as this page
  }
}

export const ticketOf = (room: string): Ticket | undefined => tickets().find((one) => one.room === room);
export const storeTicket = (sat: { room: string; token: string; place: number }): void =>
  write([
    { room: sat.room, token: sat.token, place: sat.place, at: Date.now() },
    ...tickets().filter((one) => one.room !== sat.room),
  ]);
export const storeSeen = (room: string, seen: number): void =>
  write(tickets().map((one) => (one.room === room ? { ...one, seen } : one)));
export const dropTicket = (room: string): void => write(tickets().filter((one) => one.room !== room));

const NAME = "quepu.name";
export function savedName(): string {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}
export function saveName(name: string): void {
  try {
    localStorage.setItem(NAME, name);
  } catch {
    // as above
  }
}
