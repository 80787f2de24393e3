// The end of an evening as a picture for the group chat: ranks, totals, who gives whom how much.
import { letters } from "../../lib/fonts";
import { many, prefs, say, t } from "../../lib/prefs.svelte";
import { inScript } from "../../lib/script";
import type { TableView } from "../../lib/types";
import { signed } from "../../lib/values";

const [WIDE, SIDE, LINE] = [720, 36, 46];
const INK = "#23221e";
const FAINT = "#666257";

export async function eveningPicture(table: TableView): Promise<Blob> {
  const pool = table.needs.zero_sum ? t("罚分", "penalties") : t("公池", "the pool");
  const canvas = document.createElement("canvas");
  const high = 150 + LINE * table.people.length + (table.transfers.length ? 56 + 34 * table.transfers.length : 0) + 50;
  [canvas.width, canvas.height] = [WIDE * 2, high * 2];
  const paper = canvas.getContext("2d");
  if (!paper) throw new Error(t("浏览器不支持生成图片。", "This browser cannot create pictures."));
  paper.scale(2, 2);
  const write = (text: string, x: number, y: number, size: number, colour = INK, weight = 400, right = false): void => {
    paper.font = `${weight} ${size}px ${letters("ui")}`;
    paper.fillStyle = colour;
    paper.textAlign = right ? "right" : "left";
    paper.fillText(inScript(text), x, y, WIDE - 2 * SIDE);
  };
  paper.fillStyle = "#f6f4ee";
  paper.fillRect(0, 0, WIDE, high);
  const hands = table.rows.filter((row) => row.kind === "hand").length;
  const day = new Intl.DateTimeFormat(prefs.lang === "en" ? "en-GB" : "zh-CN", { dateStyle: "long" });
  await document.fonts.load(
    `700 32px ${letters("ui")}`,
    [table.title, ...table.people.map((one) => one.name)].join(""),
  );
  write(table.title, SIDE, 58, 32, INK, 700);
  const about = [day.format(new Date(table.created * 1000)), say(table.book)];
  about.push(t(`${hands} ${table.words.hand.zh}`, many(hands, "hand")));
  write(about.join(" · "), SIDE, 90, 17, FAINT);
  let y = 140;
  for (const one of table.people) {
    const rank = 1 + table.people.filter((other) => other.total > one.total).length;
    write(String(rank), SIDE, y, 26, FAINT);
    write(one.name, SIDE + 44, y, 26, INK, 700);
    write(signed(one.total), WIDE - SIDE, y, 28, one.total < 0 ? "#a92c22" : "#2f7d63", 700, true);
    y += LINE;
  }
  if (table.transfers.length) {
    write(t("谁给谁多少", "Who pays whom"), SIDE, (y += 14), 18, FAINT);
    for (const one of table.transfers) {
      y += 34;
      write(
        t(`${one.payer ?? pool} 给 ${one.payee ?? pool}`, `${one.payer ?? pool} → ${one.payee ?? pool}`),
        SIDE,
        y,
        22,
      );
      write(String(one.points), WIDE - SIDE, y, 22, INK, 700, true);
    }
  }
  write("雀谱", WIDE - SIDE, high - 22, 14, FAINT, 400, true);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"),
  );
}
