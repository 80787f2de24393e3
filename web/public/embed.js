// For other sites: turns links of class "quepu" to this server into frames that show what they lead to.
(() => {
  const script = document.currentScript;
  const origin = new URL(script.src).origin;
  for (const link of document.querySelectorAll("a.quepu[href]")) {
    const page = new URL(link.href);
    if (page.origin !== origin) continue;
    const frame = document.createElement("iframe");
    frame.src = `${origin}/embed${page.pathname}${page.search}`;
    frame.title = link.textContent.trim() || "quepu";
    frame.loading = "lazy";
    frame.style.cssText = "width:100%;max-width:600px;aspect-ratio:1200/630;border:0";
    link.replaceWith(frame);
  }
})();
