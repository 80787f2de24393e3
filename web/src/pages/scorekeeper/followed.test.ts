import { beforeEach, expect, it, vi } from "vitest";
import { FollowedTable } from "./followed.svelte";

const view = (length: number) => ({ length, title: "", names: [], news: [], readonly: false });
type View = ReturnType<typeof view>;
/** The log of a server, or null where there is none, and how long the copy of it on this device is. */
let server: number | null = 2;
let copy = 2;
let copying = true;
let looks = 0;
/** What a change that is sent waits for before the server answers. */
let way: Promise<void> = Promise.resolve();
/** What a look at the server's table waits for before it is back. */
let back: Promise<void> = Promise.resolve();
let stored: { n: number; key: string; taken?: number }[] = [];

vi.mock("./joined", () => ({ join: () => undefined }));
vi.mock("../../lib/live", () => ({ follow: () => () => undefined }));
vi.mock("../../lib/prefs.svelte", () => ({ say: String, t: (zh: string) => zh, prefs: {} }));
vi.mock("../../device/device", () => ({ tableHere: () => Promise.resolve("copy") }));
vi.mock("../../device/copies", () => ({
  storeCopy: () => {
    if (!copying || server === null) return Promise.resolve();
    copy = server;
    stored = stored.filter((one) => !one.taken || one.taken > copy);
    return Promise.resolve();
  },
}));
vi.mock("../../device/store", () => ({
  onStore: () => () => undefined,
  openStore: () =>
    Promise.resolve({
      wait: (one: { key: string }) => {
        const entry = { ...one, n: stored.length + 1 };
        stored.push(entry);
        return Promise.resolve(entry);
      },
      waiting: () => Promise.resolve(stored.filter((one) => !one.taken)),
      taken: ({ n }: { n: number }, length?: number) => {
        stored = stored.flatMap((one) => (one.n !== n ? one : length === undefined ? [] : { ...one, taken: length }));
        return Promise.resolve();
      },
    }),
}));
vi.mock("../../lib/api.svelte", () => {
  class Refused extends Error {
    status = 0;
  }
  /** What this device makes of its copy and of what the copy has not. */
  const here = (): View => view(copy + stored.length);
  return {
    Refused,
    getAnywhere: async () => {
      looks++;
      const seen = { answer: server === null ? here() : view(server), server: server !== null };
      await back;
      return seen;
    },
    postAnywhere: async () => {
      await way;
      if (server === null) throw new Refused();
      return { answer: view(++server), server: true };
    },
    fromServerAlone: () =>
      Promise.resolve(server === null ? null : { status: 200, text: JSON.stringify(view(++server)) }),
  };
});
beforeEach(() => {
  [server, copy, copying, stored] = [2, 2, true, []];
  way = back = Promise.resolve();
});

it("shows what the server took, and goes on from it, where the network goes before the copy came", async () => {
  const table = new FollowedTable("t");
  await table.load();
  copying = false;
  expect(await table.change({ do: "add" })).toBeNull();
  expect([table.view?.length, copy]).toEqual([3, 2]);
  server = null;
  expect(await table.change({ do: "add" })).toBeNull();
  expect([table.view?.length, table.ahead, table.outbox.waiting.length]).toEqual([4, 1, 1]);
  [server, copying] = [3, true];
  await table.load();
  expect([table.view?.length, table.outbox.waiting.length, stored.length]).toEqual([4, 0, 0]);
});

it("leaves on the page what others wrote, where the network goes before the copy came", async () => {
  const table = new FollowedTable("t");
  await table.load();
  copying = false;
  server = 4;
  await table.load();
  server = null;
  expect(await table.change({ do: "add" })).toBeNull();
  expect([table.view?.length, table.ahead, table.outbox.waiting.length]).toEqual([4, 0, 1]);
  [server, copying] = [4, true];
  await table.load();
  expect([table.view?.length, table.outbox.waiting.length, stored.length]).toEqual([5, 0, 0]);
});

it("looks once more, however often it is called while it looks", async () => {
  const table = new FollowedTable("t");
  looks = 0;
  const first = table.load();
  server = 3;
  await Promise.all([first, ...Array.from({ length: 9 }, () => table.load())]);
  expect([table.view?.length, looks]).toEqual([3, 2]);
});

it("does not say that a change waited which something else sent while it was on its way", async () => {
  const table = new FollowedTable("on-its-way");
  await table.load();
  let arrive = (): void => undefined;
  way = new Promise((done) => (arrive = done));
  const change = table.change({ do: "add" });
  await vi.waitFor(() => expect([stored.length, table.sending]).toEqual([1, true]));
  await table.load(); // somebody else wrote, or the server says so before it answers: what is stored is sent
  arrive();
  expect(await change).toBeNull();
  expect([table.outbox.sent, table.outbox.waiting.length]).toEqual([0, 0]);
});

it("does not go back to what a look saw before a change was taken", async () => {
  const table = new FollowedTable("late");
  await table.load();
  let arrive = (): void => undefined;
  back = new Promise((done) => (arrive = done));
  [looks] = [0];
  const late = table.load();
  await vi.waitFor(() => expect(looks).toBe(1));
  expect(await table.change({ do: "add" })).toBeNull();
  expect(table.view?.length).toBe(3);
  arrive();
  await late;
  expect([table.view?.length, looks]).toEqual([3, 2]);
});

it("shows a server's table that is shorter than it was: a backup was put back", async () => {
  const table = new FollowedTable("put-back");
  server = 5;
  await table.load();
  server = 3;
  await table.load();
  expect(table.view?.length).toBe(3);
});
