// The hand of the calculator as a picture: its score, or what it waits for.
import { current } from "../../lib/books.svelte";
import { handPicture } from "../../lib/picture";
import type { Calculator } from "./state.svelte";
import { situationText, waitText } from "./texts";

/** The picture as SVG. */
export function pictureOf(calculator: Calculator, title: string): Promise<string> {
  const { score, waits, hand, now } = calculator;
  return handPicture({
    title,
    concealed: hand.concealed,
    melds: hand.melds.map((meld, at) => ({ meld, from: calculator.giver(at) })),
    winning: hand.winning,
    score,
    unit: current()?.unit,
    situation: situationText(calculator),
    lines: !score && waits?.outlook?.ready ? waits.outlook.waits.map(waitText) : [],
    foot: now.text,
  });
}
