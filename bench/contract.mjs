// Answers batches of requests as the worker of a page does, in Node: `node contract.mjs DEVICE`, see contract.py. The first
// line of its input is the Python that defines `answers`, each further one a file of requests; it prints a line for each.
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { startPython } from "../web/device/python.mjs";

const device = process.argv[2];
const read = async (path) => new Uint8Array(await readFile(path)).buffer;
const bundle = JSON.parse(await readFile(`${device}/bundle.json`));
const python = await startPython(bundle, `${device}/`, (name) => read(`${device}/${name}`));
python.setStdout({ batched: (line) => console.log(line) });
let defined = false;
for await (const line of createInterface({ input: process.stdin })) {
  const text = JSON.parse(line);
  if (!defined) await python.runPythonAsync(text);
  else {
    python.FS.writeFile("/requests.json", new Uint8Array(await read(text)));
    await python.runPythonAsync(`print(json.dumps(answers(json.load(open("/requests.json", encoding="utf-8")))))`);
  }
  defined = true;
}
