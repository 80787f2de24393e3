// Answers requests as the worker of a page does, in Node: `node pyodide_answers.mjs DEVICE REQUESTS`. DEVICE is the folder
// that web/device/bundle.py wrote, REQUESTS a JSON list of [method, address, body]; it prints a line for each, its status
// and what its body comes to (SHA-256).
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [device, requests] = process.argv.slice(2);
const bundle = JSON.parse(readFileSync(`${device}/bundle.json`));
const folder = `${device}/${bundle.pyodide}`;
const { loadPyodide } = await import(pathToFileURL(`${folder}pyodide.mjs`));
const python = await loadPyodide({ indexURL: folder });
for (const name of [bundle.libraries, bundle.quepu])
  python.unpackArchive(new Uint8Array(readFileSync(`${device}/${name}`)), "zip", {
    extractDir: "/lib/python3.14/site-packages",
  });
python.FS.writeFile("/requests.json", readFileSync(requests));
python.setStdout({ batched: (line) => console.log(line) });
await python.runPythonAsync(`
import hashlib, json
from quepu.server.device.app import Device, without_threads

without_threads()
device = Device()
with open("/requests.json", encoding="utf-8") as file:
    requests = json.load(file)
for method, address, body in requests:
    status, _, answer = await device.request(method, address, {"content-type": "application/json"}, body.encode())
    print(status, hashlib.sha256(answer).hexdigest())
`);
