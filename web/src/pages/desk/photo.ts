// A picture of a paper slip, made small enough to be kept with the result.
import { post } from "../../lib/api.svelte";
import type { PhotoTaken } from "../../lib/types";
import { t } from "../../lib/prefs.svelte";

/** The longest edge in pixels, and the most characters of base64 that the server takes. */
const EDGE = 1400;
const MOST = 240_000;

/** The size of a picture whose longest edge is at most so long. */
export function fit(width: number, height: number, edge = EDGE): [number, number] {
  const scale = Math.min(1, edge / Math.max(width, height));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/** The picture as JPEG in base64, smaller and coarser until it fits. */
export async function shrink(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file);
  for (let edge = EDGE; edge >= 300; edge *= 0.75) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = fit(bitmap.width, bitmap.height, edge);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const text = canvas.toDataURL("image/jpeg", 0.7).split(",")[1] ?? "";
    if (text && text.length <= MOST) return text;
  }
  throw new Error(t("这张照片缩不到能保存的大小。", "This photo cannot be made small enough to be kept."));
}

/** Sends a picture to a desk; its id goes into the result's record. */
export async function keepPhoto(address: string, file: Blob): Promise<string> {
  const jpeg = await shrink(file).catch((problem: unknown) => {
    throw problem instanceof DOMException
      ? new Error(t("这个文件不是图片。", "This file is not a picture."))
      : (problem as Error);
  });
  return (await post<PhotoTaken>(`${address}/photos`, { jpeg })).photo;
}
