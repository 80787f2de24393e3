import { expect, test, vi } from "vitest";

const address = new URL("http://here/scorekeeper/desk/DESK");
vi.stubGlobal("location", address);
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("scrollTo", () => undefined);
vi.stubGlobal("history", {
  pushState: (_state: unknown, _title: string, to: string) => (address.href = new URL(to, address).href),
});
const { go, pathUnder, route } = await import("./route.svelte");

test("a page that still stands does not take the address of the page that is being fetched", () => {
  const scorekeeper = pathUnder("/scorekeeper");
  const play = pathUnder("/play");
  expect(scorekeeper()).toBe("/scorekeeper/desk/DESK");
  go("/play/ROOM"); // the scorekeeper stands until this page is there: from `route.path` it took a table of the id ROOM
  expect(route.path).toBe("/play/ROOM");
  expect(scorekeeper()).toBe("/scorekeeper/desk/DESK");
  expect(play()).toBe("/play/ROOM");
  go("/scorekeeper/TABLE");
  expect(scorekeeper()).toBe("/scorekeeper/TABLE");
  go("/scorekeepers"); // another page, whatever its name begins with
  expect(scorekeeper()).toBe("/scorekeeper/TABLE");
});
