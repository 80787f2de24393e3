import type { Bundle } from "../src/device/bundle";

export interface Python {
  runPythonAsync(code: string): Promise<unknown>;
  globals: { get(name: string): (...given: unknown[]) => Promise<unknown> };
}

export function startPython(
  bundle: Bundle,
  place: string,
  bytes: (name: string) => Promise<ArrayBuffer>,
  how?: { snapshot?: ArrayBuffer; recording?: boolean },
): Promise<Python>;
export function snapshotOf(python: Python): Uint8Array<ArrayBuffer>[];
