// The drafts of this browser, the one that is open, and what the server says that it does.
import { get, network, post, Refused } from "../../lib/api.svelte";
import { bookPage, books } from "../../lib/books.svelte";
import { t } from "../../lib/prefs.svelte";
import type { BookPage, DraftShape, EffectsAnswer, WordsAnswer } from "../../lib/types";
import { draftToml, fromData, plainDraft, unpacked, type Draft } from "./draft";
import { storeDrafts, storedDrafts, type Named } from "./stored";

const MOST_PAST = 100;
const MOST_NAME = 40;
const WAIT = 300;
/** Status of an answer that there is too much to do, and the wait before asking again. */
const BUSY = [429, 503];
/** Statuses of answers about drafts that are valid: another set of tiles, too long to count, or too much to do. */
const UNCOUNTED = [409, 413, ...BUSY];
const AGAIN = 5000;

export class Workshop {
  drafts = $state<Named[]>(storedDrafts());
  at = $state(0);
  state = $state("closed-discard");
  book = $state<BookPage | null>(null);
  words = $state<WordsAnswer | null>(null);
  effects = $state<EffectsAnswer | null>(null);
  /** Why the draft cannot be used. */
  wrong = $state("");
  /** Why a draft that can be used has no figures now. */
  uncounted = $state("");
  #unanswered = $state(false);
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

  /** No server answers, which alone counts every hand. */
  get away(): boolean {
    return this.#unanswered || network.offline;
  }

  /**
   * Opens what an address brings (a draft, a rules file, a book), else the last draft, else a new one of the book in
   * force.
   */
  async begin(query: URLSearchParams, book: string): Promise<void> {
    const [link, house, rules] = ["draft", "house", "rules"].map((key) => query.get(key));
    const linked = link ? unpacked(link) : null;
    if (link && !books.list.some(({ id }) => id === linked?.base))
      throw new Error(t("这个链接里的草稿无法识别。", "The draft in this link could not be read."));
    const wanted = linked ? draftToml(linked) : house;
    const at = this.drafts.findIndex(({ draft }) =>
      wanted ? draftToml(draft) === wanted : !rules || draft.base === rules,
    );
    if (at >= 0) this.open(at);
    else if (linked) this.add(linked.title || t("链接里的", "from a link"), linked);
    else if (house) await this.read(house);
    else this.add(this.fresh(), plainDraft(rules ?? book));
  }

  /** A name for a draft that no other has. */
  fresh(): string {
    for (let n = 1; ; n++) {
      const name = t(`草稿 ${n}`, `draft ${n}`);
      if (!this.#taken(name)) return name;
    }
  }

  /** A new draft, opened; where another has its name, it is numbered. */
  add(name: string, draft: Draft): void {
    let own = name;
    for (let n = 2; this.#taken(own); n++) own = `${name} ${n}`;
    this.drafts = [{ id: crypto.randomUUID(), name: own, draft }, ...this.drafts];
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
    const gone = this.named?.id;
    this.drafts = this.drafts.filter(({ id }) => id !== gone);
    this.#store(gone);
    if (this.drafts.length) this.open(0);
    else this.add(this.fresh(), plainDraft(base));
  }

  /** Another name for the open draft, unless it is empty or another draft's; then why it stays as it was. */
  rename(name: string): string {
    const wanted = name.trim().slice(0, MOST_NAME);
    if (!this.named || wanted === this.named.name) return "";
    if (!wanted)
      return t(
        `草稿须有名称，仍叫“${this.named.name}”。`,
        `A draft needs a name: it is still ${JSON.stringify(this.named.name)}.`,
      );
    if (this.#taken(wanted))
      return t(`已经有叫“${wanted}”的草稿。`, `A draft called ${JSON.stringify(wanted)} already exists.`);
    this.named.name = wanted;
    this.#store();
    return "";
  }

  #taken(name: string): boolean {
    return this.drafts.some((one) => one.name === name);
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

  /** Takes over a rules file as a new draft. */
  async read(text: string): Promise<void> {
    const draft = await this.#draftOf(text);
    this.add(draft.title || t("规则文件", "rules file"), draft);
  }

  /** Takes over a rules file into the open draft, where it can be undone. */
  async retype(text: string): Promise<void> {
    const draft = await this.#draftOf(text);
    this.change(() => draft);
  }

  async #draftOf(text: string): Promise<Draft> {
    const found = await post<DraftShape>("/api/workshop/draft", { house: text }).catch((problem: unknown) => {
      if (!(problem instanceof Refused) || problem.status) throw problem;
      throw new Error(t("连不上服务器，暂时打不开规则文件。", "A rules file cannot be opened without the server."));
    });
    const page = await bookPage(found.base);
    return fromData(
      found.base,
      found.data,
      Object.keys(page.fans[0]?.value ?? { fan: 0 }),
      Object.fromEntries(page.fans.map((fan) => [fan.name, fan.value])),
    );
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

  /** Writes the open draft among those that other windows have written; `gone`: one that is deleted. */
  #store(gone = ""): void {
    const own = this.named;
    const all = storedDrafts().filter(({ id }) => id !== gone);
    const at = all.findIndex(({ id }) => id === own?.id);
    if (own) all.splice(Math.max(at, 0), at < 0 ? 0 : 1, own);
    storeDrafts(all);
  }

  /** Takes over what another window has written; what it changed of the open draft can be undone here too. */
  follow(): void {
    const own = this.named;
    const all = storedDrafts();
    if (!all.length || !own) return;
    const at = all.findIndex(({ id }) => id === own.id);
    const other = at >= 0 && JSON.stringify(all[at]?.draft) !== JSON.stringify(own.draft);
    const before = $state.snapshot(own.draft) as Draft;
    this.drafts = all;
    if (at < 0) return this.open(0); // it is deleted
    this.at = at;
    if (!other) return;
    this.past = [...this.past.slice(-MOST_PAST), before];
    this.future = [];
    if (before.base !== this.draft.base) this.#opened();
    else this.ask();
  }

  #opened(): void {
    const base = this.draft.base;
    this.#store();
    this.book = null;
    bookPage(base).then(
      (page) => base === this.draft.base && (this.book = page),
      (problem: Error) => (this.wrong = problem.message),
    );
    this.#readWords();
    this.ask(0);
  }

  #readWords(): void {
    get<WordsAnswer>(`/api/workshop/words?rules=${encodeURIComponent(this.draft.base)}`).then(
      (found) => (this.words = found),
      () => undefined,
    );
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
          this.wrong = this.uncounted = "";
          this.#unanswered = this.busy = false;
          if (!this.words) this.#readWords();
        },
        (problem: unknown) => {
          if (!(problem instanceof Refused)) return; // a newer draft is asked about
          this.#unanswered = problem.status === 0;
          const valid = UNCOUNTED.includes(problem.status);
          this.wrong = valid || this.#unanswered ? "" : problem.message;
          this.uncounted = valid ? problem.message : "";
          if (valid && !BUSY.includes(problem.status)) this.effects = null; // those of an earlier draft
          this.busy = false;
          if (BUSY.includes(problem.status)) this.ask(AGAIN);
        },
      );
    }, wait);
  }
}
