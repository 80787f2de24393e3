// The drafts of this browser, the one that is open, and what the server says that it does.
import { get, post, Refused } from "../../lib/api.svelte";
import { bookPage } from "../../lib/books.svelte";
import { t } from "../../lib/prefs.svelte";
import type { BookPage, DraftShape, EffectsAnswer, WordsAnswer } from "../../lib/types";
import { draftToml, fromData, plainDraft, unpacked, type Draft } from "./draft";

interface Named {
  id: string;
  name: string;
  draft: Draft;
}

const KEY = "quepu.drafts";
const MOST_PAST = 100;
const WAIT = 300;

function load(): Named[] {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]") as Named[];
    return Array.isArray(found)
      ? found.map((one) => ({ ...one, draft: { ...plainDraft(one.draft.base), ...one.draft } }))
      : [];
  } catch {
    return [];
  }
}

export class Workshop {
  drafts = $state<Named[]>(load());
  at = $state(0);
  state = $state("closed-discard");
  book = $state<BookPage | null>(null);
  words = $state<WordsAnswer | null>(null);
  effects = $state<EffectsAnswer | null>(null);
  /** Why the draft cannot be used. */
  wrong = $state("");
  busy = $state(false);
  past = $state<Draft[]>([]);
  future = $state<Draft[]>([]);
  #asking: AbortController | null = null;
  #timer = 0;

  readonly named = $derived(this.drafts[this.at]);
  readonly draft = $derived(this.named?.draft ?? plainDraft("lingque-29"));
  readonly text = $derived(draftToml(this.draft));
  /** The parts of a value in this book: fu and fan, or fan. */
  readonly parts = $derived(Object.keys(this.book?.fans[0]?.value ?? { fan: 0 }));
  /** The fans that a relation may name: the book's that are not switched off, and the draft's own. */
  readonly fans = $derived([
    ...new Set([
      ...(this.book?.fans.map((fan) => fan.name) ?? []).filter((name) => !this.draft.without.includes(name)),
      ...this.draft.fans.map((fan) => fan.name),
    ]),
  ]);

  /** Opens what an address brings (a draft, a rules file, a book), else the last draft, else a new one of the book in force. */
  async begin(query: URLSearchParams, book: string): Promise<void> {
    const [link, house, rules] = ["draft", "house", "rules"].map((key) => query.get(key));
    const linked = link ? unpacked(link) : null;
    if (link && !linked)
      throw new Error(t("这个链接里没有读得懂的草稿。", "This link holds no draft that can be read."));
    const wanted = linked ? draftToml(linked) : house;
    const at = this.drafts.findIndex(({ draft }) =>
      wanted ? draftToml(draft) === wanted : !rules || draft.base === rules,
    );
    if (at >= 0) this.open(at);
    else if (linked) this.add(t("链接里的", "from a link"), linked);
    else if (house) await this.read(house);
    else this.add(this.fresh(), plainDraft(rules ?? book));
  }

  /** A name for a draft that no other has. */
  fresh(): string {
    for (let n = 1; ; n++) {
      const name = t(`草稿 ${n}`, `draft ${n}`);
      if (!this.drafts.some((one) => one.name === name)) return name;
    }
  }

  add(name: string, draft: Draft): void {
    this.drafts = [{ id: crypto.randomUUID(), name, draft }, ...this.drafts];
    this.open(0);
  }

  open(at: number): void {
    this.at = at;
    this.past = [];
    this.future = [];
    this.effects = null;
    this.#opened();
  }

  remove(): void {
    const base = this.draft.base;
    this.drafts = this.drafts.filter((_, at) => at !== this.at);
    if (this.drafts.length) this.open(0);
    else this.add(this.fresh(), plainDraft(base));
  }

  rename(name: string): void {
    if (this.named && name.trim()) this.named.name = name.trim().slice(0, 40);
    this.#store();
  }

  /** Another book under the draft: it begins anew. */
  rebase(base: string): void {
    this.change(() => plainDraft(base));
    this.#opened();
  }

  change(make: (draft: Draft) => Draft): void {
    const before = $state.snapshot(this.draft) as Draft;
    this.past = [...this.past.slice(-MOST_PAST), before];
    this.future = [];
    this.#put(make(structuredClone(before)));
  }

  undo(): void {
    const last = this.past.at(-1);
    if (!last) return;
    this.future = [...this.future, $state.snapshot(this.draft) as Draft];
    this.past = this.past.slice(0, -1);
    this.#put($state.snapshot(last) as Draft);
  }

  redo(): void {
    const next = this.future.at(-1);
    if (!next) return;
    this.past = [...this.past, $state.snapshot(this.draft) as Draft];
    this.future = this.future.slice(0, -1);
    this.#put($state.snapshot(next) as Draft);
  }

  /** Takes over a rules file. */
  async read(text: string): Promise<void> {
    const found = await post<DraftShape>("/api/workshop/draft", { house: text });
    const page = await bookPage(found.base);
    const draft = fromData(found.base, found.data, Object.keys(page.fans[0]?.value ?? { fan: 0 }));
    this.add(draft.title || t("规则文件", "rules file"), draft);
  }

  measure(state: string): void {
    this.state = state;
    this.ask(0);
  }

  #put(draft: Draft): void {
    const other = draft.base !== this.draft.base;
    if (this.named) this.named.draft = draft;
    this.#store();
    if (other) this.#opened();
    else this.ask();
  }

  #store(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.drafts));
    } catch {
      // private windows may refuse: the drafts then last for this page
    }
  }

  #opened(): void {
    const base = this.draft.base;
    this.#store();
    this.book = null;
    bookPage(base).then(
      (page) => base === this.draft.base && (this.book = page),
      (problem: Error) => (this.wrong = problem.message),
    );
    get<WordsAnswer>(`/api/workshop/words?rules=${encodeURIComponent(base)}`).then(
      (found) => (this.words = found),
      () => undefined,
    );
    this.ask(0);
  }

  /** Asks what the draft does, a little after the last change. */
  ask(wait = WAIT): void {
    this.#asking?.abort();
    clearTimeout(this.#timer);
    const stop = (this.#asking = new AbortController());
    this.busy = true;
    this.#timer = window.setTimeout(() => {
      post<EffectsAnswer>("/api/workshop/effects", { house: this.text, state: this.state }, stop.signal).then(
        (found) => {
          this.effects = found;
          this.wrong = "";
          this.busy = false;
        },
        (problem: unknown) => {
          if (!(problem instanceof Refused)) return; // a newer draft is asked about
          this.wrong = problem.message;
          this.busy = false;
        },
      );
    }, wait);
  }
}
