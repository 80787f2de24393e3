// A random name by which this browser's practice and tables are known to the server. Not an account: whoever knows it, has it.
const KEY = "quepu.who";
let kept = "";

export function who(): string {
  if (kept) return kept;
  try {
    kept = localStorage.getItem(KEY) ?? "";
  } catch {
    // storage may be forbidden; the name then lasts for this page
  }
  if (!/^[A-Za-z0-9_-]{8,64}$/.test(kept)) {
    kept = [...crypto.getRandomValues(new Uint8Array(18))]
      .map((byte) => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[byte & 63])
      .join("");
    try {
      localStorage.setItem(KEY, kept);
    } catch {
      // as above
    }
  }
  return kept;
}
