import { expect, test } from "vitest";
import type { ValuedDiscards } from "../../lib/types";
import type { Mistake } from "./mistakes";
import { canVary, images, neighbours, similarTo, textOf, type Candidate } from "./similar";

const ONE = {
  tiles: ["1m", "2m", "3m", "4p", "5p", "7s", "7s", "9s", "E", "E"],
  drawn: "9m",
  melds: [["2s", "3s", "4s"]],
  best: "9s",
  chosen: "4p",
  shares: { "9s": 1, "4p": 0.5 },
  options: [],
  rules: "guobiao",
  why: { zh: "", en: "" },
} as unknown as Mistake;
const kinds = (one: Candidate): string[] => [...one.tiles, one.drawn ?? "", ...one.melds.flat()].filter(Boolean);
const answer = (choices: [string, number][]): ValuedDiscards =>
  ({
    preparing: false,
    aims: [],
    text: "because",
    choices: choices.map(([tile, share]) => ({ do: "discard", tile, share })),
  }) as unknown as ValuedDiscards;

test("the images of a position are all others of its kind, each once", () => {
  const found = images(ONE);
  expect(found).toHaveLength(11); // six orders of the suits, ranks as they are or turned, without itself
  const shape = (one: Candidate): number[] => {
    const counts: Record<string, number> = {};
    for (const kind of kinds(one)) counts[kind] = (counts[kind] ?? 0) + 1;
    return Object.values(counts).sort();
  };
  for (const one of found) {
    expect(shape(one)).toEqual(shape(ONE));
    expect(one.tiles.filter((kind) => kind === "E")).toHaveLength(2);
    expect(one.tiles).toContain(one.best);
    expect(one.tiles).toContain(one.chosen);
  }
  expect(new Set(found.map((one) => [...kinds(one)].sort().join(""))).size).toBe(11);
  const honours = { ...ONE, tiles: ["E", "S", "W", "N", "C"], drawn: "F", melds: [], best: "E", chosen: "S" };
  expect(images(honours)).toEqual([]);
});

test("a neighbour moves one tile by a rank, and never the best one, the mistake, or a fifth copy", () => {
  const found = neighbours(ONE);
  for (const one of found) {
    const changed = one.tiles.filter((kind, at) => kind !== ONE.tiles[at]);
    expect(changed).toHaveLength(1);
    expect(one.tiles.filter((kind) => kind === "9s" || kind === "4p")).toEqual(expect.arrayContaining(["4p", "9s"]));
    for (const kind of kinds(one)) expect(kinds(one).filter((other) => other === kind).length).toBeLessThan(5);
  }
  const full = { ...ONE, tiles: ["1m", "2m", "2m", "2m", "2m", "9s", "4p"] };
  expect(neighbours(full).some((one) => one.tiles.filter((kind) => kind === "2m").length > 4)).toBe(false);
});

test("a position is taken only if it has the same lesson", async () => {
  const asked: string[] = [];
  const taught = await similarTo(
    ONE,
    (hand, rules) => {
      asked.push(`${rules} ${hand}`);
      const last = asked.length === 3;
      const all = [...images(ONE), ...[ONE, ...images(ONE)].flatMap((one) => neighbours(one))];
      const position = all.find((one) => textOf(one) === hand);
      if (!position) throw new Error(`not one of the candidates: ${hand}`);
      return Promise.resolve(
        answer(
          last
            ? [
                [position.best, 1],
                [position.chosen, 0.6],
              ]
            : [[position.chosen, 1]],
        ),
      );
    },
    () => 0.5,
  );
  expect(asked).toHaveLength(3);
  expect(asked[0]).toMatch(/^guobiao [1-9]m.*\([2-9sSmp1-9]+\)$/);
  expect(taught).toMatchObject({ why: { en: "because" }, rules: "guobiao" });
  expect(taught && taught.shares[taught.best]).toBe(1);
  expect(taught && taught.shares[taught.chosen]).toBe(0.6);
  expect(await similarTo(ONE, () => Promise.resolve(answer([["C", 1]])))).toBeNull();
  expect(await similarTo(ONE, () => Promise.resolve({ ...answer([]), preparing: true }))).toBeNull();
  expect(await similarTo(ONE, () => Promise.resolve(null))).toBeNull();
});

test("claims and kongs are not varied", () => {
  expect(canVary(ONE)).toBe(true);
  expect(canVary({ ...ONE, melds: [["1m", "1m", "1m", "1m"]] })).toBe(false);
  expect(canVary({ ...ONE, options: [{ key: "pass", text: { zh: "", en: "" } }] })).toBe(false);
});
