import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Socket as Connection } from "../../device/line";
import { Line } from "./line";

class Socket {
  static made: Socket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor() {
    Socket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 2; // a dead network: what the browser says of it comes a minute later
  }
  answer(message: unknown = {}): void {
    this.readyState = 1;
    this.onopen?.();
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const latest = (): Socket => {
  const socket = Socket.made.at(-1);
  if (!socket) throw new Error("no socket");
  return socket;
};

describe("a line", () => {
  let online: boolean[] = [];
  let heard: unknown[] = [];
  let line: Line;
  const page = new EventTarget();
  beforeEach(() => {
    vi.useFakeTimers();
    Socket.made = [];
    [online, heard] = [[], []];
    vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
    vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
    vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
    line = new Line(() => new Socket() as unknown as Connection, {
      hello: () => ({ after: 3 }),
      heard: (message) => heard.push(message),
      online: (is) => online.push(is),
      closed: (code) => code !== 4404,
    });
    line.open();
  });
  afterEach(() => {
    line.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("that dies in silence is seen and opened anew within five seconds", () => {
    latest().answer();
    expect(online.at(-1)).toBe(true);
    vi.advanceTimersByTime(5000);
    expect(Socket.made).toHaveLength(2);
    expect(online.at(-1)).toBe(false);
    latest().answer({ n: 4 });
    expect(online.at(-1)).toBe(true);
    expect(heard.at(-1)).toEqual({ n: 4 });
    expect(latest().sent[0]).toBe('{"after":3}');
  });

  it("stays while its pings are answered, however slowly the page's clock beats", () => {
    latest().answer();
    for (let k = 0; k < 20; k++) {
      vi.advanceTimersByTime(1500);
      latest().answer({ pong: 1 });
    }
    expect(Socket.made).toHaveLength(1);
    vi.setSystemTime(Date.now() + 60_000); // a hidden tab was not woken for a minute
    vi.advanceTimersByTime(1500);
    expect(Socket.made).toHaveLength(1);
  });

  it("is opened at once when the network comes back, and says what could not be sent", () => {
    latest().answer();
    page.dispatchEvent(new Event("offline"));
    expect(online.at(-1)).toBe(false);
    expect(line.send({ action: 1 })).toBe(false);
    page.dispatchEvent(new Event("online"));
    expect(Socket.made).toHaveLength(2);
    expect(line.send({ action: 1 })).toBe(false); // not before it was greeted
    latest().answer();
    expect(line.send({ action: 1 })).toBe(true);
  });

  it("is left alone once it was closed for good", () => {
    latest().answer();
    latest().onclose?.({ code: 4404 });
    vi.advanceTimersByTime(60_000);
    expect(Socket.made).toHaveLength(1);
  });
});
