// Whether the wall shown after a hand is the one that was promised before it: SHA-256 over wall, dice and salt.
import type { RevealedWall as Reveal } from "../../lib/types";

export type Verdict = "same" | "other" | "unpromised" | "cannot";

/** `promised` is what this browser was told before the hand; undefined if it came later. */
export async function proved(reveal: Reveal, promised: string | undefined): Promise<Verdict> {
  if (!reveal.commitment || reveal.salt === undefined) return "unpromised";
  if (!globalThis.crypto?.subtle) return "cannot"; // only over https or on this machine
  const bytes = new TextEncoder().encode(`${reveal.wall} ${reveal.dice.join("")} ${reveal.salt}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const found = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return found === reveal.commitment && (promised === undefined || promised === found) ? "same" : "other";
}
