// Which fonts of our own are fetched: none of them before the page can be used, and on a phone that writes Chinese, none.

/** Whether this machine has Chinese characters of its own: two of them then look different from each other. */
function writesChinese(): boolean {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 24;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return true;
  const drawn = (text: string): string => {
    context.clearRect(0, 0, 24, 24);
    context.font = "20px sans-serif";
    context.textBaseline = "top";
    context.fillText(text, 0, 0);
    return context.getImageData(0, 0, 24, 24).data.join();
  };
  return drawn("雀") !== drawn("谱");
}

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    const soon = (): void => void setTimeout(resolve, 200);
    if (document.readyState === "complete") soon();
    else addEventListener("load", soon, { once: true });
  });

/** Fetches what is missing (text), and on a larger screen the hand that headings are written in. */
export async function loadFonts(): Promise<void> {
  const line = (navigator as { connection?: { saveData?: boolean } }).connection;
  if (!writesChinese()) await import("@fontsource-variable/noto-sans-sc/index.css");
  if (line?.saveData || matchMedia("(max-width: 820px)").matches) return;
  await idle();
  await import("lxgw-wenkai-webfont/lxgwwenkai-bold.css");
}
