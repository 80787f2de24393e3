// 筒: coins. The 1 is one large coin with a flower in it; 7 runs down from the left as on real tiles.
import { angles, el, group, ink } from "./paint.mjs";

function coin(x, y, r, colour) {
  const holes = angles(4, Math.PI / 4).map((a) =>
    el("circle", { cx: x + r * 0.34 * Math.cos(a), cy: y + r * 0.34 * Math.sin(a), r: r * 0.18 }),
  );
  return (
    el("circle", { cx: x, cy: y, r, fill: ink(colour) }) +
    el("circle", { cx: x, cy: y, r: r * 0.71, fill: "none", stroke: ink("face"), "stroke-width": r * 0.15 }) +
    group({ fill: ink("face") }, holes)
  );
}

function one() {
  const disc = (r, colour) => el("circle", { cx: 30, cy: 40, r, fill: ink(colour) });
  const beads = angles(14).map((a) => el("circle", { cx: 30 + 16 * Math.cos(a), cy: 40 + 16 * Math.sin(a), r: 1.6 }));
  const petals = angles(8).map((_, k) =>
    el("ellipse", { cx: 30, cy: 33.4, rx: 2.5, ry: 4.6, transform: `rotate(${k * 45} 30 40)` }),
  );
  return (
    disc(24.5, "green") +
    disc(21.2, "face") +
    disc(19.2, "red") +
    disc(12.6, "face") +
    group({ fill: ink("face") }, beads) +
    group({ fill: ink("blue") }, petals) +
    disc(2.8, "red")
  );
}

const rows = (xs, ...lines) => lines.flatMap(([y, colour]) => xs.map((x) => [x, y, colour]));
const PLACES = {
  2: [
    12.4,
    [
      [30, 22, "green"],
      [30, 58, "blue"],
    ],
  ],
  3: [
    10.6,
    [
      [14.5, 16, "blue"],
      [30, 40, "red"],
      [45.5, 64, "green"],
    ],
  ],
  4: [
    11.6,
    [
      [17, 21, "blue"],
      [43, 21, "green"],
      [17, 59, "green"],
      [43, 59, "blue"],
    ],
  ],
  5: [
    10,
    [
      [15, 17, "blue"],
      [45, 17, "green"],
      [30, 40, "red"],
      [15, 63, "green"],
      [45, 63, "blue"],
    ],
  ],
  6: [10, [...rows([18, 42], [15, "green"], [42, "red"], [65, "red"])]],
  7: [
    7.8,
    [[12, 11.5, "green"], [30, 19.5, "green"], [48, 27.5, "green"], ...rows([19, 41], [47, "red"], [66.5, "red"])],
  ],
  8: [7.9, rows([19, 41], [12, "blue"], [30.7, "blue"], [49.3, "blue"], [68, "blue"])],
  9: [7.6, rows([11.5, 30, 48.5], [13, "green"], [40, "red"], [67, "blue"])],
};

/** The face of 1-9 dots. */
export function dots(rank) {
  if (rank === 1) return one();
  const [r, places] = PLACES[rank];
  return places.map(([x, y, colour]) => coin(x, y, r, colour)).join("");
}
