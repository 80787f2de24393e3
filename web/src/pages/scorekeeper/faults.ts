// What a fault is, in words.
import { say, t } from "../../lib/prefs.svelte";
import type { FaultShape } from "../../lib/types";

/** What the book says of a fault, its price, and that it bars its player where that is not yet in the book's words. */
export function faultText(fault: FaultShape): string {
  const to =
    fault.to === "nobody"
      ? t("，不归任何人", ", paid to nobody")
      : fault.to === "others"
        ? t("，赔各家", ", to each other player")
        : "";
  return [
    say(fault.text),
    fault.points || fault.again.length ? say(fault.price) + to : "",
    fault.barred && !fault.text.zh.includes("停和") ? t("停和陪打", "Dead hand") : "",
  ]
    .filter(Boolean)
    .map((sentence) => sentence + t("。", "."))
    .join(t("", " "));
}
