// Who is who at one's tables: the server's roster, and what is changed in it.
import { get, post } from "../../lib/api.svelte";
import { newKey } from "../../lib/outbox.svelte";
import type { RosterChange, RosterView } from "../../lib/types";
import { who } from "../../lib/who";

export class RosterState {
  view = $state<RosterView | null>(null);
  refused = $state("");
  busy = $state(false);

  async load(): Promise<void> {
    this.view = await get<RosterView>("/api/roster").catch(() => null); // without a server there is none
  }

  /** Whether it was written; else `refused` says why not. */
  async write(record: RosterChange["record"]): Promise<boolean> {
    if (!this.view) return false;
    this.busy = true;
    this.refused = "";
    try {
      const change = { who: who(), seen: this.view.length, key: newKey(), record };
      this.view = await post<RosterView>("/api/roster", change);
      return true;
    } catch (problem) {
      this.refused = (problem as Error).message;
      await this.load();
      return false;
    } finally {
      this.busy = false;
    }
  }
}
