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

/** A class for a name that is too long for its place; a Chinese character is as wide as two letters. */
export function sizeOf(name: string): string {
  const width = [...name].reduce((sum, c) => sum + (c.charCodeAt(0) > 0x2e80 ? 2 : 1), 0);
  return width > 17 ? "longest" : width > 13 ? "longer" : width > 10 ? "long" : "";
}
