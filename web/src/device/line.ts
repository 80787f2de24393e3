// A line to a room: the server's socket, or for a table that is played on this device the worker, which takes and gives
// the same messages.
import { isHere } from "./here";
import { onLine, toLine } from "./device";

/** What a line needs of a socket. */
export interface Socket {
  readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: MessageEvent<string>) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
  /** Within this browser: no network can lose it, and its first answer may take as long as Python needs to start. */
  readonly local?: boolean;
}

const OPEN = 1;
const CLOSED = 3;
let lines = 0;

class DeviceSocket implements Socket {
  readonly local = true;
  readyState = 0;
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  private readonly number = ++lines;
  private greeted = false;

  constructor(private readonly room: string) {
    onLine(this.number, (text, code) => {
      if (text) this.onmessage?.({ data: text } as MessageEvent<string>);
      else {
        this.readyState = CLOSED;
        this.onclose?.({ code });
      }
    });
    queueMicrotask(() => {
      if (this.readyState === CLOSED) return;
      this.readyState = OPEN;
      this.onopen?.();
    });
  }

  send(text: string): void {
    // a ping asks whether the network is there
    if (this.greeted && "ping" in (JSON.parse(text) as object))
      return queueMicrotask(() => this.onmessage?.({ data: '{"pong":1}' } as MessageEvent<string>));
    toLine(this.greeted ? { line: this.number, text } : { line: this.number, room: this.room, hello: text });
    this.greeted = true;
  }

  close(): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    onLine(this.number, null);
    if (this.greeted) toLine({ line: this.number, close: true });
  }
}

const address = (room: string): string =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/rooms/${encodeURIComponent(room)}/ws`;

export const socketTo = (room: string): Socket =>
  isHere(room) ? new DeviceSocket(room) : (new WebSocket(address(room)) as Socket);
