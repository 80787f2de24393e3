// A rating in words: the mean with its deviation, or how many matches are still missing.
import { many, t } from "../../lib/prefs.svelte";
import { fixed } from "../../lib/values";

interface Rated {
  rated: number;
  mean: number | null;
  deviation: number | null;
}

export function ratingText(one: Rated, least: number): string {
  if (one.mean !== null && one.deviation !== null) return `${fixed(one.mean, 1)} ± ${fixed(one.deviation, 1)}`;
  const more = least - one.rated;
  return t(`还差 ${more} 场`, `in ${many(more, "match", "matches")}`);
}
