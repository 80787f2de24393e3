// Tables of others that were opened in this browser by a link, so that they are found again.
const KEY = "quepu.joined";
const MOST = 50;

export interface Joined {
  id: string;
  title: string;
  names: string[];
}

export function joined(): Joined[] {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]") as Joined[];
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

export function join(table: Joined): void {
  const { id, title, names } = table;
  try {
    const others = joined().filter((one) => one.id !== id);
    localStorage.setItem(KEY, JSON.stringify([{ id, title, names }, ...others].slice(0, MOST)));
  } catch {
    // storage may be forbidden
  }
}

export function leave(id: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(joined().filter((one) => one.id !== id)));
  } catch {
    // storage may be forbidden
  }
}
