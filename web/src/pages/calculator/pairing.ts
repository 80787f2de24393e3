// The fans of one hand under two rulebooks as rows: a fan that both have stands in one of them, whatever each calls it.

interface Fan {
  name: string;
  english: string;
}

export interface FanPair<F extends Fan> {
  /** One name, or the names of both rulebooks. */
  name: string;
  english: string;
  mine: F | undefined;
  theirs: F | undefined;
}

/** Pairs fans of one name, then those of different Chinese names that are one in English; the others stand alone. */
export function pairFans<F extends Fan>(mine: readonly F[], theirs: readonly F[]): FanPair<F>[] {
  const left = new Set(theirs);
  const take = (same: (fan: F) => boolean): F | undefined => {
    const found = [...left].find(same);
    if (found) left.delete(found);
    return found;
  };
  const named = new Map(mine.map((one) => [one, take((other) => other.name === one.name)]));
  const pairs = mine.map((one) => {
    const other =
      named.get(one) ?? take((fan) => !!fan.english && fan.english.toLowerCase() === one.english.toLowerCase());
    const name = other && other.name !== one.name ? `${one.name} | ${other.name}` : one.name;
    return { name, english: one.english, mine: one, theirs: other };
  });
  return [
    ...pairs,
    ...[...left].map((fan) => ({ name: fan.name, english: fan.english, mine: undefined, theirs: fan })),
  ];
}
