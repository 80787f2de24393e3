// Which fans are to be met again now: what was known once comes back after a day, then three, a week …
import type { PracticeHistory } from "../../lib/types";

type Standing = PracticeHistory["fans"][number];

export const isDue = (fan: Standing, history: PracticeHistory): boolean => fan.due !== null && fan.due <= history.now;

/** Steps after which a fan counts as firm: it was still known a week after it had been. */
export const FIRM = 3;

/** When a fan is due, in days from now: 0 is now. */
export const inDays = (fan: Standing, history: PracticeHistory): number =>
  Math.max(0, Math.ceil(((fan.due ?? history.now) - history.now) / 86_400));
