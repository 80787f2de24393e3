// 索: sticks of bamboo with a joint. The 1 is the sparrow (雀) of the project's name.
import { el, fill, group, ink, n, stroke } from "./paint.mjs";

function stick(x, y, height, colour, turn = 0, width = 7.2) {
  const k = height / 2;
  const [a, waist] = [width / 2, width * 0.36];
  // One half of the stick, from the joint to its flared end; the other half is its mirror image.
  const half =
    `M${n(-waist)} 0C${n(-waist)} ${n(-k * 0.45)} ${n(-a)} ${n(-k * 0.7)} ${n(-a * 0.86)} ${n(-k)}` +
    `H${n(a * 0.86)}C${n(a)} ${n(-k * 0.7)} ${n(waist)} ${n(-k * 0.45)} ${n(waist)} 0Z`;
  return group(
    { transform: `translate(${n(x)} ${n(y)})${turn ? ` rotate(${turn})` : ""}` },
    fill(half, colour, { "stroke-linejoin": "round", stroke: ink(colour), "stroke-width": 0.8 }),
    fill(half, colour, {
      "stroke-linejoin": "round",
      stroke: ink(colour),
      "stroke-width": 0.8,
      transform: "scale(1 -1)",
    }),
    el("rect", { x: -a * 1.14, y: -1.5, width: width * 1.14, height: 3, rx: 1.5, fill: ink(colour) }),
    stroke(`M0 ${n(-k + 2.4)}V-2.8M0 2.8V${n(k - 2.4)}`, "face", 1.4),
  );
}

const rows = (xs, height, ...lines) => lines.flatMap(([y, colour]) => xs.map((x) => [x, y, height, colour]));
const PLACES = {
  2: [
    [30, 22, 29, "green"],
    [30, 58, 29, "blue"],
  ],
  3: [[30, 22, 29, "blue"], ...rows([17, 43], 29, [58, "green"])],
  4: [
    [18, 22, 29, "green"],
    [42, 22, 29, "blue"],
    [18, 58, 29, "blue"],
    [42, 58, 29, "green"],
  ],
  5: [
    [14, 22, 28, "green"],
    [46, 22, 28, "blue"],
    [30, 40, 28, "red"],
    [14, 58, 28, "blue"],
    [46, 58, 28, "green"],
  ],
  6: rows([13, 30, 47], 29, [22, "green"], [58, "blue"]),
  7: [[30, 14.5, 19, "red"], ...rows([13, 30, 47], 20, [39.5, "green"], [64.5, "blue"])],
  9: [15.5, 40, 64.5].flatMap((y) =>
    [
      [13, "green"],
      [30, "red"],
      [47, "blue"],
    ].map(([x, colour]) => [x, y, 19.5, colour]),
  ),
};

function eight() {
  // An M above and its reflection below, upright outside and leaning inside.
  const upper = [
    [10.5, 22, 28, 0],
    [24.2, 22, 28, -21],
    [35.8, 22, 28, 21],
    [49.5, 22, 28, 0],
  ];
  return upper.map(([x, y, h, t]) => stick(x, y, h, "green", t, 6.2) + stick(x, 80 - y, h, "blue", -t, 6.2)).join("");
}

function sparrow() {
  const tail = [
    ["green", 40, 75],
    ["red", 45, 73],
    ["blue", 50, 70],
  ]
    .map(([colour, x, y]) => stroke(`M38 47C41 55 ${x - 3} 62 ${x} ${y}`, colour, 3.6))
    .join("");
  return (
    tail +
    fill(
      "M19 13.5C27 10.5 34.5 15.5 34.5 24C43.5 29 49.5 39 46.5 51C37 58.5 23 57.500 16.5 47C11.5 39 12.500 31 " +
        "16.5 26C11.5 22 12.500 16 19 13.5Z",
      "green",
    ) +
    fill("M17.5 31.5C16.2 40 19 47.5 27.5 51.8C33.5 54.2 39 52.4 41.8 50C32 49.2 23.5 43 21 31Z", "face") +
    fill("M26.5 30C37 30.5 43.5 37.5 44 47C34 47.5 27 41.5 24.500 33Z", "blue") +
    stroke("M29.5 33.8C35 35.3 39 39 40.600 44M28.300 37C31 40.5 34.500 43.300 38 45", "face", 1.4) +
    fill("M15 18L5.5 21.600L14.600 23.700Z", "gold") +
    el("circle", { cx: 20.6, cy: 19.4, r: 3, fill: ink("face") }) +
    el("circle", { cx: 20.1, cy: 19.4, r: 1.6, fill: ink("ink") }) +
    stroke("M24 13C24.300 8 27 5.600 31 5.200M28 14.200C29 10.700 32 9.200 35.600 9.800", "red", 2.3) +
    stroke("M16.300 27.600C20.500 30.700 26 30.200 30.200 26.500", "red", 2.5) +
    stroke("M24 54.8V66M31 55.800V66", "red", 2) +
    stroke("M8 67.600C18 65.600 30 66.200 38 67.600", "green", 3.2) +
    fill("M11 67C7 70 6.500 74 8 76.500C12.500 75.500 14 71 12.500 67Z", "green")
  );
}

/** The face of 1-9 bamboo. */
export function bamboo(rank) {
  if (rank === 1) return sparrow();
  if (rank === 8) return eight();
  return PLACES[rank].map((place) => stick(...place)).join("");
}

export { stick };
