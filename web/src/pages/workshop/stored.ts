// The drafts that this browser stores, all windows together.
import { checked, type Draft } from "./draft";

export interface Named {
  id: string;
  name: string;
  draft: Draft;
}

export const DRAFTS = "quepu.drafts";

/** The drafts, the latest first; what cannot be read as one is left out. */
export function storedDrafts(): Named[] {
  try {
    const found = JSON.parse(localStorage.getItem(DRAFTS) ?? "[]") as Named[];
    return found.flatMap(({ id, name, draft }) => {
      const whole = checked(draft);
      return whole ? [{ id, name, draft: whole }] : [];
    });
  } catch {
    return [];
  }
}

export function storeDrafts(all: readonly Named[]): void {
  try {
    localStorage.setItem(DRAFTS, JSON.stringify(all));
  } catch {
    // private windows may refuse: the drafts then last for this page
  }
}
