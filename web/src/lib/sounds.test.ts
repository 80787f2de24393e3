import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sound } from "./sounds";

vi.mock("./prefs.svelte", () => ({ prefs: { sound: true, volume: 1 } }));

const param = (): object => ({
  value: 0,
  setValueAtTime: () => undefined,
  exponentialRampToValueAtTime: () => undefined,
});

/** A sound system that makes none, and counts how often it is put to rest and woken. */
class Silent {
  state = "running";
  currentTime = 0;
  sampleRate = 10;
  destination = {};
  resume = vi.fn(() => Promise.resolve(void (this.state = "running")));
  suspend = vi.fn(() => Promise.resolve(void (this.state = "suspended")));
  constructor() {
    made.push(this);
  }
  createBuffer = (): object => ({ getChannelData: (): number[] => [] });
  createGain = (): object => this.node();
  createOscillator = (): object => this.node();
  createBiquadFilter = (): object => this.node();
  createBufferSource = (): object => this.node();
  private node(): object {
    const gone = { gain: param(), frequency: param(), Q: param(), start: vi.fn(), stop: vi.fn() };
    return { ...gone, connect: (to: object) => to };
  }
}
const made: Silent[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("AudioContext", Silent);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the sound system rests after the last sound, and is woken by the next", () => {
  sound("great");
  const on = made[0];
  if (!on) throw new Error("no sound system was made");
  vi.advanceTimersByTime(2000);
  expect(on.suspend).not.toHaveBeenCalled(); // the longest sound has just ended
  sound("win");
  vi.advanceTimersByTime(2000);
  expect(on.suspend).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2000);
  expect(on.suspend).toHaveBeenCalledTimes(1);
  sound("turn");
  expect(on.resume).toHaveBeenCalledTimes(1);
  expect(made).toHaveLength(1);
});
