import { describe, expect, it } from "vitest";
import { WINDS } from "../../lib/tiles";
import { castOf, isDeed, openDiscard } from "./events";
import { kindsOf, seatsFrom, type BoardShape } from "./shapes";

const seats = (...happened: string[]) => happened.map((one, n) => ({ e: one.slice(2), seat: one[0] ?? "", n }));

describe("what was thrown as it was drawn", () => {
  it("is marked in the river, but for what was claimed", () => {
    const thrown = (seat: string, drawn: boolean) => ({ e: "discard", seat, drawn });
    expect(castOf([thrown("E", true), thrown("S", false), thrown("E", false)])).toEqual({
      E: [true, false],
      S: [false],
    });
    expect(castOf([thrown("E", false), thrown("E", true), { e: "pung", seat: "W" }])).toEqual({ E: [false] });
    expect(castOf([thrown("E", true), { e: "added", seat: "S" }, { e: "win", seat: "W", from: "S" }])).toEqual({
      E: [true],
    });
    expect(castOf([thrown("E", true), { e: "win", seat: "W", from: "E" }])).toEqual({ E: [] });
  });
});

describe("the newest discard", () => {
  it("lies there until somebody claims it", () => {
    expect(openDiscard(seats("E draw", "E discard", "S draw"))).toMatchObject({ n: 1 });
    expect(openDiscard(seats("E discard", "W pung"))).toBeUndefined();
    expect(openDiscard(seats("E discard", "W pung", "W discard"))).toMatchObject({ n: 2 });
    expect(openDiscard(seats("E draw"))).toBeUndefined();
  });
  it("is taken by a win on it, and by no other win", () => {
    const [thrown] = seats("E discard");
    expect(openDiscard([thrown!, { e: "win", seat: "W", from: "E" }])).toBeUndefined();
    expect(openDiscard([thrown!, { e: "win", seat: "S" }])).toBe(thrown);
    expect(openDiscard([thrown!, { e: "added", seat: "S" }, { e: "win", seat: "W", from: "S" }])).toBe(thrown);
  });
});

/** An event as a seat's connection gets it, and what the server's fold says of the table after it. */
interface Step {
  event: { e: string; seat?: string; tile?: string; from?: string };
  /** The discard that lies there for all. */
  thrown: { seat: string; tile: string } | null;
  /** Whether a seat did it itself. */
  deed: boolean;
  board: BoardShape;
  /** By seat, for each meld: whose tile it has, as steps to the right (0: nobody's). */
  givers: number[][];
  turn: string;
}

/** What the client makes of the events so far and of the board, with seat `first` at the bottom. */
function made(events: Step["event"][], step: Step, first: number): unknown[] {
  const thrown = openDiscard(events);
  return [
    thrown ? { seat: thrown.seat, tile: thrown.tile } : null,
    step.event.e === "flower" ? null : isDeed(step.event),
    seatsFrom(step.board, first).map((seat) => [
      seat.wind,
      seat.turn,
      seat.melds.map((meld) => [meld.from, meld.meld.tiles.toSorted()]),
    ]),
  ];
}

/** The same out of the server's fold. */
function expected(step: Step, first: number): unknown[] {
  return [
    step.thrown,
    step.event.e === "flower" ? null : step.deed,
    [0, 1, 2, 3].map((turned) => {
      const at = (first + turned) % 4;
      const melds = (step.board.melds[at] ?? []).map((set, i) => [
        SIDES[step.givers[at]?.[i] ?? 0],
        kindsOf(set.tiles).toSorted(),
      ]);
      return [WINDS[at], !step.board.over && step.turn === WINDS[at], melds];
    }),
  ];
}

const { VITE_HANDS, VITE_HANDS_COUNT } = (import.meta as unknown as { env: Record<string, string | undefined> }).env;
const SIDES = [null, "right", "across", "left"];

// one line for each hand, written by tests/whole/test_browser_fold.py, which runs this
describe.skipIf(!VITE_HANDS)("hands of the server", () => {
  it("come to the same here, event by event", { timeout: 600_000 }, async () => {
    const node = "node:fs"; // not of the browser, so its types are not installed
    const files = (await import(/* @vite-ignore */ node)) as { readFileSync(path: string, as: string): string };
    const wrong: unknown[] = [];
    let hands = 0;
    for (const line of files.readFileSync(VITE_HANDS!, "utf8").trim().split("\n")) {
      const { name, steps } = JSON.parse(line) as { name: string; steps: Step[] };
      for (const [n, step] of steps.entries()) {
        const here = made(
          steps.slice(0, n + 1).map((one) => one.event),
          step,
          n % 4,
        );
        const there = expected(step, n % 4);
        if (JSON.stringify(here) !== JSON.stringify(there)) wrong.push({ name, n, event: step.event, here, there });
      }
      hands += 1;
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(hands).toBe(Number(VITE_HANDS_COUNT));
  });
});
