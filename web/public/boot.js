// Sets theme and language before the first paint, so that nothing flashes. Runs before the module code.
(() => {
  let saved = {};
  try {
    saved = JSON.parse(localStorage.getItem("quepu") || "{}");
  } catch {
    // a full or forbidden storage only means defaults
  }
  const root = document.documentElement;
  const dark = saved.theme ? saved.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "dark" : "light";
  const chinese = !navigator.languages.length || navigator.languages.some((one) => one.startsWith("zh"));
  root.lang = (saved.lang ?? (chinese ? "zh" : "en")) === "en" ? "en" : saved.hant ? "zh-Hant" : "zh-Hans";
})();
