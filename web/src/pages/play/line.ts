// A socket that is opened again whenever it is lost. A line is dead when a ping stays unanswered: a lost network closes
// nothing by itself for a minute, so the socket is left behind and another one opened.

import type { Socket } from "../../device/line";

/** Milliseconds between two looks at the line, and for which a ping may stay away: a little under two looks, which are
 * not punctual to the millisecond; so a dead line is seen after 4.5 s at most. */
export const BEAT = 1500;
export const PATIENCE = 2800;
const OPEN = 1; // a socket's state
/** For which the first answer may stay away. */
const FIRST = 10_000;
const LONGEST = 5000;

/** The same for what is played within this browser: Python may have to start first. */
const FIRST_HERE = 180_000;

export interface Ends {
  /** What is sent first on every connection. */
  hello: () => unknown;
  heard: (message: unknown) => void;
  online: (is: boolean) => void;
  /** It was closed with this code; whether it is to be opened again. */
  closed: (code: number) => boolean;
}

export class Line {
  private socket: Socket | null = null;
  private waitsSince = 0; // when the oldest unanswered question was sent; 0: none
  private first = true; // nothing was heard on this connection
  private tries = 0;
  private again: ReturnType<typeof setTimeout> | undefined;
  private beat: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly connect: () => Socket,
    private readonly ends: Ends,
  ) {}

  open(): void {
    this.drop();
    const socket = this.connect();
    this.socket = socket;
    this.first = true;
    this.waitsSince = Date.now();
    socket.onopen = () => socket.send(JSON.stringify(this.ends.hello()));
    socket.onmessage = (event: MessageEvent<string>) => {
      this.waitsSince = 0;
      this.first = false;
      this.tries = 0;
      this.ends.online(true);
      this.ends.heard(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      this.drop();
      if (this.ends.closed(event.code)) this.later();
    };
    this.beat = setInterval(this.look, BEAT);
    addEventListener("online", this.wake);
    addEventListener("offline", this.lost);
    addEventListener("pageshow", this.wake);
    document.addEventListener("visibilitychange", this.wake);
  }

  close(): void {
    this.drop();
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.lost);
    removeEventListener("pageshow", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
  }

  /** Whether it left this page. */
  send(message: unknown): boolean {
    if (this.socket?.readyState !== OPEN || this.first) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Leaves the socket behind; nothing is heard of it any more. */
  private drop(): void {
    clearTimeout(this.again);
    clearInterval(this.beat);
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.ends.online(false);
  }

  private later(): void {
    this.again = setTimeout(() => this.open(), Math.min(LONGEST, 400 * 2 ** this.tries++));
  }

  private look = (): void => {
    const waited = this.waitsSince ? Date.now() - this.waitsSince : 0;
    if (waited >= (!this.first ? PATIENCE : this.socket?.local ? FIRST_HERE : FIRST)) {
      this.drop();
      this.open();
    } else if (!this.waitsSince && this.send({ ping: 1 })) this.waitsSince = Date.now();
  };

  /** The network or the page is back: no waiting for the next try. */
  private wake = (): void => {
    if (document.visibilityState === "hidden") return;
    if (this.socket) this.look();
    else if (this.ends.closed(0)) this.open();
  };

  private lost = (): void => {
    if (this.socket?.local) return;
    this.drop();
    this.later();
  };
}
