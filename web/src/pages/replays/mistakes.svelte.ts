// What the review of a match has on the player looked at: the decision at this picture, marks, the way to the next
// mistake.
import { say } from "../../lib/prefs.svelte";
import { WINDS } from "../../lib/tiles";
import type { Projector } from "./projector.svelte";
import { BAD, MARKED, type Reviewer } from "./review.svelte";

export class Mistakes {
  private searching = false;

  constructor(
    private readonly show: Projector,
    private readonly review: Reviewer,
  ) {}

  private readonly first = $derived.by(() => this.show.hand?.first ?? 0);
  private readonly mine = $derived.by(() => {
    const hand = this.show.hand;
    const decisions = (hand && this.review.hands[hand.number]?.decisions) || [];
    return decisions.filter((one) => one.seat === WINDS[this.show.seat]);
  });
  private readonly marked = $derived.by(() => this.mine.filter((one) => MARKED.includes(one.grade)));

  /** The last decision of the player before or at this picture. */
  readonly decision = $derived.by(() => this.mine.findLast((one) => this.first + one.frame <= this.show.at) ?? null);
  /** Whether it is at this picture. */
  readonly here = $derived.by(
    () => !!this.decision && !!this.show.hand && this.first + this.decision.frame === this.show.at,
  );
  /** It, if it is a discard that is about to be made. */
  readonly discard = $derived.by(() => (this.here && this.decision?.kind === "discard" ? this.decision : null));
  readonly ticks = $derived.by(() =>
    this.marked.map((one) => ({ at: this.first + one.frame, bad: BAD.includes(one.grade) })),
  );
  readonly marks = $derived.by(() =>
    Object.fromEntries(
      this.marked.map((one) => [this.first + one.frame, { word: say(one.word), bad: BAD.includes(one.grade) }]),
    ),
  );

  /**
   * To the next (1) or last (-1) mistake of the player, in this hand or another one that is reviewed; false: there is
   * none.
   */
  async go(by: 1 | -1): Promise<boolean> {
    const { show, review } = this;
    const hand = show.hand;
    if (this.searching || !hand) return true;
    this.searching = true;
    const player = show.player;
    const order =
      by > 0
        ? show.hands.filter((one) => one.number >= hand.number)
        : show.hands.filter((one) => one.number <= hand.number).reverse();
    try {
      for (const one of order) {
        const found = await review.hand(one.number);
        const seat = WINDS[one.players.indexOf(player)];
        const spots = (found?.decisions ?? [])
          .filter((each) => each.seat === seat && BAD.includes(each.grade))
          .map((each) => one.first + each.frame);
        const next = by > 0 ? spots.find((at) => at > show.at) : spots.findLast((at) => at < show.at);
        if (next !== undefined) {
          show.stop();
          show.to(next);
          return true;
        }
      }
      return false;
    } finally {
      this.searching = false;
    }
  }
}
