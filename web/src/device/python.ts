// Python in a worker, from the files of the bundle or from the snapshot that an earlier visit has made of it.
import { startPython, type Python } from "../../device/python.mjs";
import { CACHE, PLACE, snapshotAddress, type Bundle } from "./bundle";

const START = `
import json
import random
from quepu.server.device.app import Device, without_threads

without_threads()
_device = Device()

def begin(storage):
    random.seed()  # out of a snapshot every start would draw the same numbers
    if storage is not None:
        _device.store_in(storage)

def lines(send):
    from quepu.server.device.room_sockets import Lines

    return Lines(_device.rooms(), send)

async def taken(room):
    await _device.rooms().give_up(room)

async def request(method, address, headers, body):
    status, sent, answer = await _device.request(method, address, json.loads(headers), body.encode())
    return json.dumps([status, sent.get("content-type", ""), answer.decode()])

async def ahead(id, changes, method, address, headers, body):
    status, sent, answer = await _device.ahead(
        id, json.loads(changes), method, address, json.loads(headers), body.encode()
    )
    return json.dumps([status, sent.get("content-type", ""), answer.decode()])

def changes():
    return _device.changes()

def put_back(text):
    _device.put_back(text)

async def prepare():
    await _device.prepare()
`;

const bytes = async (name: string): Promise<ArrayBuffer> => {
  const response = await fetch(PLACE + name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
};

export const readBundle = async (): Promise<Bundle> => (await (await fetch(`${PLACE}bundle.json`)).json()) as Bundle;

/** Python that has nothing imported but what answers first; with `recording` a snapshot can be made of it. */
export async function startPlain(bundle: Bundle, recording = false): Promise<Python> {
  // where it is missing, Pyodide waits without end
  const wasm = await fetch(`${PLACE}${bundle.pyodide}pyodide.asm.wasm`);
  if (!wasm.ok) throw new Error(`pyodide.asm.wasm: ${wasm.status}`);
  await wasm.body?.cancel();
  const python = await startPython(bundle, PLACE, bytes, { recording });
  await python.runPythonAsync(START);
  return python;
}

async function storedSnapshot(bundle: Bundle): Promise<ArrayBuffer | undefined> {
  try {
    return await (await (await caches.open(CACHE)).match(snapshotAddress(bundle)))?.arrayBuffer();
  } catch {
    return undefined; // no caches here
  }
}

/** Python out of its snapshot where there is one that can be read, else a plain start. */
export async function startRecorded(bundle: Bundle): Promise<{ python: Python; snapshot: boolean }> {
  const snapshot = await storedSnapshot(bundle);
  try {
    if (snapshot) return { python: await startPython(bundle, PLACE, bytes, { snapshot }), snapshot: true };
  } catch (problem) {
    console.warn(problem);
    await (await caches.open(CACHE)).delete(snapshotAddress(bundle));
  }
  return { python: await startPlain(bundle), snapshot: false };
}
