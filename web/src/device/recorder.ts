// Makes the snapshot from which the next visit starts: Python with everything imported, in a worker that does this
// alone. It is some 60 MB of memory, fetched from nowhere, and made once for a bundle.
import { snapshotOf } from "../../device/python.mjs";
import { CACHE, snapshotAddress } from "./bundle";
import { readBundle, startPlain } from "./python";

async function record(): Promise<void> {
  const [bundle, cache] = await Promise.all([readBundle(), caches.open(CACHE)]);
  const address = snapshotAddress(bundle);
  if (await cache.match(address)) return;
  const python = await startPlain(bundle, true);
  await python.runPythonAsync("await prepare()");
  await cache.put(address, new Response(new Blob(snapshotOf(python))));
}

/** Of several pages one does it. */
const alone = (): Promise<unknown> =>
  navigator.locks.request("quepu.recorder", { ifAvailable: true }, async (lock) => lock && (await record()));

alone().then(
  () => postMessage({ done: true }),
  (problem: unknown) => {
    console.warn(problem); // no caches, or no room in them: the next start is a plain one
    postMessage({ done: false });
  },
);
