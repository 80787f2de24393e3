// Sounds made on the spot: no files. A knock is a short burst of filtered noise, a note a decaying tone.
import { prefs } from "./prefs.svelte";

export type Sound = "discard" | "draw" | "claim" | "win" | "lose" | "turn" | "warn" | "flower" | "great";

/** Milliseconds after the last sound began at which the system rests: while it runs, it uses processor and battery. */
const REST = 3000;

let context: AudioContext | null = null;
let resting: ReturnType<typeof setTimeout> | undefined;
let master: GainNode | null = null;
let noise: AudioBuffer | null = null;

/** The sound system, once the user has touched the page; browsers keep pages silent before. */
function ready(): AudioContext | null {
  if (!prefs.sound || navigator.userActivation?.hasBeenActive === false || typeof AudioContext === "undefined")
    return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  clearTimeout(resting);
  resting = setTimeout(() => void context?.suspend(), REST);
  return context;
}

/** Where all sounds go, as loud as the player wants them. */
function out(on: AudioContext): GainNode {
  if (!master) (master = on.createGain()).connect(on.destination);
  master.gain.value = prefs.volume;
  return master;
}

function knock(on: AudioContext, at: number, pitch: number, loud: number, length = 0.06): void {
  if (!noise) {
    noise = on.createBuffer(1, on.sampleRate * 0.2, on.sampleRate);
    const data = noise.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  }
  const source = on.createBufferSource();
  source.buffer = noise;
  const band = on.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 3;
  const gain = on.createGain();
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  source.connect(band).connect(gain).connect(out(on));
  source.start(at);
  source.stop(at + length);
}

function note(
  on: AudioContext,
  at: number,
  pitch: number,
  loud: number,
  length: number,
  shape: OscillatorType = "sine",
): void {
  const tone = on.createOscillator();
  tone.type = shape;
  tone.frequency.value = pitch;
  const gain = on.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  tone.connect(gain).connect(out(on));
  tone.start(at);
  tone.stop(at + length);
}

const MADE: Record<Sound, (on: AudioContext, at: number) => void> = {
  draw: (on, at) => knock(on, at, 2600, 0.12, 0.03),
  discard: (on, at) => {
    knock(on, at, 1900, 0.9, 0.05);
    knock(on, at + 0.012, 700, 0.7, 0.07);
  },
  claim: (on, at) => {
    knock(on, at, 1500, 0.9, 0.05);
    knock(on, at + 0.09, 1100, 0.9, 0.08);
    note(on, at + 0.02, 523, 0.07, 0.25, "triangle");
  },
  flower: (on, at) => [1175, 1568].forEach((pitch, i) => note(on, at + i * 0.08, pitch, 0.06, 0.3)),
  win: (on, at) => [523, 659, 784, 1047].forEach((pitch, i) => note(on, at + i * 0.1, pitch, 0.13, 0.7, "triangle")),
  great: (on, at) => {
    knock(on, at + 0.18, 260, 1, 0.2);
    [262, 392, 523, 659, 784, 1047].forEach((pitch) => note(on, at + 0.5, pitch, 0.07, 1.4, "triangle"));
  },
  lose: (on, at) => [392, 330].forEach((pitch, i) => note(on, at + i * 0.14, pitch, 0.09, 0.5, "triangle")),
  turn: (on, at) => [784, 1047].forEach((pitch, i) => note(on, at + i * 0.07, pitch, 0.06, 0.25)),
  warn: (on, at) => note(on, at, 988, 0.08, 0.09, "square"),
};

/** Makes a sound, if sounds are wanted. */
export function sound(which: Sound): void {
  const on = ready();
  if (on) MADE[which](on, on.currentTime + 0.005);
}
