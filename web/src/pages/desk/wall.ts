// How the tables of a round share a screen on the wall.

/** The most tables at a glance; more are shown page by page. */
export const PAGE = 20;

/** How many tables a page shows: pages are as even as they can be, so that the last one is not almost empty. */
export function perPage(tables: number): number {
  return Math.ceil(tables / Math.max(1, Math.ceil(tables / PAGE)));
}

/** Columns and rows for so many tables: four names stand below each other, so rows are what is scarce. */
export function layOut(tables: number): { columns: number; rows: number } {
  const columns = tables <= 3 ? 1 : tables <= 10 ? 2 : tables <= 12 ? 3 : 4;
  return { columns, rows: Math.max(1, Math.ceil(tables / columns)) };
}

/** The width of a name in letters; a Chinese character is as wide as two. */
export const width = (name: string): number =>
  [...name].reduce((sum, c) => sum + (c.charCodeAt(0) > 0x2e80 ? 2 : 1), 0);

/** How much smaller than the others a name is set on the wall, so that it fits its column; a longer one is cut. */
export function fit(name: string, { columns, rows }: { columns: number; rows: number }): number {
  const column = Math.max(8.6, (7.7 * rows) / columns); // in ems of a screen of 16:9, by the font size in BigScreen
  const least = columns > 2 ? 0.5 : 0.25;
  return Math.min(1, Math.max(least, +((column - 2.6) / (1.2 + 0.56 * width(name))).toFixed(2)));
}

/** The width of a table's big screen that is left for a name, in letters of the row's height. */
const ALONE = 8.5;

/** A class for a name that is too long for its place on paper. */
export function sizeOf(name: string): string {
  const letters = width(name);
  return letters > 28 ? "tiny" : letters > 17 ? "longest" : letters > 13 ? "longer" : letters > 10 ? "long" : "";
}

/** How much smaller than the others a name is set on a table's own big screen, and on how many lines. */
export function fitAlone(name: string): { size: number; lines: number } {
  const one = ALONE / (0.56 * width(name));
  if (one >= 0.6) return { size: Math.min(1, +one.toFixed(2)), lines: 1 };
  return { size: Math.max(0.3, Math.min(0.55, +(1.8 * one).toFixed(2))), lines: 2 };
}
