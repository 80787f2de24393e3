// What web/device/bundle.py put together for a browser that answers by itself.

export interface Bundle {
  pyodide: string;
  libraries: string;
  quepu: string;
  /** Libraries in WebAssembly: their file in Python's folder of libraries, and the file here. */
  extensions: Record<string, string>;
  /** The sizes of all files, in bytes. */
  files: Record<string, number>;
}

export const PLACE = "/device/";
/** The cache of the browser that holds all of it. */
export const CACHE = "device";

/** Where this browser keeps the memory of a Python that has this very bundle imported; no server has it. */
export function snapshotAddress({ pyodide, libraries, quepu, extensions }: Bundle): string {
  const names = [pyodide, libraries, quepu, ...Object.values(extensions)];
  return `${PLACE}snapshot-${names.map((name) => /[0-9a-f]{12}/.exec(name)?.[0] ?? name).join("-")}.bin`;
}
