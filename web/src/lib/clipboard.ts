// The clipboard, also over plain http, where browsers give pages none of the newer means.

/** Puts a text into the clipboard; whether that was possible. */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // not allowed: the older way may be
    }
  }
  const box = document.createElement("textarea");
  box.value = text;
  box.readOnly = true;
  box.style.position = "fixed";
  box.style.opacity = "0";
  // outside an open dialog nothing takes the focus
  const home = document.querySelector("dialog[open]") ?? document.body;
  const focused = document.activeElement;
  home.append(box);
  box.select();

  const copied = document.execCommand("copy");
  box.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
