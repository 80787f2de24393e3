// Words spoken and the phone's buzz, where the player wants them: what the browser itself can do, no files.
import { prefs } from "./prefs.svelte";

/** Speaks a word, if voices are wanted and there are any; what is being spoken is cut off. */
export function shout(word: string): void {
  if (!prefs.voice || typeof speechSynthesis === "undefined") return;
  const utterance = new SpeechSynthesisUtterance(word);
  utterance.lang = prefs.lang === "en" ? "en" : "zh-CN";
  utterance.volume = prefs.volume;
  utterance.rate = 1.1;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}

/** Lets a phone buzz for some milliseconds, if that is wanted. */
export function buzz(milliseconds: number): void {
  if (prefs.buzz && typeof navigator.vibrate === "function") navigator.vibrate(milliseconds);
}
