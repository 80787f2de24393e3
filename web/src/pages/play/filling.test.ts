import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RoomHead } from "../../lib/types";
import { Filling, PATIENCE } from "./filling.svelte";

const head = (...names: string[]): RoomHead =>
  ({
    free: 4 - names.length,
    places: [0, 1, 2, 3].map((at) => ({ name: names[at] ?? "", kind: names[at] ? "person" : "free" })),
  }) as unknown as RoomHead;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("bots fill in once nobody has come for a while, and not before", () => {
  const ready = vi.fn(() => true);
  const filling = new Filling(ready);
  filling.look(head("a"));
  vi.advanceTimersByTime(PATIENCE - 1000);
  expect(ready).not.toHaveBeenCalled();
  expect(filling.left).toBe(1);
  filling.look(head("a")); // a spectator came: nothing changes
  filling.look(head("a", "b")); // a player: everybody waits anew
  vi.advanceTimersByTime(PATIENCE - 1000);
  expect(ready).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(ready).toHaveBeenCalledTimes(1);
  expect(filling.left).toBeNull();
  vi.advanceTimersByTime(PATIENCE);
  expect(ready).toHaveBeenCalledTimes(1);
});

test("a full table begins at once", () => {
  const ready = vi.fn(() => true);
  new Filling(ready).look(head("a", "b", "c", "d"));
  expect(ready).toHaveBeenCalledTimes(1);
});

test("a lost connection is waited for", () => {
  let online = false;
  const ready = vi.fn(() => online);
  const filling = new Filling(ready);
  filling.look(head("a"));
  vi.advanceTimersByTime(PATIENCE + 1000);
  expect(filling.left).toBe(0);
  online = true;
  vi.advanceTimersByTime(500);
  expect(filling.left).toBeNull();
});
