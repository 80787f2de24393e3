// The hand and its score as one self-contained SVG: tiles from the sprite; letters as outlines, drawn by the page's own
// fonts on a canvas, because a picture may travel to a machine without Chinese fonts.
import type { Giver } from "../components/Meld.svelte";
import spriteAddress from "../../generated/tiles.svg?url&no-inline";
import { prefs, t } from "./prefs.svelte";
import type { Kind } from "./tiles";
import type { Bilingual, ExplainedScore, MeldShape } from "./types";
import { valueText } from "./values";
import { letters } from "./fonts";
import { inScript } from "./script";

const [TILE, HIGH, GAP, SIDE] = [44, 58, 14, 28];
let sprite: Promise<Document> | null = null;
const symbols = (): Promise<Document> =>
  (sprite ??= fetch(spriteAddress).then(async (answer) =>
    new DOMParser().parseFromString(await answer.text(), "image/svg+xml"),
  ));

/** A line of text as a small PNG inside the SVG, sharp at twice its size. */
async function line(
  text: string,
  size: number,
  family: "ui" | "kai",
  colour: string,
  weight = 700,
): Promise<{ image: string; width: number; height: number }> {
  const font = `${weight} ${size * 2}px ${letters(family)}`;
  await document.fonts.load(font, text);
  const canvas = document.createElement("canvas");
  const paper = canvas.getContext("2d");
  if (!paper) return { image: "", width: 0, height: 0 };
  paper.font = font;
  const width = Math.ceil(paper.measureText(text).width) + 4;
  const height = Math.ceil(size * 2.8);
  canvas.width = width;
  canvas.height = height;
  paper.font = font;
  paper.fillStyle = colour;
  paper.textBaseline = "middle";
  paper.fillText(text, 0, height / 2);
  return { image: canvas.toDataURL("image/png"), width: width / 2, height: height / 2 };
}

/** What the picture shows. */
export interface ShownHand {
  title: string;
  concealed: readonly Kind[];
  melds: readonly { meld: MeldShape; from: Giver | null }[];
  winning: Kind | null;
  score: ExplainedScore | null;
  /** The unit of the book. */
  unit: Bilingual | undefined;
  /** How it was won, winds, circumstances; under a score. */
  situation: string;
  /** More lines, under the fans. */
  lines: readonly string[];
  foot: string;
}

/** The picture. */
export async function handPicture(shown: ShownHand): Promise<string> {
  const { title, concealed, melds, winning, score, unit, situation, lines, foot } = shown;
  const all = await symbols();
  const used = new Set<string>();
  const body: string[] = [];
  let x = SIDE;
  const y = 66;
  const tile = (kind: string, look: "plain" | "win" | "side" = "plain"): void => {
    used.add(kind);
    const [face, red] = [kind === "back" ? "#2f7d63" : "#fffdf6", look === "win"];
    const turned = look === "side"; // a claimed tile, turned where it stands
    const place = turned ? `translate(${x + HIGH} ${y + HIGH - TILE}) rotate(90)` : `translate(${x} ${y})`;
    const edge = turned
      ? `<rect x="4" width="${TILE}" height="${HIGH}" rx="5" fill="#2f7d63"/>`
      : `<rect y="4" width="${TILE}" height="${HIGH}" rx="5" fill="#2f7d63"/>`;
    body.push(
      `<g transform="${place}">${edge}<rect width="${TILE}" height="${HIGH}" rx="5" fill="${face}" ` +
        `stroke="${red ? "#a92c22" : "#d5cdb8"}" stroke-width="${red ? 3 : 1}"/><use href="#${kind}" ` +
        `width="${TILE}" height="${HIGH}"/></g>`,
    );
    x += (turned ? HIGH : TILE) + 1;
  };
  concealed.forEach((kind) => tile(kind));
  melds.forEach(({ meld, from }) => {
    x += GAP;
    const side = from === null ? -1 : from === "left" ? 0 : from === "across" ? 1 : meld.tiles.length - 1;
    meld.tiles.forEach((kind, i) =>
      tile(meld.kind === "concealed_kong" && (i === 0 || i === 3) ? "back" : kind, i === side ? "side" : "plain"),
    );
  });
  if (winning) {
    x += GAP;
    tile(winning, "win");
  }
  let width = Math.max(x + SIDE, 480);
  const texts: [string, number, "ui" | "kai", string, number, number][] = [[title, 20, "kai", "#23221e", SIDE, 20]];
  let at = y + HIGH + 22;
  if (score) {
    texts.push([score.how, 22, "kai", "#a92c22", SIDE, y + HIGH + 18]);
    texts.push([situation, 14, "ui", "#666257", SIDE, y + HIGH + 54]);
    at = y + HIGH + 86;
  }
  const fans = (score?.counted ?? []).map((fan) => {
    const times = fan.count > 1 ? `×${fan.count}` : "";
    const english = prefs.lang === "en" ? ` ${fan.english}` : "";
    return `${fan.called ?? fan.name}${times}${english}　${valueText(fan.adds, unit)}`;
  });
  for (const words of [...fans, ...lines]) {
    texts.push([words, 16, "ui", "#4f4c44", SIDE, at]);
    at += 26;
  }
  texts.push([
    `${t("雀谱", "quepu")}　${foot}`,
    13,
    "ui",
    "#666257",
    SIDE,
    texts.length > 1 ? (texts.at(-1)?.[5] ?? 0) + 34 : y + HIGH + 16,
  ]);
  let bottom = y + HIGH + 30;
  for (const [text, size, family, colour, left, top] of texts) {
    const drawn = await line(inScript(text), size, family, colour, family === "kai" ? 700 : 400);
    body.push(`<image x="${left}" y="${top}" width="${drawn.width}" height="${drawn.height}" href="${drawn.image}"/>`);
    bottom = Math.max(bottom, top + drawn.height + 14);
    width = Math.max(width, left + drawn.width + SIDE); // a long sum, a sentence in English
  }
  // A picture knows none of the page's variables: colours are written out.
  const art = [...used].map((id) =>
    new XMLSerializer()
      .serializeToString(all.getElementById(id) ?? all.createElement("g"))
      .replace(/var\(--t-\w+,(#\w+)\)/g, "$1"),
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom}" width="${width}" ` +
    `height="${bottom}"><defs>${art.join("")}</defs><rect width="${width}" height="${bottom}" ` +
    `fill="#f6f4ee"/>${body.join("")}</svg>`
  );
}

/** The same picture as PNG, at twice its size. */
export async function png(svg: string): Promise<Blob> {
  const picture = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth * 2;
  canvas.height = picture.naturalHeight * 2;
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"),
  );
}

/** Hands a picture to the phone's own sharing where it has that, else saves it. */
export async function give(blob: Blob, name: string): Promise<void> {
  const file = new File([blob], name, { type: blob.type });
  const shared = { files: [file] };
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.(shared)) {
    await navigator.share(shared).catch(() => undefined); // closed without choosing anybody
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
