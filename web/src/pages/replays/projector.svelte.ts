// One replay and where we are in it. The server's pictures are shown one after another; nothing is worked out here.
import { get } from "../../lib/api.svelte";
import { WINDS, type Kind } from "../../lib/tiles";
import type { FrameShape, HandFilm, HandHead, ReplayPage } from "../../lib/types";

export const SPEEDS = [0.5, 1, 2, 4] as const;
const BEAT = 1000; // milliseconds for an event at speed 1
const REST = 3; // beats at the end of a hand

export class Projector {
  page = $state.raw<ReplayPage | null>(null);
  film = $state.raw<HandFilm | null>(null);
  /** The number of the picture in the whole match. */
  at = $state(0);
  /** The player (0-3 as in `players`) who is looked at; he stays the same when seats change. */
  player = $state(0);
  /** Whether all hands lie open; else only those of the player looked at. */
  open = $state(true);
  playing = $state(false);
  speed = $state<number>(1);
  failed = $state("");

  private films = new Map<number, Promise<HandFilm>>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly id: string) {}

  get address(): string {
    return `/api/replays/${encodeURIComponent(this.id)}`;
  }

  /** Opens the match at a picture of it, or at one `within` a hand of this number. */
  async load(at: number, seat: Kind | null, open: boolean, within?: { hand: number; frame: number }): Promise<void> {
    try {
      this.failed = "";
      this.page = await get<ReplayPage>(`${this.address}`);
    } catch (problem) {
      this.failed = (problem as Error).message;
      return;
    }
    this.open = open;
    const total = this.total;
    const meant = within && this.hands.find((hand) => hand.number === within.hand);
    if (meant) at = meant.first + Math.min(Math.max(0, within.frame), meant.frames - 1);
    this.at = Math.min(Math.max(0, at), Math.max(0, total - 1));
    const hand = this.hand;
    if (hand) this.player = hand.players[Math.max(0, WINDS.indexOf(seat ?? "E"))] ?? 0;
    await this.show();
  }

  get hands(): readonly HandHead[] {
    return (this.page?.hand_list ?? []).filter((hand) => hand.frames > 0);
  }
  get total(): number {
    const last = this.hands.at(-1);
    return last ? last.first + last.frames : 0;
  }
  /** The hand we are in. */
  get hand(): HandHead | null {
    return this.hands.findLast((hand) => hand.first <= this.at) ?? null;
  }
  get frame(): FrameShape | null {
    const film = this.film;
    return film && film.number === this.hand?.number ? (film.frames[this.at - this.hand.first] ?? null) : null;
  }
  get last(): boolean {
    return !!this.hand && this.at === this.hand.first + this.hand.frames - 1;
  }
  /** The seat (0 East … 3 North) of the player looked at, in this hand. */
  get seat(): number {
    return Math.max(0, this.hand?.players.indexOf(this.player) ?? 0);
  }

  private fetch(number: number): Promise<HandFilm> {
    const found = this.films.get(number) ?? get<HandFilm>(`${this.address}/hands/${number}`);
    this.films.set(number, found);
    found.catch(() => this.films.delete(number));
    return found;
  }

  private async show(): Promise<void> {
    const hand = this.hand;
    if (!hand) return;
    try {
      const film = await this.fetch(hand.number);
      if (this.hand?.number === hand.number) this.film = film;
      this.failed = "";
      const after = this.hands.find((one) => one.number === hand.number + 1);
      if (after) void this.fetch(after.number).catch(() => undefined); // so that going on does not wait
    } catch (problem) {
      this.failed = (problem as Error).message;
      this.stop();
    }
  }

  // ---- moving

  to(at: number): void {
    this.at = Math.min(Math.max(0, at), Math.max(0, this.total - 1));
    if (this.film?.number !== this.hand?.number) void this.show();
  }
  again = (): void => void this.show();
  step(by: number): void {
    this.to(this.at + by);
  }
  /** To the begin of the next turn, or of this one or the one before. */
  turn(by: 1 | -1): void {
    const film = this.film;
    const hand = this.hand;
    if (!film || !hand) return;
    const frames = film.frames;
    let i = this.at - hand.first;
    const now = frames[i]?.turn;
    if (by > 0) {
      while (i < frames.length && frames[i]?.turn === now) i += 1;
      this.to(hand.first + i); // past the end: the next hand
    } else {
      i -= 1;
      while (i > 0 && frames[i - 1]?.turn === frames[i]?.turn) i -= 1;
      this.to(hand.first + i);
    }
  }
  toHand(by: 1 | -1): void {
    const hands = this.hands;
    const i = hands.findIndex((hand) => hand.number === this.hand?.number);
    const next = hands[i + by];
    if (next) this.to(next.first);
    else if (this.hand) this.to(by > 0 ? this.hand.first + this.hand.frames - 1 : this.hand.first);
  }
  edge(end: boolean): void {
    if (this.hand) this.to(end ? this.hand.first + this.hand.frames - 1 : this.hand.first);
  }
  look(by: number): void {
    const hand = this.hand;
    if (hand) this.player = hand.players[(this.seat + by + 4) % 4] ?? 0;
  }

  // ---- by itself

  start(): void {
    if (this.at >= this.total - 1) this.to(this.hand?.first ?? 0);
    this.playing = true;
    this.tick();
  }
  stop(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }
  private tick(): void {
    clearTimeout(this.timer);
    const wait = (BEAT / this.speed) * (this.last ? REST : 1);
    this.timer = setTimeout(() => {
      if (!this.playing) return;
      if (this.at >= this.total - 1) this.stop();
      else {
        if (this.frame) this.step(1); // a hand that is still on its way is waited for
        this.tick();
      }
    }, wait);
  }
}
