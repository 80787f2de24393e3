// Addresses of pages: the path says which page, the query what it shows. Links are ordinary links.
import addresses from "../addresses.json";

/**
 * Whether a path is that of a page (`addresses.json`, which the server reads too); folders have addresses below them.
 */
export function isPage(path: string): boolean {
  const plain = path.replace(/(?<=.)\/$/, "");
  return (
    addresses.pages.includes(plain) || addresses.folders.some((one) => plain === one || plain.startsWith(`${one}/`))
  );
}

/** A part of an address in plain letters; as it stands where it is no escape. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const read = () => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
  hash: decoded(location.hash.slice(1)),
});

export const route = $state({ ...read() });

function update(): void {
  Object.assign(route, read());
}

addEventListener("popstate", update);
addEventListener("hashchange", update);

/**
 * The path while it is that of a page or below it; after that the last one: another page is being fetched, this one
 * still stands.
 */
export function pathUnder(page: string): () => string {
  let last = page;
  return () => (last = route.path === page || route.path.startsWith(`${page}/`) ? route.path : last);
}

/** Opens an address of this site. */
export function go(address: string, options: { replace?: boolean; keepScroll?: boolean } = {}): void {
  history[options.replace ? "replaceState" : "pushState"](null, "", address);
  update();
  if (!options.replace && !options.keepScroll && !location.hash) scrollTo(0, 0);
}

/** Lets ordinary links change the page without loading it anew. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = (event.target as Element | null)?.closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
  const address = new URL(link.href);
  if (address.origin !== location.origin || address.pathname.startsWith("/api/")) return;
  // a place on this page
  if (address.pathname === location.pathname && address.search === location.search && address.hash) return;
  event.preventDefault();
  go(address.pathname + address.search + address.hash);
}
