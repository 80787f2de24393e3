// What web/device/bundle.py put together for a browser that answers by itself.

export interface Bundle {
  pyodide: string;
  libraries: string;
  quepu: string;
  /** The sizes of all files, in bytes. */
  files: Record<string, number>;
}

export const PLACE = "/device/";
/** The cache of the browser that holds all of it. */
export const CACHE = "device";

/** Where this browser keeps the modules of this very bundle compiled; no server has it. */
export function compiledAddress({ pyodide, libraries, quepu }: Bundle): string {
  const digests = [pyodide, libraries, quepu].map((name) => /[0-9a-f]{12}/.exec(name)?.[0] ?? name);
  return `${PLACE}compiled-${digests.join("-")}.zip`;
}
