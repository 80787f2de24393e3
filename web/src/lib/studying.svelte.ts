// The study that is read or written in this browser: it stays while one goes from replay to replay.
import { emptyStudy, readStudy, type Chapter, type Study } from "./study";

const DRAFT = "quepu-study";

function stored(): Study {
  try {
    const found = readStudy(localStorage.getItem(DRAFT) ?? "");
    return "wrong" in found ? emptyStudy() : found;
  } catch {
    return emptyStudy(); // storage may be forbidden
  }
}

class Studying {
  study = $state<Study>(stored());
  /** The chapter that is read, by number; -1: none. */
  at = $state(-1);
  editing = $state(false);
  /** What was tried, by chapter. */
  tried = $state<Record<number, string>>({});

  get chapter(): Chapter | null {
    return this.study.chapters[this.at] ?? null;
  }
  /** Whether the answer of the chapter is still hidden. */
  get hidden(): boolean {
    return !this.editing && this.study.teacher && !!this.chapter?.question && this.tried[this.at] === undefined;
  }

  open(study: Study): void {
    this.study = study;
    this.at = study.chapters.length ? 0 : -1;
    this.tried = {};
    this.editing = false;
    this.store();
  }

  add(chapter: Chapter): void {
    this.study.chapters.push(chapter);
    this.at = this.study.chapters.length - 1;
    this.store();
  }

  drop(at: number): void {
    this.study.chapters.splice(at, 1);
    this.at = Math.min(this.at, this.study.chapters.length - 1);
    this.tried = {};
    this.store();
  }

  store(): void {
    try {
      localStorage.setItem(DRAFT, JSON.stringify({ ...this.study, logs: undefined }));
    } catch {
      // storage may be forbidden
    }
  }
}

export const studying = new Studying();
