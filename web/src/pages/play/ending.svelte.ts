// The end of a hand on the felt: the won hand is seen before its result, a great one called by its name. A press or a
// key goes on.
import { prefersReducedMotion } from "svelte/motion";
import { untrack } from "svelte";
import { say } from "../../lib/prefs.svelte";
import { sound } from "../../lib/sounds";
import { shout } from "../../lib/voice";
import type { RoomClient } from "./client.svelte";

const WIN = 1200; // milliseconds
const GREAT = 2200; // of a great hand

class Ending {
  /** What a great hand is called, while it is celebrated. */
  great = $state("");
}

/** Shows ends of hands as long as the component lives that calls this: `hide` and `show` are for the result. */
export function showEnding(client: RoomClient, show: () => void, hide: () => void): Ending {
  const ending = new Ending();
  $effect.pre(() => {
    const { over } = client;
    if (!over) return;
    const end = (): void => {
      ending.great = "";
      show();
    };
    if (prefersReducedMotion.current || client.behind) return end();
    hide();
    const great = over.great ? untrack(() => say(over.great!)) : "";
    ending.great = great;
    if (great) {
      shout(great);
      sound("great");
    }
    const wait = setTimeout(end, great ? GREAT : over.winner ? WIN : 0);
    addEventListener("pointerdown", end, { once: true });
    addEventListener("keydown", end, { once: true });
    return () => {
      ending.great = "";
      clearTimeout(wait);
      removeEventListener("pointerdown", end);
      removeEventListener("keydown", end);
    };
  });
  return ending;
}
