// Sets theme and language before the first paint, so that nothing flashes, and says whether this is the home page: the
// first words of that stand in the HTML. Runs before the module code.
(() => {
  let saved = {};
  try {
    saved = JSON.parse(localStorage.getItem("quepu") || "{}");
  } catch {
    // a full or forbidden storage only means defaults
  }
  const root = document.documentElement;
  const dark = saved.theme ? saved.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.classList.toggle("home", location.pathname === "/");
  root.dataset.theme = dark ? "dark" : "light";
  // as src/lib/language.ts has it
  const languages = navigator.languages;
  const first = languages.find((one) => /^(zh|en)\b/i.test(one)) ?? (languages.length ? "en" : "zh");
  const chinese = /^zh\b/i.test(first);
  const hant = chinese && /-hant\b|^zh-(tw|hk|mo)$/i.test(first);
  root.lang = (saved.lang ?? (chinese ? "zh" : "en")) === "en" ? "en" : (saved.hant ?? hant) ? "zh-Hant" : "zh-Hans";
})();
