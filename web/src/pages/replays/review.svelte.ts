// The review of a match: asked for, watched while it is worked out, read hand by hand. The server values and grades.
import { get, post, remove } from "../../lib/api.svelte";
import type { HandReview, ReviewDecision, ReviewState } from "../../lib/types";

const BEAT = 900; // milliseconds between two looks
const FIRST_BEAT = 300; // until the first hand is graded
export const BAD: readonly ReviewDecision["grade"][] = ["mistake", "blunder"];
/** Worth a look: what is marked in lists and on the slider. */
export const MARKED: readonly ReviewDecision["grade"][] = ["slip", ...BAD];

export class Reviewer {
  state = $state.raw<ReviewState | null>(null);
  failed = $state("");
  /** Hands that were fetched, by number. */
  hands = $state.raw<Record<number, HandReview>>({});

  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(readonly address: string) {}

  get busy(): boolean {
    return ["waiting", "preparing", "running"].includes(this.state?.state ?? "");
  }

  load = (): Promise<void> => this.take(get<ReviewState>(`${this.address}/review`));
  start = (): Promise<void> => this.take(post<ReviewState>(`${this.address}/review`, {}));
  /** Loads the review, and starts it if nobody has asked for it yet. */
  begin = async (): Promise<void> => {
    await this.load();
    if (this.state?.state === "none") await this.start();
  };
  cancel = (): Promise<void> => this.take(remove<ReviewState>(`${this.address}/review`));
  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }

  private async take(answer: Promise<ReviewState>): Promise<void> {
    clearTimeout(this.timer);
    try {
      this.state = await answer;
      this.failed = "";
    } catch (problem) {
      this.failed = (problem as Error).message;
    }
    if (this.busy && !this.ended) this.timer = setTimeout(() => void this.load(), this.state?.done ? BEAT : FIRST_BEAT);
  }

  /** Fetches a hand that is reviewed; null while it is not. */
  async hand(number: number): Promise<HandReview | null> {
    const loaded = this.hands[number];
    if (loaded) return loaded;
    if (!this.state?.hands.some((hand) => hand.number === number)) return null;
    try {
      const found = await get<HandReview>(`${this.address}/review/${number}`);
      this.hands = { ...this.hands, [number]: found };
      return found;
    } catch (problem) {
      this.failed = (problem as Error).message;
      return null;
    }
  }
}
