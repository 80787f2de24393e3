// Starts Python (Pyodide) with quepu's modules: from the files of a bundle, or from a snapshot, which is the memory of
// a Python that has everything imported, with the files that it sees. The pages' workers use it, and in Node the tests.
//
// Libraries in WebAssembly are loaded before Python runs, in the order of the bundle, so that they lie at the same
// places of the memory at every start: a memory in which they are loaded can be used again.

const PACKAGES = "/lib/python3.14/site-packages";
const HEAD = 16; // bytes: a mark, the length of the memory, that of the list of files, nothing
const MARK = 0x71657075;

/**
 * Python with what a bundle has. `place` is the address of the bundle's folder (with a slash), `bytes` what reads one
 * of its files, `snapshot` what `snapshotOf` gave for the very same bundle. With `recording` a snapshot can be made of
 * it.
 */
export async function startPython(bundle, place, bytes, { snapshot, recording = false } = {}) {
  const folder = place + bundle.pyodide;
  const { loadPyodide } = await import(/* @vite-ignore */ `${folder}pyodide.mjs`);
  const earlier = snapshot && opened(snapshot);
  const createPyodideModule = async (settings) => {
    const { default: create } = await import(/* @vite-ignore */ `${folder}pyodide.asm.mjs`);
    const located = settings.locateFile;
    settings.dynamicLibraries = Object.keys(bundle.extensions).map((name) => `${PACKAGES}/${name}`);
    settings.locateFile = (name) => {
      const extension = bundle.extensions[name.slice(PACKAGES.length + 1)];
      return extension ? place + extension : located(name);
    };
    const module = await create(settings);
    if (earlier) module.growMemory(earlier.size);
    return module;
  };
  const [python, ...archives] = await Promise.all([
    loadPyodide({
      indexURL: folder,
      createPyodideModule,
      ...(earlier ? { _loadSnapshot: earlier.memory } : { _makeSnapshot: recording }),
    }),
    ...(earlier ? [] : [bundle.libraries, bundle.quepu].map(bytes)),
  ]);
  for (const archive of archives) python.unpackArchive(archive, "zip", { extractDir: PACKAGES });
  for (const name of Object.keys(bundle.extensions)) write(python.FS, `${PACKAGES}/${name}`, new Uint8Array());
  for (const [name, content] of earlier?.files ?? []) write(python.FS, name, content);
  return python;
}

/** The parts of a snapshot, to be put one behind the other. */
export function snapshotOf(python) {
  const memory = python.makeMemorySnapshot();
  const files = [...below(python.FS, PACKAGES)];
  const list = new TextEncoder().encode(JSON.stringify(files.map(([name, content]) => [name, content.length])));
  const head = new Uint32Array([MARK, memory.length, list.length, 0]);
  return [head, memory, list, ...files.map(([, content]) => content)];
}

function opened(snapshot) {
  const [mark, length, listed] = new Uint32Array(snapshot, 0, HEAD / 4);
  if (mark !== MARK) throw new Error("this is no snapshot");
  const memory = new Uint8Array(snapshot, HEAD, length);
  const list = JSON.parse(new TextDecoder().decode(new Uint8Array(snapshot, HEAD + length, listed)));
  let at = HEAD + length + listed;
  const files = list.map(([name, size]) => {
    at += size;
    return [name, new Uint8Array(snapshot, at - size, size)];
  });
  if (at !== snapshot.byteLength) throw new Error("the snapshot is not whole");
  // Pyodide's own head of it begins with a mark and its length
  return { memory, files, size: length - new Uint32Array(snapshot, HEAD, 2)[1] };
}

function write(fs, name, content) {
  fs.mkdirTree(name.slice(0, name.lastIndexOf("/")));
  fs.writeFile(name, content, { canOwn: true });
}

function* below(fs, folder) {
  for (const name of fs.readdir(folder)) {
    const path = `${folder}/${name}`;
    if (name === "." || name === ".." || name === "__pycache__") continue;
    if (fs.isDir(fs.stat(path).mode)) yield* below(fs, path);
    else yield [path, fs.readFile(path)];
  }
}
