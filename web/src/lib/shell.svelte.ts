// Dialogs of the shell that any page may open.
export const shell = $state({ settings: false, help: false, title: "" });

/** While a page is shown, what it shows (a table, a fan, a hand) stands first in the window's title. */
export function titled(what: () => string): void {
  $effect(() => {
    shell.title = what();
    return () => (shell.title = "");
  });
}
