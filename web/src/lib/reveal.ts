// Bringing what has just appeared into sight.
import { prefersReducedMotion } from "svelte/motion";

/** Scrolls as little as is needed to see an element whole; its `scroll-margin` keeps clear of what lies over it. */
export function reveal(element: Element | null | undefined): void {
  element?.scrollIntoView({ block: "nearest", behavior: prefersReducedMotion.current ? "instant" : "smooth" });
}
