// A season as a picture for the group chat: how much was played, who leads, who came most, records.
import { letters } from "../../lib/fonts";
import { many, say, t } from "../../lib/prefs.svelte";
import { inScript } from "../../lib/script";
import type { SeasonView } from "../../lib/types";
import { fixed, unitFor } from "../../lib/values";
import { recordWords } from "./season";

const [WIDE, SIDE, LINE, SHOWN] = [720, 36, 40, 8];
const INK = "#23221e";
const FAINT = "#666257";
const JADE = "#2f7d63";

export async function seasonPicture(view: SeasonView, label: string): Promise<Blob> {
  const book = view.books.find((one) => one.book === view.book);
  const [best, guests] = [view.lines.slice(0, SHOWN), view.attendance.slice(0, SHOWN)];
  const rows = Math.max(best.length, guests.length);
  const high = 130 + 110 + 60 + LINE * rows + (view.records.length ? 60 + LINE * view.records.length : 0) + 60;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDE * 2, high * 2];
  const paper = canvas.getContext("2d");
  if (!paper) throw new Error(t("浏览器不支持生成图片。", "This browser cannot create pictures."));
  paper.scale(2, 2);
  const write = (text: string, x: number, y: number, size: number, colour = INK, weight = 400, room = WIDE): void => {
    paper.font = `${weight} ${size}px ${letters("ui")}`;
    paper.fillStyle = colour;
    paper.textAlign = room < 0 ? "right" : "left";
    paper.fillText(inScript(text), x, y, Math.abs(room));
  };
  const names = [...best, ...guests].map((one) => one.name).join("");
  await document.fonts.load(`700 32px ${letters("ui")}`, names + label);
  paper.fillStyle = "#f6f4ee";
  paper.fillRect(0, 0, WIDE, high);
  write(t(`${label} 年度回顾`, `${label} in review`).replace(/^(\D+) 年度/, "$1"), SIDE, 58, 32, INK, 700);
  const about = t(
    `${view.days} 天 · ${view.tables} 桌 · ${view.hands} 局 · ${view.attendance.length} 人`,
    [
      many(view.days, "day"),
      many(view.tables, "table"),
      many(view.hands, "hand"),
      many(view.attendance.length, "player"),
    ].join(" · "),
  );
  write(about, SIDE, 92, 18, FAINT);
  // tables by month
  const most = Math.max(1, ...view.months.map((one) => one.tables));
  const wide = (WIDE - 2 * SIDE) / Math.max(12, view.months.length);
  for (const [i, one] of view.months.entries()) {
    const tall = (76 * one.tables) / most;
    paper.fillStyle = JADE;
    paper.fillRect(SIDE + i * wide, 200 - tall, wide - 6, tall);
    write(one.month.slice(5), SIDE + i * wide, 218, 13, FAINT);
  }
  let y = 268;
  const middle = WIDE / 2 + 10;
  write(`${t("评分", "Ratings")}${book ? ` · ${say(book.title)}` : ""}`, SIDE, y, 17, FAINT, 400, middle - SIDE - 20);
  write(t("出席（天）", "Attendance (days)"), middle, y, 17, FAINT);
  for (let i = 0; i < rows; i += 1) {
    y += LINE;
    const [one, guest] = [best[i], guests[i]];
    if (one) {
      write(`${i + 1}  ${one.name}`, SIDE, y, 22, INK, 700, middle - SIDE - 150);
      write(`${fixed(one.rating.mean, 1)} ± ${fixed(one.rating.deviation, 1)}`, middle - 30, y, 22, JADE, 700, -130);
    }
    if (guest) {
      write(guest.name, middle, y, 22, INK, 400, WIDE - SIDE - middle - 60);
      write(String(guest.days), WIDE - SIDE, y, 22, INK, 700, -60);
    }
  }
  if (view.records.length) {
    write(t("纪录", "Records"), SIDE, (y += 52), 17, FAINT);
    for (const one of view.records) {
      y += LINE;
      const unit = book && (one.kind === "win" || one.kind === "total") ? ` ${unitFor(one.value, book.unit)}` : "";
      write(recordWords(one.kind), SIDE, y, 18, FAINT, 400, middle - SIDE);
      write(one.name, middle, y, 20, INK, 700, 180);
      write(`${one.value}${unit}`, WIDE - SIDE, y, 20, INK, 700, -130);
    }
  }
  write(t("雀谱", "quepu"), WIDE - SIDE, high - 22, 14, FAINT, 400, -100);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"),
  );
}
