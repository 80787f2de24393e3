// The time over which figures are added up.
export type Season = "all" | "year" | "quarter";

/** The query for a season that holds this moment. */
export function seasonQuery(season: Season, now = new Date()): string {
  if (season === "all") return "";
  const month = season === "year" ? 0 : now.getMonth() - (now.getMonth() % 3);
  return `?since=${new Date(now.getFullYear(), month, 1).getTime() / 1000}`;
}
