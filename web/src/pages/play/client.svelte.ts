// One connection to a room: what was told, kept as it came. A drop is followed by "everything after n".
import { t } from "../../lib/prefs.svelte";
import type { RoomHead, Said } from "../../lib/types";
import type { Kind } from "../../lib/tiles";
import { kindsOf } from "../../components/table/shapes";
import type { EventShape, Hint, Message, Option, Over, Snapshot } from "./messages";

/** A line of the hand's record. */
export interface Line {
  n: number;
  text: Said;
  event: EventShape;
}

const PATIENCE = 12_000; // milliseconds without a word after which the line is taken to be dead

export class RoomClient {
  head = $state.raw<RoomHead | null>(null);
  you = $state<number | null>(null);
  now = $state.raw<Snapshot | null>(null);
  /** The last snapshot that had a board: it stays on the table between hands. */
  seen = $state.raw<Snapshot | null>(null);
  lines = $state.raw<Line[]>([]);
  over = $state.raw<Over | null>(null);
  promise = $state.raw<{ hand: number; commitment: string } | null>(null);
  hint = $state.raw<Hint | null>(null);
  refused = $state.raw<Said | null>(null);
  online = $state(false);
  /** Why there will be no connection, in words; empty while there may be one. */
  ended = $state("");
  since = $state(0); // when the present snapshot came

  private socket: WebSocket | null = null;
  private last = -1;
  private tries = 0;
  private again: ReturnType<typeof setTimeout> | undefined;
  private beat: ReturnType<typeof setInterval> | undefined;
  private heard = 0;
  private closed = false;

  constructor(
    readonly id: string,
    public token: string | null,
  ) {}

  open = (): void => {
    this.closed = false;
    clearTimeout(this.again);
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/rooms/${encodeURIComponent(this.id)}/ws`);
    this.socket = socket;
    this.heard = Date.now();
    socket.onopen = () => socket.send(JSON.stringify({ ...(this.token ? { token: this.token } : {}), after: this.last }));
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket !== this.socket) return;
      this.heard = Date.now();
      this.online = true;
      this.tries = 0;
      this.hear(JSON.parse(event.data) as Message);
    };
    socket.onclose = (event) => {
      if (socket !== this.socket || this.closed) return;
      this.online = false;
      clearInterval(this.beat);
      if (event.code === 4401) this.ended = this.token ? t("这个座位不再是你的。", "This place is no longer yours.") : t("这一桌不许旁观。", "This table has no spectators.");
      else if (event.code === 4404) this.ended = t("没有这个房间。", "There is no such room.");
      else this.again = setTimeout(this.open, Math.min(5000, 400 * 2 ** this.tries++));
    };
    clearInterval(this.beat);
    this.beat = setInterval(() => {
      if (Date.now() - this.heard > PATIENCE) socket.close();
      else this.send({ ping: 1 });
    }, 4000);
  };

  /** Ends it, or begins anew with another token. */
  close = (): void => {
    this.closed = true;
    clearTimeout(this.again);
    clearInterval(this.beat);
    this.socket?.close();
    this.socket = null;
  };

  restart(token: string | null): void {
    this.close();
    this.token = token;
    this.last = -1;
    this.lines = [];
    this.ended = "";
    this.open();
  }

  send(message: unknown): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  say(option: Option): void {
    const { worth: _, ...action } = option;
    this.refused = null;
    this.send({ say: action, n: this.now?.n });
  }

  private hear(message: Message): void {
    if (message.room) {
      this.head = message.room;
      if (message.you !== undefined) this.you = message.you;
    } else if (message.over) this.over = message.over;
    else if (message.hint) this.hint = message.hint;
    else if (message.refused) this.refused = message.refused;
    else if ("phase" in message) this.look(message as Snapshot);
    else if (message.n !== undefined) this.follow(message, message.n);
  }

  private look(snapshot: Snapshot): void {
    this.last = snapshot.n;
    this.now = snapshot;
    this.since = Date.now();
    this.refused = null;
    this.hint = null;
    if (snapshot.view) {
      this.seen = snapshot;
      this.over = null;
    }
  }

  private follow(message: Message, n: number): void {
    if (n <= this.last) return;
    this.last = n;
    if (message.hand) {
      this.lines = [];
      this.over = null;
      this.promise = message.hand.commitment ? { hand: message.hand.hand, commitment: message.hand.commitment } : null;
    } else if (message.event && message.text) this.lines = [...this.lines, { n, text: message.text, event: message.event }];
  }

  /** Hands laid open at the end, by wind. */
  get open_hands(): Record<Kind, Kind[]> {
    return Object.fromEntries(this.lines.filter((line) => line.event.e === "show").map((line) => [line.event.seat ?? "", kindsOf(line.event.tiles ?? "")]));
  }
}
