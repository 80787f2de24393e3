// A question about a choice: asked, answered at once, and sharpened by playouts while it is read.
import { post } from "./api.svelte";
import type { AskAnswer, AskChoice, AskChoices, ReviewChoice } from "./types";

const LEAFING = 150; // milliseconds that one stays at a moment before its choices are asked for
const ENOUGH = 256; // worlds that are played without being asked for
/** Milliseconds until it is asked once more: earlier questions wait before it, or tables are being built. */
const AGAIN: Partial<Record<number, number>> = { 429: 1000, 503: 3000 };

/** An action in the words that the server reads. */
export const wordsOf = ({ do: what, tile, low }: Pick<ReviewChoice, "do" | "tile" | "low">): string =>
  what === "discard"
    ? (tile ?? "")
    : what === "chow"
      ? `chow ${low}`
      : ["concealed", "added", "kong"].includes(what)
        ? `kong ${tile}`
        : what;

/** What can be asked about at a moment, as the server lists it. */
export class Choices {
  list = $state.raw<AskChoice[]>([]);
  failed = $state("");
  private readonly stop = new AbortController();
  private timer: ReturnType<typeof setTimeout>;

  /** It is asked for after a moment: somebody who leafs through a replay passes many choices. */
  constructor(address: string, about: Record<string, unknown>) {
    this.timer = setTimeout(() => void this.load(address, about), LEAFING);
  }

  close(): void {
    clearTimeout(this.timer);
    this.stop.abort();
  }

  private async load(address: string, about: Record<string, unknown>): Promise<void> {
    try {
      this.failed = "";
      this.list = (await post<AskChoices>(`${address}/choices`, about, this.stop.signal)).choices;
    } catch (problem) {
      if (this.stop.signal.aborted) return;
      const again = AGAIN[(problem as { status?: number }).status ?? 0];
      if (again) this.timer = setTimeout(() => void this.load(address, about), again);
      else this.failed = (problem as Error).message;
    }
  }
}

export interface Assumptions {
  /** Winds of seats that are ready. */
  ready: string[];
  /** Tiles that the other seats hold. */
  gone: string;
  /** The fan that is gone for. */
  aim: string;
}

export class Question {
  answer = $state.raw<AskAnswer | null>(null);
  failed = $state("");
  busy = $state(false);
  /** The action asked about, in the server's words; empty: nothing yet. */
  instead = $state("");
  wanted = $state(ENOUGH);
  assumed = $state<Assumptions>({ ready: [], gone: "", aim: "" });
  private stop: AbortController | null = null;

  /** `address` and `about` say which moment it is. */
  constructor(
    readonly address: string,
    readonly about: Record<string, unknown>,
  ) {}

  ask(instead: string): void {
    this.instead = instead;
    this.wanted = ENOUGH;
    this.answer = null;
    void this.run();
  }

  more(): void {
    this.wanted = Math.max(2 * (this.answer?.played?.worlds ?? 0), ENOUGH);
    void this.run();
  }

  close(): void {
    this.stop?.abort();
    this.stop = null;
    this.busy = false;
  }

  private async run(): Promise<void> {
    this.close();
    const stop = (this.stop = new AbortController());
    this.busy = true;
    this.failed = "";
    try {
      do {
        const played = this.answer?.played ?? null;
        const play = this.answer ? this.wanted : 0;
        const { ready, gone, aim } = this.assumed;
        const body = { ...this.about, instead: this.instead, ready, gone, aim, play, played };
        this.answer = await post<AskAnswer>(this.address, body, stop.signal);
      } while (!this.answer.lacking && (this.answer.played?.worlds ?? 0) < this.wanted);
    } catch (problem) {
      if (stop.signal.aborted) return;
      this.failed = (problem as Error).message;
      const again = AGAIN[(problem as { status?: number }).status ?? 0];
      if (again) setTimeout(() => stop === this.stop && void this.run(), again);
    }
    if (stop === this.stop) this.busy = false;
  }
}
