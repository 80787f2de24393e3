// The rulebooks, asked once; whole books are kept after the first look.
import { get } from "./api.svelte";
import { prefs, t } from "./prefs.svelte";
import type { BookBrief, BookPage, BookWords } from "./types";

export const books = $state({ list: [] as BookBrief[] });

let asked: Promise<void> | null = null;

export function loadBooks(): Promise<void> {
  asked ??= get<BookBrief[]>("/api/books").then(
    (list) => {
      books.list = list;
      if (!list.some((book) => book.id === prefs.book) && list[0]) prefs.book = list[0].id;
    },
    () => {
      asked = null; // the strip tells that the server is away; ask again a little later
      setTimeout(() => void loadBooks(), 3000);
    },
  );
  return asked;
}

/** The rulebook in force, without its rows; undefined until the list is there. */
export const current = (): BookBrief | undefined => books.list.find((book) => book.id === prefs.book);

/** A book's own words for a hand and its end, by id (a revision's or a house rule's too); undefined until they are there. */
export function wordsOf(id: string): BookWords | undefined {
  const plain = id.split(/[@+]/)[0];
  return (books.list.find((book) => book.id === plain) ?? books.list[0])?.words;
}

/** So many hands, in a book's own word. */
export const handsOf = (n: number, words: BookWords | undefined): string =>
  t(`${n} ${words?.hand.zh ?? ""}`.trimEnd(), `${n} ${n === 1 ? "hand" : "hands"}`);

const pages = new Map<string, Promise<BookPage>>();

/** A rulebook with every row. */
export function bookPage(id: string): Promise<BookPage> {
  const found = pages.get(id) ?? get<BookPage>(`/api/books/${encodeURIComponent(id)}`);
  pages.set(id, found);
  found.catch(() => pages.delete(id));
  return found;
}
