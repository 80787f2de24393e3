// The rulebooks, asked once; whole books are kept after the first look.
import { get, post } from "./api.svelte";
import { many, prefs, say, t } from "./prefs.svelte";
import type { Bilingual, BookBrief, BookPage, BookWords } from "./types";

export const books = $state({ list: [] as BookBrief[] });

let loading: Promise<void> | null = null;

export function loadBooks(): Promise<void> {
  loading ??= get<BookBrief[]>("/api/books").then(
    (list) => {
      books.list = list;
      prefs.book = registered(prefs.book);
    },
    () => {
      loading = null; // the strip tells that the server is away; ask again a little later
      setTimeout(() => void loadBooks(), 3000);
    },
  );
  return loading;
}

/**
 * The id of the book that is meant by this (an id, another name, an id with its revision); the one in force where there
 * is none.
 */
function registered(wanted: string): string {
  const listed = (id: string): boolean => books.list.some((book) => book.id === id);
  if (!books.list.length || listed(wanted.split(/[@+]/)[0] ?? "")) return wanted;
  const found = books.list.find((book) => book.aliases.includes(wanted))?.id;
  return found ?? [prefs.book, before].find(listed) ?? books.list[0]?.id ?? wanted;
}

let before = prefs.book; // in force before an address named another, while nobody knew yet whether there is such a book

/** Puts the book in force that an address names, if it names one. */
export function chooseBook(wanted: string | null): void {
  if (!wanted) return;
  if (!books.list.length && wanted !== prefs.book) before = prefs.book;
  prefs.book = registered(wanted);
}

/** The rulebook in force, without its rows; undefined until the list is there. */
export const current = (): BookBrief | undefined => books.list.find((book) => book.id === prefs.book);

/**
 * A book's own words for a hand and its end, by id (a revision's or a house rule's too); undefined until they are
 * there.
 */
export function wordsOf(id: string): BookWords | undefined {
  const plain = id.split(/[@+]/)[0];
  return (books.list.find((book) => book.id === plain) ?? books.list[0])?.words;
}

/** Whether a book, by id (a revision's too), has tiles of a kind. */
export const hasKind = (id: string, kind: string): boolean =>
  books.list.find((book) => book.id === id.split(/[@+]/)[0])?.kinds.includes(kind) ?? true;

/** The name of a book's category, by its place in the list. */
export function categoryName(book: BookPage, at: number): string {
  const zh = book.categories[at] ?? "";
  return say(book.category_names[at] ?? { zh, en: zh });
}

/** The unit of a book in both languages, by its id as above; undefined until the list is there. */
export const unitWords = (id: string): Bilingual | undefined =>
  books.list.find((book) => book.id === id.split(/[@+]/)[0])?.unit;

/** The unit of a book, by its id as above; empty until the list is there. */
export function unitOf(id: string): string {
  const unit = unitWords(id);
  return unit ? say(unit) : "";
}

/** So many hands, in a book's own word. */
export const handsOf = (n: number, words: BookWords | undefined): string =>
  t(`${n} ${words?.hand.zh ?? ""}`.trimEnd(), many(n, "hand"));

/** Whether a book is named by the text of house rules instead of an id: they hold an equals sign, ids never do. */
export const drafted = (id: string): boolean => id.includes("=");

/** The registered book that a draft is made from (an id is its own). */
export const baseOf = (id: string): string =>
  drafted(id) ? (/^\s*base\s*=\s*["']([^"'\n]+)["']/m.exec(id)?.[1] ?? "") : id;

/** What an address says of a book: `rules`, and `house` where it is a draft. */
export const bookQuery = (id: string): Record<string, string> =>
  drafted(id) ? { rules: baseOf(id), house: id } : { rules: id };

/** The address of a book's page; `query` as in other addresses. */
export function bookAddress(id: string, query: Record<string, string> = {}): string {
  const all = new URLSearchParams(drafted(id) ? { ...query, house: id } : query);
  return `/rulebooks/${encodeURIComponent(baseOf(id))}${all.size ? `?${all}` : ""}`;
}

/** The address of a book typeset for paper. */
export const booklet = (id: string, sheet = false): string =>
  `/api/booklet?${new URLSearchParams({ ...bookQuery(id), lang: prefs.lang, ...(sheet ? { sheet: "true" } : {}) })}`;

/** The address of a club's card of its rules: what it chose, and the payments. */
export const clubCard = (id: string): string =>
  `/api/booklet?${new URLSearchParams({ ...bookQuery(id), lang: prefs.lang, card: "true", paper: "A5" })}`;

const pages = new Map<string, Promise<BookPage>>();

const english = $state<{ names: Record<string, Map<string, string>> }>({ names: {} }); // by book: each has its own
const named = new Map<string, Promise<void>>();

/** Asks once for what a book calls its fans and circumstances in English. */
export function loadFanNames(id: string): Promise<void> {
  const found =
    named.get(id) ??
    bookPage(id).then(
      (page) =>
        void (english.names[id] = new Map([
          ...page.circumstance_names.map((name) => [name.zh, name.en] as const),
          ...page.fans.map((fan) => [fan.name, fan.english] as const),
        ])),
      () => void named.delete(id),
    );
  named.set(id, found);
  return found;
}

/**
 * Fans and circumstances by name (with their number, as “四归一×2”) in the reader's language, as their book calls them
 * in English: the first of `ids` that has them.
 */
export function fanNames(fans: readonly string[], ...ids: string[]): string {
  if (prefs.lang !== "en") return fans.join("、");
  for (const id of ids) void loadFanNames(id);
  const called = (name: string): string => ids.map((id) => english.names[id]?.get(name)).find(Boolean) ?? name;
  return fans.map((fan) => fan.replace(/^[^×]+/, called)).join(", ");
}

/** A rulebook with every row. A draft's page has the text of the draft for its id. */
export function bookPage(id: string): Promise<BookPage> {
  const found =
    pages.get(id) ??
    (drafted(id)
      ? post<BookPage>("/api/house/page", { house: id }).then((page) => ({ ...page, id }))
      : get<BookPage>(`/api/books/${encodeURIComponent(id)}`));
  pages.set(id, found);
  found.catch(() => pages.delete(id));
  return found;
}
