import { beforeEach, expect, it, vi } from "vitest";
import { Outbox } from "./outbox.svelte";

interface View {
  length: number;
  keys: string[];
}
/** A server's log: it takes what fits its length, and the same key once. */
const log: View = { length: 1, keys: [] };
let answers = true;
let posts = 0;
let stored: { n: number; key: string; taken?: number }[] = [];

vi.mock("../device/store", () => ({
  openStore: () =>
    Promise.resolve({
      wait: (one: { key: string }) => {
        const entry = { ...one, n: stored.length + 1 };
        stored.push(entry);
        return Promise.resolve(entry);
      },
      waiting: () => Promise.resolve(stored.filter((one) => !one.taken)),
      taken: ({ n }: { n: number }, length?: number) =>
        Promise.resolve(
          void (stored =
            length === undefined
              ? stored.filter((one) => one.n !== n)
              : stored.map((one) => (one.n === n ? { ...one, taken: length } : one))),
        ),
    }),
}));
vi.mock("./api.svelte", () => ({
  fromServerAlone: (method: string, _address: string, body?: { key: string; seen: number }) => {
    if (!answers) return Promise.resolve(null);
    if (method === "POST") posts++;
    const found = body !== undefined && log.keys.includes(body.key);
    if (method === "POST" && body && !found) {
      if (body.seen !== log.length) return Promise.resolve({ status: 409, text: "{}" });
      if (body.key === "wrong") return Promise.resolve({ status: 400, text: '{"error": "no"}' });
      log.keys.push(body.key);
      log.length += 1;
    }
    return Promise.resolve({ status: 200, text: JSON.stringify(log) });
  },
}));
beforeEach(() => {
  Object.assign(log, { length: 1, keys: [] });
  answers = true;
  posts = 0;
  stored = [];
});
const view = (): View => structuredClone(log);

it("sends what waits in its order, and each once", async () => {
  const outbox = new Outbox<View>("/api/tables/t");
  answers = false;
  for (const key of ["a", "b", "c"]) await outbox.add({ do: "add", key }, 1);
  await outbox.send(view());
  expect(stored.length).toBe(3);
  answers = true;
  log.keys.push("a"); // its answer was lost
  log.length = 2;
  expect((await outbox.send(view())).keys).toEqual(["a", "b", "c"]);
  expect(stored).toEqual([]);
});

it("stores what the server took until the copy of the log has it, and sends it no more", async () => {
  const outbox = new Outbox<View>("/api/tables/t", true);
  for (const key of ["a", "b"]) await outbox.add({ do: "add", key }, 1);
  await outbox.send(view());
  expect(stored.map(({ key, taken }) => [key, taken])).toEqual([
    ["a", 2],
    ["b", 3],
  ]);
  await outbox.read();
  expect(outbox.waiting).toEqual([]);
});

it("counts what was sent once, whoever sent it, until somebody writes again", async () => {
  const address = "/api/tables/counted";
  const [page, carrier] = [new Outbox<View>(address), new Outbox<View>(address)];
  await page.add({ do: "add", key: "a" }, 1);
  await page.add({ do: "add", key: "b" }, 1);
  await carrier.read();
  await Promise.all([page.send(view()), carrier.send(view())]);
  expect([log.keys, page.sent, carrier.sent]).toEqual([["a", "b"], 2, 2]);
  await page.add({ do: "add", key: "c" }, 3);
  expect(page.sent).toBe(0);
});

it("waits for somebody to look where others wrote, and then comes after them", async () => {
  const outbox = new Outbox<View>("/api/tables/t");
  await outbox.add({ do: "add", key: "mine" }, 1);
  await outbox.add({ do: "undo", key: "back" }, 1);
  Object.assign(log, { length: 3, keys: ["x", "y"] });
  await outbox.send(view());
  expect(outbox.overtaken).toBe(3);
  expect(stored.length).toBe(2);
  const after = await outbox.send(view(), true);
  expect(after.keys, "undoing would have taken back what others wrote").toEqual(["x", "y", "mine"]);
  expect(stored).toEqual([]);
});

it("says why something is refused, and lets the rest follow once that is dropped", async () => {
  const outbox = new Outbox<View>("/api/tables/t");
  const wrong = await outbox.add({ do: "add", key: "wrong" }, 1);
  await outbox.add({ do: "add", key: "right" }, 1);
  await outbox.send(view());
  expect(outbox.refused).toBe("no");
  await outbox.taken(wrong);
  expect((await outbox.send(view())).keys).toEqual(["right"]);
});

it("asks the server once for what it does not take, whoever brings it", async () => {
  const page = new Outbox<View>("/api/tables/stopped");
  await page.add({ do: "add", key: "mine" }, 1);
  Object.assign(log, { length: 2, keys: ["theirs"] });
  await page.send(view());
  for (let again = 0; again < 3; again++) {
    const carrier = new Outbox<View>("/api/tables/stopped"); // as what carries everything makes one each time
    await carrier.read();
    await carrier.send(view());
    expect(carrier.overtaken).toBe(2);
  }
  expect(posts).toBe(1);
  Object.assign(log, { length: 3, keys: ["theirs", "more"] });
  await page.send(view());
  expect([posts, page.overtaken], "there is more to look at").toEqual([2, 3]);
  expect((await page.send(view(), true)).keys).toEqual(["theirs", "more", "mine"]);
});
