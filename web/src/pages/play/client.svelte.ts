// One connection to a room: what was told, kept as it came. A drop is followed by "everything after n" of the hand
// being played, which is all that is shown: how the match stands comes with every snapshot.
import type {
  RoomHead,
  Bilingual,
  TableEvent as EventShape,
  Hint,
  SocketMessage as Message,
  ClientMessage,
  HelloMessage,
  TableOption as Option,
  HandOver as Over,
  Snapshot,
} from "../../lib/types";
import { socketTo } from "../../device/line";
import { isDeed } from "../../components/table/events";
import { ahead } from "./ahead";
import { Line as Link } from "./line";
import { storeSeen } from "./tickets";
import { OwnSalts, type Promised } from "./wall";

/** A line of the hand's record. */
export interface Line {
  n: number;
  text: Bilingual;
  event: EventShape;
}

const UNANSWERED = 8000; // milliseconds after which a press is taken back

/** Why there will be no connection any more. */
export type End = "" | "not yours" | "no spectators" | "no room" | "taken over";

export class RoomClient {
  head = $state.raw<RoomHead | null>(null);
  you = $state<number | null>(null);
  /** The place of a bot that this page takes after the hand; null: none. */
  joins = $state<number | null>(null);
  now = $state.raw<Snapshot | null>(null);
  /** The last snapshot that had a board: it stays on the table between hands. */
  seen = $state.raw<Snapshot | null>(null);
  lines = $state.raw<Line[]>([]);
  over = $state.raw<Over | null>(null);
  /** The last result, there until the next one. */
  result = $state.raw<Over | null>(null);
  promise = $state.raw<Promised | null>(null);
  hint = $state.raw<Hint | null>(null);
  /** How far the own hand was from a win when a hint last said so; null: in this hand no hint has. */
  nearest = $state<number | null>(null);
  refused = $state.raw<Bilingual | null>(null);
  online = $state(false);
  ended = $state<End>("");
  since = $state(0); // when those who are asked now were asked
  opened = $state(0); // when the line was opened: a spectators' delay counts from then
  /** What was done for this seat without it: its time was up, or it was away. */
  acted = $state.raw<{ away: boolean; lines: Line[] }>({ away: false, lines: [] });
  /** Told of every event as it happens; not of those that are only caught up with. */
  onevent: (event: EventShape) => void = () => undefined;

  /** Told of every phrase: the place of who chose it, and its number. */
  onphrase: (place: number, phrase: number) => void = () => undefined;

  /** What this seat puts into walls. */
  readonly salts = new OwnSalts();

  /** What was pressed and is not answered yet: nothing else can be pressed before. */
  pressed = $state.raw<Option | null>(null);
  /** The table as it is shown: with what was pressed done already. */
  shown = $derived.by<Snapshot | null>(() => (this.seen && this.pressed ? ahead(this.seen, this.pressed) : this.seen));
  /** What may be done now. */
  options = $derived.by<readonly Option[]>(() => (this.pressed ? [] : (this.now?.view?.options ?? [])));
  /** What happened in this hand, with what was pressed. */
  events = $derived.by<EventShape[]>(() => {
    const happened = this.lines.map((line) => line.event);
    const seat = this.now?.view?.seat;
    const { pressed } = this;
    const newer = pressed?.do === "discard" && seat && this.lines.at(-1)?.event.e !== "discard";
    return newer && pressed.tile
      ? [...happened, { e: "discard", seat, tile: pressed.tile, drawn: !!pressed.drawn }]
      : happened;
  });

  private readonly line: Link;
  private last = -1;
  private dealt = -1; // the snapshot since which one holds these tiles, and may claim or not
  behind = true; // events are being caught up with
  private spoke = false; // this seat said something since it was asked
  private undoing = false; // a move was taken back, and the hand follows again
  private missed = false; // what is caught up with happened while this page knew its seat and had no line

  constructor(
    readonly id: string,
    public token: string | null,
    /** The last message that an earlier page was shown: what this seat has done since, others did for it. */
    private before = -1,
  ) {
    this.line = new Link(() => socketTo(id), {
      hello: (): HelloMessage => {
        this.opened = Date.now();
        this.behind = true;
        this.missed = this.last >= 0;
        return { ...(this.token ? { token: this.token } : {}), after: this.last, hand: true };
      },
      heard: (message) => this.hear(message as Message),
      online: (is) => (this.online = is),
      closed: (code) => this.ends(code),
    });
  }

  open = (): void => this.line.open();
  close = (): void => this.line.close();

  /** Begins anew with another token. */
  restart(token: string | null): void {
    this.close();
    this.token = token;
    this.last = -1;
    this.lines = [];
    this.pressed = null;
    this.ended = "";
    this.open();
  }

  send(message: ClientMessage): boolean {
    return this.line.send(message);
  }

  say(option: Option): void {
    if (this.pressed) return; // the first press counts
    const { score: _, ...action } = option;
    this.refused = null;
    if (!this.send({ action, n: this.now?.n })) {
      this.refused = { zh: "已断线，重连后再操作。", en: "Connection lost. Press again once it is back." };
      return;
    }
    this.spoke = true;
    this.pressed = option;
    setTimeout(() => {
      if (this.pressed === option) this.pressed = null; // never answered: it may be pressed again
    }, UNANSWERED);
  }

  /** Takes the last move back: the server sends the hand up to there once more. */
  undo(): void {
    this.refused = null;
    if (!this.send({ undo: true }))
      this.refused = { zh: "已断线，重连后再操作。", en: "Connection lost. Press again once it is back." };
  }

  /** Why a connection was closed; whether it is worth opening again. */
  private ends(code: number): boolean {
    if (code === 4401) this.ended = this.token ? "not yours" : "no spectators";
    else if (code === 4404) this.ended = "no room";
    else if (code === 4408) this.ended = "taken over";
    return !this.ended;
  }

  private hear(message: Message): void {
    if ("room" in message) {
      this.head = message.room;
      if (message.you !== undefined) {
        this.you = message.you;
        this.joins = message.joins ?? null;
        if (this.you !== null && this.head.terms.sealed) this.send(this.salts.commit(this.you));
      }
    } else if ("over" in message) this.over = this.result = message.over;
    else if ("hint" in message) {
      if (message.hint.at < this.dealt) return; // of a hand that is no more
      this.hint = message.hint;
      this.nearest = this.hint.choices?.[0]?.missing ?? this.hint.shape?.[0]?.missing ?? this.nearest;
    } else if ("refused" in message) {
      this.refused = message.refused;
      this.pressed = null;
    } else if ("phrase" in message) this.onphrase(message.place, message.phrase);
    else if ("phase" in message) this.look(message);
    else if ("n" in message) this.follow(message, message.n);
  }

  private look(snapshot: Snapshot): void {
    const held = (one: Snapshot | null): string =>
      one?.view
        ? [one.hand, ...(one.view.hand ?? []), one.view.drawn, one.view.options.at(-1)?.do === "pass"].join()
        : "";
    if (held(snapshot) !== held(this.now)) {
      this.hint = null;
      this.dealt = snapshot.n;
    }
    this.last = snapshot.n;
    this.pressed = null;
    this.now = snapshot;
    this.since = Date.now() - 1000 * (snapshot.clock?.used ?? 0);
    this.refused = null;
    this.behind = this.undoing = false;
    if (snapshot.view?.options.length) this.spoke = false;
    if (snapshot.view) {
      this.seen = snapshot;
      this.over = null;
    }
    this.tellMissed();
    if (this.token) storeSeen(this.id, snapshot.n);
  }

  /** Notices, once for a page, what was done for this seat before it came. */
  private tellMissed(): void {
    const mine = this.now?.view?.seat;
    const { before } = this;
    this.before = -1;
    if (before < 0 || !mine) return;
    const lines = this.lines.filter((one) => one.n > before && one.event.seat === mine && isDeed(one.event));
    if (lines.length) this.acted = { away: true, lines };
  }

  private follow(message: Exclude<Extract<Message, { n: number }>, Snapshot>, n: number): void {
    if (n <= this.last) return;
    this.last = n;
    if ("undone" in message) {
      this.behind = this.undoing = true; // what comes now was seen before
    } else if ("sealed" in message) {
      // a wall is sealed once: what came first is what the end is held against
      if (this.promise?.hand !== message.sealed.hand || this.promise.salts) this.promise = message.sealed;
      if (this.you !== null && !this.undoing) this.send(this.salts.show(message.sealed, this.you));
    } else if ("hand" in message) {
      this.lines = [];
      this.over = null;
      this.nearest = null;
      this.acted = { away: false, lines: [] };
      this.missed = false; // seats may have changed: the next view tells
      const { hand, commitment, salts } = message.hand;
      if (hand === 1 && this.head?.terms.start) this.behind = true; // what comes now was played in the record
      if (commitment) this.promise = { hand, commitment };
      else this.promise = this.promise?.hand === hand ? { ...this.promise, salts } : null;
    } else if ("event" in message) {
      const line = { n, text: message.text, event: message.event };
      this.lines = [...this.lines, line];
      this.notice(line);
      if (!this.behind) this.onevent(message.event);
    }
  }

  /** Whether somebody else acted for this seat: the clock, or a bot while nobody was here. */
  private notice(line: Line): void {
    const mine = this.now?.view?.seat;
    if (!mine || line.event.seat !== mine || !isDeed(line.event) || (this.behind && !this.missed)) return;
    if (this.spoke) this.acted = { away: false, lines: [] };
    else
      this.acted = { away: this.behind, lines: this.acted.away === this.behind ? [...this.acted.lines, line] : [line] };
  }
}
