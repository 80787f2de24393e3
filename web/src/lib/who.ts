// A random name by which this browser's practice and tables are known to the server. Not an account: whoever knows it,
// has it.
const KEY = "quepu.who";
/** The name from before an account's was taken: it comes back at logging out. */
const BEFORE = "quepu.who.before";
const NAME = /^[A-Za-z0-9_-]{8,64}$/;
let mine = "";

function stored(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return ""; // storage may be forbidden; the name then lasts for this page
  }
}
function store(key: string, value: string): void {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch {
    // as above
  }
}
const fresh = (): string =>
  [...crypto.getRandomValues(new Uint8Array(18))]
    .map((byte) => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[byte & 63])
    .join("");

export function who(): string {
  if (mine) return mine;
  mine = stored(KEY);
  if (!NAME.test(mine)) {
    mine = fresh();
    store(KEY, mine);
  }
  return mine;
}

/** Goes on under another name; with `account`, the own one is set aside until logging out. */
export function become(name: string, account = false): void {
  if (account && !stored(BEFORE)) store(BEFORE, who());
  mine = name;
  store(KEY, name);
}

/** The name from before an account's was taken; "" where there is none. */
export const before = (): string => stored(BEFORE);

/** The name from before is this browser's no more: what belonged to it belongs to the account. */
export const merged = (): void => store(BEFORE, fresh());

/** Goes back to the name from before an account's was taken. */
export function goBack(): void {
  const before = stored(BEFORE);
  if (!before) return;
  store(BEFORE, "");
  become(before);
}
