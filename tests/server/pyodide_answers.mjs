// Answers requests as the worker of a page does, in Node: `node pyodide_answers.mjs DEVICE REQUESTS`. DEVICE is the folder
// that web/device/bundle.py wrote, REQUESTS a JSON list of [method, address, body]; it prints a line for each, its status
// and what its body comes to (SHA-256). With a third word, "snapshot", Python comes out of a snapshot of an earlier start.
import { readFile } from "node:fs/promises";
import { snapshotOf, startPython } from "../../web/device/python.mjs";

const [device, requests, how] = process.argv.slice(2);
const read = async (path) => new Uint8Array(await readFile(path)).buffer;
const bundle = JSON.parse(await readFile(`${device}/bundle.json`));
const start = (more) => startPython(bundle, `${device}/`, (name) => read(`${device}/${name}`), more);
const START = `
import hashlib, json
from quepu.server.device.app import Device, without_threads

without_threads()
device = Device()
`;

async function startedAgain() {
  const before = await start({ recording: true });
  await before.runPythonAsync(`${START}\nawait device.prepare()`);
  return start({ snapshot: await new Blob(snapshotOf(before)).arrayBuffer() });
}

async function startedPlainly() {
  const python = await start();
  await python.runPythonAsync(START);
  return python;
}

const python = await (how === "snapshot" ? startedAgain() : startedPlainly());
python.FS.writeFile("/requests.json", new Uint8Array(await read(requests)));
python.setStdout({ batched: (line) => console.log(line) });
await python.runPythonAsync(`
with open("/requests.json", encoding="utf-8") as file:
    requests = json.load(file)
for method, address, body in requests:
    status, _, answer = await device.request(method, address, {"content-type": "application/json"}, body.encode())
    print(status, hashlib.sha256(answer).hexdigest())
`);
