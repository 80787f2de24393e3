/** Most characters of a person's name at desks, score tables, clubs and rooms: LONGEST_PERSON of quepu.schema. */
export const LONGEST_PERSON = 40;
