// A discard slides from the hand to the river. Only a transform of the tile that already lies there: nothing waits for
// it.
import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";
import type { Kind } from "../../lib/tiles";

const LENGTH = 160; // milliseconds
const CLAIM = 240;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Where one's own tiles lay before the last change: by kind, the drawn one under "". */
let places = new Map<string, DOMRect>();

/** Remembers where the tiles of the own hand lie; called before they change. */
export function remember(hand: HTMLElement, tiles: readonly Kind[]): void {
  places = new Map();
  hand.querySelectorAll(".tile").forEach((tile, at) => places.set(tiles[at] ?? "", tile.getBoundingClientRect()));
}

/** Where a tile of this seat set out. */
function origin(zone: Element, kind: Kind, own: boolean, asDrawn: boolean): DOMRect | undefined {
  if (own)
    return (
      places.get(asDrawn ? "" : kind) ?? places.get("") ?? document.querySelector(".own .hand")?.getBoundingClientRect()
    );
  const hand = zone.querySelector(".rack .hand");
  const rect = (asDrawn ? (hand?.lastElementChild ?? hand) : hand)?.getBoundingClientRect();
  const side = ["right", "top", "left"].find((name) => zone.classList.contains(name));
  return rect?.width ? rect : zone.closest(".area")?.querySelector(`.plate.${side}`)?.getBoundingClientRect();
}

interface Landing {
  kind: Kind;
  own: boolean;
  asDrawn: boolean;
  /** Only the newest discard flies; the others of a river that is shown at once lie there. */
  flies: boolean;
}

/** Where the newest discard lies, until it is claimed. */
let start: DOMRect | undefined;

/** A Svelte transition for a set that is laid down: it comes from where the claimed tile lay. */
export function take(node: Element, { flies }: { flies: boolean }): TransitionConfig {
  const from = flies && !calm.matches ? start : undefined;
  start = undefined;
  const to = node.getBoundingClientRect();
  if (!from || !to.width) return { duration: 0 };
  const zone = node.closest(".zone");
  const turned = new DOMMatrix(zone ? getComputedStyle(zone).transform : undefined);
  const [x, y] = [from.x + from.width / 2 - to.x - to.width / 2, from.y + from.height / 2 - to.y - to.height / 2];
  const by = turned.inverse().transformPoint(new DOMPoint(x, y, 0, 0));
  return {
    duration: CLAIM,
    easing: cubicOut,
    css: (_, left) => `transform: translate(${by.x * left}px, ${by.y * left}px) scale(${1 - left * 0.3})`,
  };
}

/** A Svelte transition for a tile of the river. */
export function land(node: Element, { kind, own, asDrawn, flies }: Landing): TransitionConfig {
  const zone = node.closest(".zone");
  if (flies) start = node.getBoundingClientRect();
  const from = flies && !calm.matches && zone ? origin(zone, kind, own, asDrawn) : undefined;
  if (!zone || !from) return { duration: 0 };
  const to = node.getBoundingClientRect();
  const turned = new DOMMatrix(getComputedStyle(zone).transform); // zones are turned by quarter turns
  const by = turned
    .inverse()
    .transformPoint(
      new DOMPoint(
        from.x + from.width / 2 - to.x - to.width / 2,
        from.y + from.height / 2 - to.y - to.height / 2,
        0,
        0,
      ),
    );
  const larger = own && from.height < 2 * from.width ? from.width / Math.min(to.width, to.height) : 1;
  return {
    duration: LENGTH,
    easing: cubicOut,
    css: (_, left) => `transform: translate(${by.x * left}px, ${by.y * left}px) scale(${1 + (larger - 1) * left})`,
  };
}
