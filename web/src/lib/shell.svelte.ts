// Dialogs of the shell that any page may open.
export const shell = $state({ settings: false, help: false, title: "", book: "" });

/** While a page is shown, what it shows (a table, a fan, a hand) stands first in the window's title. */
export function titled(what: () => string): void {
  $effect(() => {
    shell.title = what();
    return () => (shell.title = "");
  });
}

/** While a page is shown that has its own rulebook, the top of the page names that one, and offers no other. */
export function underBook(title: () => string): void {
  $effect(() => {
    shell.book = title();
    return () => (shell.book = "");
  });
}
