// What may be said at a table by one press: the server knows the numbers, the words are here.
import { t } from "../../lib/prefs.svelte";

const PHRASES: readonly (readonly [string, string])[] = [
  ["你好", "Hello"],
  ["多谢", "Thank you"],
  ["好牌", "Well played"],
  ["承让", "Good game"],
  ["请快一点", "Please hurry"],
  ["稍等一下", "One moment"],
  ["好险", "That was close"],
  ["可惜", "What a pity"],
];

/** All phrases, by number. */
export const phrases = (): string[] => PHRASES.map((one) => t(...one));
