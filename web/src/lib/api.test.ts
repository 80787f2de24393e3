import { beforeEach, expect, it, vi } from "vitest";
import { get, listedHere, network, post, Refused, textFrom } from "./api.svelte";

const requests: string[] = [];
const named: boolean[] = [];
let online = true;
const LOGS: Record<string, { copy?: boolean }> = { here: {}, copy: { copy: true } };
const waits = { key: "k1", body: { do: "undo", key: "k1" } };

vi.mock("../device/store", () => ({
  openStore: () =>
    Promise.resolve({
      log: (id: string) => Promise.resolve(LOGS[id]),
      logs: () => Promise.resolve(Object.values(LOGS)),
      notCopied: () => Promise.resolve([waits]),
    }),
}));

/** The worker that answers in the browser. */
class Here {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  postMessage({ number, address, ahead }: { number: number; address: string; ahead?: object }): void {
    requests.push(`here ${address}${ahead ? ` ${JSON.stringify(ahead)}` : ""}`);
    queueMicrotask(() =>
      this.onmessage?.({ data: { number, status: 200, type: "application/json", body: '["here"]' } }),
    );
  }
}
vi.stubGlobal("Worker", Here);
vi.stubGlobal("fetch", (address: string, { headers }: RequestInit) => {
  requests.push(`server ${address}`);
  named.push(new Headers(headers).has("X-Who"));
  const late = /^\/api\/tables\/(late\w*)/.exec(address)?.[1];
  if (late) LOGS[late] = { copy: true }; // another request brought it meanwhile
  if (!online) return Promise.reject(new TypeError("no network"));
  if (address.includes("gone"))
    return Promise.resolve(Response.json({ error: "没有这张桌。", at: 3 }, { status: 404 }));
  return Promise.resolve(new Response('"server"', { headers: { "content-type": "application/json" } }));
});
beforeEach(() => {
  requests.length = 0;
  named.length = 0;
  online = true;
  network.offline = false;
});

it("goes on with a table of this browser when the server is back", async () => {
  expect(await get("/api/tables/here")).toEqual(["here"]);
  expect(await post("/api/tables/here/preview", {})).toEqual(["here"]);
  expect(requests).toEqual(["here /api/tables/here", "here /api/tables/here/preview"]);
});

it("asks the server alone about a table of the server", async () => {
  expect(await post("/api/tables/there", {})).toBe("server");
  online = false;
  await expect(post("/api/tables/there", {})).rejects.toThrow(/服务器|server/);
  expect(requests).toEqual(["server /api/tables/there", "server /api/tables/there"]);
});

it("reads its copy of the server's table without a server, with what waits, and writes nothing to it", async () => {
  expect(await get("/api/tables/copy")).toBe("server");
  online = false;
  expect(await get("/api/tables/copy")).toEqual(["here"]);
  await expect(post("/api/tables/copy", {})).rejects.toThrow(/服务器|server/);
  expect(requests.slice(1)).toEqual([
    "server /api/tables/copy",
    `here /api/tables/copy {"id":"copy","changes":[{"do":"undo","key":"k1"}]}`,
    "server /api/tables/copy",
  ]);
});

it("uses a copy that came while the server was asked in vain", async () => {
  online = false;
  expect(await get("/api/tables/late")).toEqual(["here"]);
  expect(await textFrom("/api/tables/later/export")).toBe('["here"]');
});

it("shows the sentence of a refusal, of whatever was asked", async () => {
  for (const request of [get, textFrom])
    await expect(request("/api/tables/gone")).rejects.toMatchObject({ message: "没有这张桌。", status: 404, at: 3 });
});

it("opens a table with the server, or here where there is none", async () => {
  expect(await post("/api/tables", {})).toBe("server");
  online = false;
  expect(await post("/api/tables", {})).toEqual(["here"]);
  expect(await post("/api/tables/import", {})).toEqual(["here"]);
  expect(network.offline).toBe(true);
});

it("lists what this browser keeps beside what the server has", async () => {
  expect(await listedHere("/api/tables")).toEqual(["here"]);
  expect(requests).toEqual(["here /api/tables"]);
});

it("asks this browser about its own matches, and a server alone about the server's", async () => {
  expect(await get("/api/rooms/here-abc")).toEqual(["here"]);
  expect(await get("/api/replays/here-abc/hands/1")).toEqual(["here"]);
  expect(await get("/api/rooms/abc")).toBe("server");
  online = false;
  await expect(get("/api/rooms/abc")).rejects.toThrow(/服务器|server/);
  await expect(get("/api/replays/abc")).rejects.toThrow(/服务器|server/);
  expect(await get("/api/rooms/levels")).toEqual(["here"]);
  expect(await post("/api/rooms", {})).toEqual(["here"]);
  expect(await post("/api/replays", {})).toEqual(["here"]);
});

it("shows a refusal as a sentence that begins with a capital, unless it begins with a notation or a name", () => {
  const shown = ["these tiles make no win.", "这些牌不成和牌形。", "yuque-54 is no book.", "12x: no tile."].map(
    (sentence) => new Refused(sentence, 400).message,
  );
  expect(shown).toEqual(["These tiles make no win.", "这些牌不成和牌形。", "yuque-54 is no book.", "12x: no tile."]);
});

it("says who asks for friends, and does not where nobody's own things are meant", async () => {
  await get("/api/friends?at=");
  await get("/api/rooms/abc");
  expect(named).toEqual([true, false]);
});
