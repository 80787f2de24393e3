// The language of a first visit. public/boot.js has the same rule, for the page before its code is there.

export interface Preference {
  lang: "zh" | "en";
  /** Whether Chinese is shown in 繁體. */
  hant: boolean;
}

/** The first language of the list that there is here; English where there is none, Chinese where nothing is said. */
export function preferredLanguage(languages: readonly string[]): Preference {
  const first = languages.find((one) => /^(zh|en)\b/i.test(one)) ?? (languages.length ? "en" : "zh");
  const chinese = /^zh\b/i.test(first);
  return { lang: chinese ? "zh" : "en", hant: chinese && /-hant\b|^zh-(tw|hk|mo)$/i.test(first) };
}
