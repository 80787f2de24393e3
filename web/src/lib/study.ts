// A study: moments of replays in chapters, with notes, arrows, branches and questions; as text, as a file, as a link.
import { WINDS, type Kind } from "./tiles";

/** From a tile in hand to a seat, or to the discards. */
export interface Arrow {
  from: Kind;
  to: string;
}

/** Another action than the one played, and what to say about it. */
export interface Branch {
  play: string;
  note: string;
}

export interface StudyQuestion {
  text: string;
  /** The right actions, as `wordsOf` writes them. */
  answers: string[];
  why: string;
}

export interface Chapter {
  title: string;
  replay: string;
  at: number;
  seat: Kind;
  note: string;
  arrows: Arrow[];
  branches: Branch[];
  question: StudyQuestion | null;
}

export interface Study {
  quepu: "study";
  version: 1;
  title: string;
  by: string;
  /** Notes, arrows and branches of a chapter with a question are hidden until it was tried. */
  teacher: boolean;
  chapters: Chapter[];
  /** Logs by the id of their replay; in files only. */
  logs?: Record<string, string>;
}

export const emptyStudy = (): Study => ({ quepu: "study", version: 1, title: "", by: "", teacher: true, chapters: [] });
export const TO_DISCARDS = "discard";
const MOST_CHAPTERS = 100;
const LONGEST = 4000; // characters of a note

/** The study in a text, or which part of it is wrong. */
export function readStudy(text: string): Study | { wrong: string } {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return { wrong: "JSON" };
  }
  const study = found as Partial<Study> | null;
  if (typeof study !== "object" || study === null || study.quepu !== "study" || study.version !== 1)
    return { wrong: "quepu, version" };
  if (!Array.isArray(study.chapters) || study.chapters.length > MOST_CHAPTERS) return { wrong: "chapters" };
  const chapters: Chapter[] = [];
  for (const [at, one] of (study.chapters as unknown[]).entries()) {
    const chapter = readChapter(one);
    if (typeof chapter === "string") return { wrong: `chapters[${at}].${chapter}` };
    chapters.push(chapter);
  }
  const logs = study.logs && typeof study.logs === "object" ? { logs: study.logs } : {};
  return {
    ...emptyStudy(),
    title: line(study.title),
    by: line(study.by),
    teacher: study.teacher !== false,
    chapters,
    ...logs,
  };
}

const line = (value: unknown): string => (typeof value === "string" ? value.slice(0, LONGEST) : "");
const list = <T>(value: unknown, read: (one: Record<string, unknown>) => T): T[] =>
  Array.isArray(value) ? value.slice(0, MOST_CHAPTERS).map((one) => read((one ?? {}) as Record<string, unknown>)) : [];

/** A chapter, or the name of what is wrong in it. */
function readChapter(value: unknown): Chapter | string {
  const one = (value ?? {}) as Record<string, unknown>;
  if (typeof one.replay !== "string" || !/^[\w-]{1,64}$/.test(one.replay)) return "replay";
  if (!Number.isInteger(one.at) || (one.at as number) < 0) return "at";
  if (typeof one.seat !== "string" || !WINDS.includes(one.seat)) return "seat";
  const asked = one.question as Record<string, unknown> | null | undefined;
  return {
    title: line(one.title),
    replay: one.replay,
    at: one.at as number,
    seat: one.seat,
    note: line(one.note),
    arrows: list(one.arrows, (arrow) => ({ from: line(arrow.from), to: line(arrow.to) })),
    branches: list(one.branches, (branch) => ({ play: line(branch.play), note: line(branch.note) })),
    question: asked
      ? {
          text: line(asked.text),
          answers: Array.isArray(asked.answers) ? asked.answers.map(line).filter(Boolean) : [],
          why: line(asked.why),
        }
      : null,
  };
}

/** Whether an action is a right answer; blanks and case do not matter. */
export const isRight = (question: StudyQuestion, tried: string): boolean =>
  question.answers.some((one) => one.replace(/\s/g, "").toLowerCase() === tried.replace(/\s/g, "").toLowerCase());

const through = async (bytes: Uint8Array, stream: TransformStream): Promise<Uint8Array> =>
  new Uint8Array(await new Response(new Blob([bytes as BlobPart]).stream().pipeThrough(stream)).arrayBuffer());

/** The study in letters that an address may have; logs are left out. */
export async function pack(study: Study): Promise<string> {
  const text = JSON.stringify({ ...study, logs: undefined });
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** What `pack` made of a study; what is wrong where it is something else. */
export async function unpack(letters: string): Promise<Study | { wrong: string }> {
  try {
    const binary = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    return readStudy(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
  } catch {
    return { wrong: "link" };
  }
}
