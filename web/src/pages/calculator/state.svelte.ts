// The hand being built, what surrounds it, and the answer about it. Text and picker write the same state.
import { post, Refused } from "../../lib/api.svelte";
import { chooseBook, hasKind } from "../../lib/books.svelte";
import { prefs } from "../../lib/prefs.svelte";
import { sorted, write, type Kind } from "../../lib/tiles";
import type { HandShape, ShownExample, TilesShape } from "../../lib/types";
import type { Giver } from "../../components/Meld.svelte";
import { EMPTY, queryOf, situationOf, type Situation } from "./situation";
import { answered, NOTHING, orRefused, written, type Answer, type Question } from "./answer";
import { copiesLeft, discarded, marked, NO_TILES, picked, roomOf, textOf, turned, type Mode } from "./hand";

const DRAFT = "quepu.calculator";
export class Calculator {
  /** `book`: the rulebook of a hand that is written for something else (a table), and is not kept as a draft. */
  constructor(readonly book: string | null = null) {}

  now = $state<Situation>({ ...EMPTY });
  hand = $state<HandShape>(NO_TILES);
  /** What was typed, or came with a link, is not read yet: hand and seen tiles are from before. */
  unread = $state(false);
  /** The tiles of `now.seen`, and what is wrong with that text. */
  seen = $state<Kind[]>([]);
  unseen = $state("");
  mode = $state<Mode>("hand");
  winNext = $state(false);
  /** What is wrong with the text, and where. */
  wrong = $state<{ sentence: string; at: number | null } | null>(null);
  /** The last answer, and so perhaps of another hand: what shows it says so while `current` is false. */
  answer = $state.raw<Answer>(NOTHING);
  busy = $state(false);
  /** Neither a server nor this browser answers; it is asked again until one does. */
  away = $state(false);
  #past: Situation[] = $state([]);
  #future: Situation[] = $state([]);
  #reading: AbortController | null = null;
  #asking: AbortController | null = null;
  /** What is to be done to the hand once it is read. */
  #waiting: (() => void)[] = [];
  #timer = 0;

  // ---- how many tiles there are and may be

  readonly room = $derived(roomOf(this.hand));
  readonly held = $derived(this.hand.concealed.length + (this.hand.winning ? 1 : 0));
  readonly complete = $derived(this.held === this.room);
  readonly ready = $derived(this.held === this.room - 1 && !this.hand.winning);

  // ---- what is asked, and what of the answer is about it

  readonly #question: Question = $derived.by(() => {
    const { text, seat, round, selfDraw, circumstances, flowers, house } = this.now;
    const { concealed, melds, winning } = this.hand;
    return {
      rules: this.book ?? prefs.book,
      lang: prefs.lang,
      house,
      hand: text,
      thirteen: winning ? textOf({ text: "", concealed, melds, winning: null }) : text,
      stage: this.ready ? "ready" : !this.complete ? "unfinished" : winning ? "marked" : "unmarked",
      seat,
      round,
      selfDraw,
      circumstances,
      flowers,
      seen: write(this.seen),
    };
  });
  /** Whether `answer` is about the hand as it stands. */
  readonly current = $derived(!this.unread && this.answer.question === written(this.#question));
  /** The score of the hand as it stands; null while there is none. */
  readonly score = $derived(this.current ? this.answer.score : null);
  readonly waits = $derived(this.current ? this.answer.waits : null);

  /** Copies of a kind neither in this hand nor seen elsewhere. */
  left(kind: Kind): number {
    return copiesLeft(this.hand, this.seen, kind);
  }

  /** The tiles that picking `kind` adds in the present mode, or null where that cannot be. */
  picks(kind: Kind): Kind[] | null {
    const added = picked(this.hand, this.seen, this.mode, kind);
    return added?.every((one) => this.has(one)) ? added : null;
  }

  /** Whether the book in force has tiles of this kind. */
  has(kind: Kind): boolean {
    return hasKind(this.book ?? prefs.book, kind);
  }

  /** Does this to the hand that the texts say: now, or when they are read. */
  #when(act: () => void): void {
    if (this.unread) this.#waiting.push(act);
    else act();
  }

  pick(kind: Kind): void {
    this.#when(() => this.#pick(kind));
  }

  #pick(kind: Kind): void {
    const added = this.picks(kind);
    if (!added) return;
    if (this.mode === "seen") return this.#see(sorted([...this.seen, kind]));
    const hand = $state.snapshot(this.hand);
    let givers: (Giver | null)[] = [...this.now.givers];
    if (this.mode !== "hand") {
      hand.melds.push({ kind: this.mode, tiles: added });
      givers = [...givers, this.mode === "concealed_kong" ? null : "left"];
      this.mode = "hand"; // most hands have one meld of a sort: the next tile is held again
    } else if (!hand.winning && (this.winNext || hand.concealed.length === this.room - 1)) hand.winning = kind;
    else hand.concealed = sorted([...hand.concealed, kind]);
    this.winNext = false;
    this.#change({ text: textOf(hand), givers }, hand);
  }

  // a tile or meld that is pointed at is one of those shown: it is gone if other text comes in its place

  removeConcealed(at: number): void {
    if (this.unread) return;
    const hand = $state.snapshot(this.hand);
    hand.concealed.splice(at, 1);
    this.#become(hand);
  }

  removeWinning(): void {
    if (!this.unread) this.#become({ ...$state.snapshot(this.hand), winning: null });
  }

  removeMeld(at: number): void {
    if (this.unread) return;
    const hand = $state.snapshot(this.hand);
    hand.melds.splice(at, 1);
    this.#change({ text: textOf(hand), givers: this.now.givers.filter((_, i) => i !== at) }, hand);
  }

  removeSeen(at: number): void {
    if (!this.unread) this.#see(this.seen.filter((_, i) => i !== at));
  }

  clearSeen(): void {
    this.#when(() => this.#see([]));
  }

  #see(tiles: Kind[]): void {
    this.seen = tiles;
    this.unseen = "";
    this.set({ seen: write(tiles) });
  }

  /** The box of seen tiles was typed in. */
  typeSeen(text: string): void {
    this.#typed({ seen: text });
  }

  takeBack(): void {
    this.#when(() => this.#takeBack());
  }

  #takeBack(): void {
    if (this.mode === "seen") {
      if (this.seen.length) this.removeSeen(this.seen.length - 1);
    } else if (this.hand.winning) this.removeWinning();
    else if (this.mode !== "hand" && this.hand.melds.length) this.removeMeld(this.hand.melds.length - 1);
    else if (this.hand.concealed.length) this.removeConcealed(this.hand.concealed.length - 1);
    else if (this.hand.melds.length) this.removeMeld(this.hand.melds.length - 1);
  }

  /** Turns the meld's giver: 上家 → 对家 → 下家; a chow comes from 上家 only. */
  turnGiver(at: number): void {
    const givers = this.unread ? null : turned(this.hand, this.now.givers, at);
    if (givers) this.set({ givers });
  }

  giver(at: number): Giver | null {
    const meld = this.hand.melds[at];
    return !meld || meld.kind === "concealed_kong" ? null : (this.now.givers[at] ?? "left");
  }

  clear(): void {
    this.#reading?.abort();
    this.#waiting = [];
    this.unread = false;
    this.seen = [];
    this.unseen = "";
    this.#change({ text: "", givers: [], circumstances: [], flowers: [], seen: "" }, NO_TILES);
  }

  /** Takes the tile as the winning one and the discard out: from the list of discards to the waits behind it. */
  discard(kind: Kind): void {
    if (!this.unread) this.#become(discarded($state.snapshot(this.hand), kind));
  }

  /** Names one of the hand's own tiles as the winning one; the one before goes back among the others. */
  mark(kind: Kind): void {
    if (!this.unread) this.#become(marked($state.snapshot(this.hand), kind));
  }

  win(kind: Kind): void {
    if (!this.unread) this.#become({ ...$state.snapshot(this.hand), winning: kind });
  }

  #become(hand: HandShape): void {
    this.#change({ text: textOf(hand) }, hand);
  }

  undo(): void {
    this.#goTo(this.#past, this.#future);
  }
  readonly canUndo = $derived(this.#past.length > 0);

  redo(): void {
    this.#goTo(this.#future, this.#past);
  }
  readonly canRedo = $derived(this.#future.length > 0);

  #goTo(from: Situation[], to: Situation[]): void {
    const found = from.pop();
    if (!found) return;
    to.push($state.snapshot(this.now) as Situation);
    this.now = found;
    void this.#begin();
  }

  /** Changes what surrounds the hand. */
  set(change: Partial<Situation>): void {
    this.#remember();
    Object.assign(this.now, change);
    this.#later();
  }

  /** The text box was typed in. */
  type(text: string): void {
    this.#typed({ text });
  }

  #typed(change: Partial<Situation>): void {
    this.#remember();
    Object.assign(this.now, change);
    this.unread = true;
    this.#reading?.abort();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), 140);
  }

  /** Reads texts that came all at once: what waited for others is of no interest any more. */
  #begin(): Promise<void> {
    this.#waiting = [];
    return this.#read();
  }

  #remember(): void {
    this.#past.push($state.snapshot(this.now) as Situation);
    this.#future = [];
    if (this.#past.length > 100) this.#past.shift();
  }

  #change(change: Partial<Situation>, hand: HandShape): void {
    this.#remember();
    Object.assign(this.now, change);
    this.hand = { ...hand, text: this.now.text };
    this.wrong = null;
    this.#later();
  }

  #later(): void {
    if (this.unread) return; // it is asked when it is read
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.ask(), 40);
  }

  /** Reads both texts, does what waits for that, and asks about the hand. */
  async #read(): Promise<void> {
    clearTimeout(this.#timer);
    this.unread = true;
    this.#reading?.abort();
    const mine = (this.#reading = new AbortController());
    const { text, seen } = this.now;
    try {
      const [hand, discards] = await Promise.all([
        text.trim() ? orRefused(post<HandShape>("/api/hand", { hand: text }, mine.signal)) : NO_TILES,
        seen.trim() ? orRefused(post<TilesShape>("/api/tiles", { tiles: seen }, mine.signal)) : null,
      ]);
      if (mine.signal.aborted) return;
      this.unseen = discards instanceof Refused ? discards.message : "";
      this.seen = !discards || discards instanceof Refused ? [] : discards.tiles;
      this.wrong = hand instanceof Refused ? { sentence: hand.message, at: hand.at } : null;
      if (hand instanceof Refused) this.#nothing();
      else this.hand = hand;
    } catch (problem) {
      if (problem instanceof Refused) this.#again(() => this.#read());
      return; // else other text has come
    }
    this.unread = false;
    for (const act of this.#waiting.splice(0)) act();
    if (!this.wrong) await this.ask();
  }

  /** Asks again when somebody may answer. */
  #again(ask: () => Promise<void>): void {
    this.away = true;
    this.busy = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void ask(), 3000);
  }

  #nothing(): void {
    this.answer = NOTHING;
    this.busy = false;
  }

  /** Asks the server about the hand as it stands. */
  async ask(): Promise<void> {
    if (this.book === null) this.keep();
    this.#asking?.abort();
    const mine = (this.#asking = new AbortController());
    this.busy = true;
    try {
      const found = await answered($state.snapshot(this.#question) as Question, mine.signal);
      if (mine.signal.aborted) return;
      this.answer = found;
      this.busy = this.away = false;
    } catch (problem) {
      if (problem instanceof Refused) this.#again(() => this.ask());
      // else a newer question took over
    }
  }

  // ---- link, reload

  /** The address that brings all of this back. */
  link(): string {
    return `/calculator?${queryOf(this.now, prefs.book, this.hand.melds.length)}`;
  }

  keep(): void {
    try {
      localStorage.setItem(DRAFT, this.link());
    } catch {
      // private windows may refuse; the hand then lasts for this page
    }
  }

  /** Takes a checked example with all that it was scored with. */
  show(example: ShownExample): void {
    const { hand, seat, round, self_draw, circumstances, flowers } = example;
    this.set({ text: hand.text, givers: [], seat, round, selfDraw: self_draw, circumstances, flowers });
    void this.#begin();
  }

  /** Starts from a text. */
  async write(text: string, givers: (Giver | null)[]): Promise<void> {
    this.now = { ...EMPTY, text, givers };
    this.#past = [];
    this.#future = [];
    await this.#begin();
  }

  /** Starts from an address, or from what was last worked on; an address without a hand may name the rules for it. */
  async start(query: URLSearchParams): Promise<void> {
    if (!query.has("h")) {
      const last = new URL(localStorage.getItem(DRAFT) ?? "/", location.origin).searchParams;
      const [rules, house] = [query.get("rules"), query.get("house") ?? ""];
      // its own book's
      if (rules && rules !== last.get("rules")) ["luck", "flowers"].forEach((key) => last.delete(key));
      if (rules) [["rules", rules] as const, ["house", house] as const].forEach(([key, value]) => last.set(key, value));
      query = last;
    }
    chooseBook(query.get("rules"));
    this.now = situationOf(query);
    this.#past = [];
    this.#future = [];
    await this.#begin();
  }
}
