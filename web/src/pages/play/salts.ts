// Whose salts are in a wall, in words.

/** The names of those whose salt is there ("" is none), in both languages. */
export function putIn(salts: readonly string[] | undefined, names: readonly string[]): { zh: string; en: string } {
  const found = names.filter((_, place) => salts?.[place]);
  return { zh: found.join("、"), en: found.join(", ") };
}
