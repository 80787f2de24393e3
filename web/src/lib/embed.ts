// How another site shows a hand, a puzzle or a moment of a replay: a frame with its picture.

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/** The address of a page as one that other sites may frame; `lang` is that of the picture. */
export function embedAddress(address: string, lang: string): string {
  const page = new URL(address);
  page.searchParams.set("lang", lang);
  return `${page.origin}/embed${page.pathname}${page.search}`;
}

/** The HTML that shows a page's address in another site. */
export const embedCode = (address: string, lang: string, title: string): string =>
  `<iframe src="${escaped(embedAddress(address, lang))}" title="${escaped(title)}" loading="lazy" ` +
  `style="width:100%;max-width:600px;aspect-ratio:1200/630;border:0"></iframe>`;

/** A shared address; in English it says so, because chat apps do not ask for a language. */
export const inLanguage = (address: string, lang: string): string =>
  lang === "en" ? `${address}${address.includes("?") ? "&" : "?"}lang=en` : address;
