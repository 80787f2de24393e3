// Which fonts of our own are fetched: none of them before the page can be used, and on a phone that writes Chinese,
// none. script/fonts.mjs makes them when the client is built.
import { prefs } from "./prefs.svelte";

/** The families that pages are written in, for what is drawn on a canvas. */
export const letters = (name: "ui" | "kai"): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);

/** Two characters that a font for this script has, and often no other. */
const SAMPLES = { hans: "谱杠", hant: "譜槓" };

/**
 * Whether this machine has the characters by itself: each as wide as high, which boxes are not, and different from the
 * other.
 */
function writesChinese(samples: string): boolean {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 24;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return true;
  context.font = "20px sans-serif";
  context.textBaseline = "top";
  const drawn = [...samples].map((text) => {
    context.clearRect(0, 0, 24, 24);
    context.fillText(text, 0, 0);
    return context.getImageData(0, 0, 24, 24).data.join();
  });
  return (
    new Set(drawn).size === drawn.length && [...samples].every((c) => Math.abs(context.measureText(c).width - 20) < 1)
  );
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
  if (!writesChinese(prefs.hant ? SAMPLES.hant : SAMPLES.hans)) await import("../../generated/fonts/fonts.css");
  if (line?.saveData || matchMedia("(max-width: 820px)").matches) return;
  await idle();
  await import("lxgw-wenkai-webfont/lxgwwenkai-bold.css");
}
