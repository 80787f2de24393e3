// 春夏秋冬 and 梅兰竹菊: a character, its number, and a small plant (snow for winter).
import { stick } from "./bamboo.mjs";
import { angles, el, fill, group, ink, n, stroke } from "./paint.mjs";
import { han } from "./han.mjs";

const leaf = (x, y, length, turn, colour = "green", fat = 0.3) =>
  fill(`M0 0Q${n(length / 2)} ${n(-length * fat)} ${n(length)} 0Q${n(length / 2)} ${n(length * fat)} 0 0Z`, colour, {
    transform: `translate(${n(x)} ${n(y)}) rotate(${turn})`,
  });

function blossom(x, y, r, colour, petals = 5, width = 0.4) {
  const petal = angles(petals).map((_, k) =>
    el("ellipse", {
      cx: x,
      cy: y - r * 0.56,
      rx: r * width,
      ry: r * 0.48,
      transform: `rotate(${n((k * 360) / petals)} ${n(x)} ${n(y)})`,
    }),
  );
  return group({ fill: ink(colour) }, petal) + el("circle", { cx: x, cy: y, r: r * 0.23, fill: ink("gold") });
}

const PLANTS = [
  // peach
  () =>
    stroke("M9 74C20 70 30 66 36 58C40 53 46 50 52 48", "green", 2.4) +
    blossom(24, 64, 9.5, "petal") +
    blossom(42, 52, 11, "petal") +
    leaf(14, 72, 10, -70) +
    leaf(47, 50, 9, 60),
  // lotus
  () =>
    [
      [-17, 51],
      [17, 51],
      [-9, 45],
      [9, 45],
      [0, 42],
    ]
      .map(([dx, top]) =>
        fill(`M30 66Q${24 + dx} 55 ${30 + dx} ${top}Q${36 + dx} 55 30 66Z`, "petal", {
          stroke: ink("face"),
          "stroke-width": 0.8,
        }),
      )
      .join("") + el("ellipse", { cx: 30, cy: 71, rx: 21, ry: 4, fill: ink("green") }),
  // maple
  () =>
    [-90, -140, -40, 176, 4].map((turn, k) => leaf(30, 63, [22, 21, 21, 17, 17][k], turn, "red", 0.42)).join("") +
    stroke("M30 62C30 68 31 72 34 76", "red", 2.2),
  // snow
  () =>
    group(
      { fill: "none", stroke: ink("blue"), "stroke-width": 2.5, "stroke-linecap": "round" },
      [0, 60, 120, 180, 240, 300].map((turn) =>
        el("path", { d: "M30 58V41M30 47L25 43M30 47L35 43", transform: `rotate(${turn} 30 58)` }),
      ),
    ),
  // plum
  () =>
    stroke("M8 76C18 70 22 60 34 56C42 53 48 48 52 42", "ink", 2.8) +
    blossom(20, 64, 9.5, "red", 5, 0.46) +
    blossom(38, 55, 10, "red", 5, 0.46) +
    el("circle", { cx: 51, cy: 43, r: 3, fill: ink("red") }),
  // orchid
  () =>
    ["M28 77C26 64 18 54 8 52", "M29 77C30 62 38 50 52 50", "M27 77C22 68 16 65 9 66", "M30 77C34 68 42 64 52 66"]
      .map((d) => stroke(d, "green", 3))
      .join("") +
    [-90, -150, -30, 40, 140].map((turn) => leaf(30, 54, 13, turn, "blue", 0.34)).join("") +
    el("circle", { cx: 30, cy: 54, r: 2.6, fill: ink("gold") }),
  // bamboo
  () =>
    stick(22, 58, 38, "green", 6, 6) +
    stroke("M24 56C30 52 34 50 38 50", "green", 2) +
    [
      [37, 50, 17, -30],
      [36, 50, 17, 10],
      [35, 51, 16, 48],
      [25, 66, 15, 30],
      [25, 65, 14, 68],
    ]
      .map((place) => leaf(...place))
      .join(""),
  // chrysanthemum
  () =>
    stroke("M30 78V64", "green", 2.4) +
    leaf(30, 75, 14, -28) +
    leaf(30, 75, 14, 208) +
    blossom(30, 56, 15, "gold", 14, 0.22) +
    el("circle", { cx: 30, cy: 56, r: 4, fill: ink("red") }),
];

// Drawn, not set in a font: text inside an image would be read out beside the tile's own name.
const DIGITS = [
  "M3 1.6L5.4 0V10",
  "M.4 2.600C.800 -.700 6.200 -.700 6.200 2.700C6.200 5 2.200 7.200.300 10H6.700",
  "M.600 1.500C1.800 -.400 6.200 -.300 6.200 2.500C6.200 4.300 4.400 4.800 2.900 4.800C4.800 4.800 6.600 5.400 " +
    "6.600 7.300C6.600 10.600 1.300 10.700.300 8.400",
  "M5 10V0L.200 7H7",
];

/** The face of flower 0-7. */
export function flower(number) {
  const colour = number < 4 ? "red" : "blue";
  return (
    PLANTS[number]() +
    han("春夏秋冬梅蘭竹菊"[number], 21, 20, 27, 28, colour) +
    group({ transform: "translate(45 7)" }, stroke(DIGITS[number % 4], colour, 2))
  );
}
