// What was being entered when a page was left: it is there again when the page is, as long as this tab is open.

/** What was kept under a name, over what stands there else. */
export function storedDraft<T extends object>(name: string, blank: T): T {
  try {
    return { ...blank, ...(JSON.parse(sessionStorage.getItem(name) ?? "{}") as Partial<T>) };
  } catch {
    return blank;
  }
}

export function storeDraft(name: string, value: object): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // storage may be forbidden
  }
}
