// Hints that are asked for without a press: anew when the hand changes, and again while tables are being built.
import { untrack } from "svelte";
import { prefs } from "../../lib/prefs.svelte";
import type { RoomClient } from "./client.svelte";

const TABLES = 2500; // milliseconds until it is asked again
const SETTLED = 120; // and after the last change of a hand

/** Asks as long as the component lives that calls this; `wanted`: this table gives hints to whoever looks. */
export function requestHints(client: RoomClient, wanted: () => boolean): void {
  const request = (): void => void client.send({ hint: true, lang: prefs.lang });
  $effect(() => {
    if (!client.hint?.preparing) return;
    const wait = setTimeout(() => prefs.aid && request(), TABLES);
    return () => clearTimeout(wait);
  });
  // asked anew, too, when tiles may have gone from what a ready hand waits for
  let requested = "";
  $effect(() => {
    const own = client.now?.view;
    if (!prefs.aid || !wanted() || !own?.hand) return;
    const claim = own.options.at(-1)?.do === "pass" ? own.board.offer : "";
    const key = [own.seat, ...own.hand, own.drawn, claim, client.now?.hand, prefs.lang].join();
    if (key === requested && untrack(() => client.hint) && !untrack(() => client.hint?.outlook?.ready)) return;
    const wait = setTimeout(() => {
      requested = key;
      request();
    }, SETTLED);
    return () => clearTimeout(wait);
  });
}
