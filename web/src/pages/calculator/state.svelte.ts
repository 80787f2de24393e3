// The hand being built, what surrounds it, and what the server says of it. Text and picker write the same state.
import { post, Refused } from "../../lib/api.svelte";
import { prefs } from "../../lib/prefs.svelte";
import { sorted, write, type Kind } from "../../lib/tiles";
import type { CircumstanceState, ExplainedScore, HandShape, MeldShape, ShownExample, TilesShape, WaitsAnswer } from "../../lib/types";
import type { Giver } from "../../components/Meld.svelte";

/** Where a picked tile goes: "seen" are tiles that lie open elsewhere (rivers, melds of others). */
export type Mode = "hand" | MeldShape["kind"] | "seen";

/** All that a link or a reload has to bring back. */
interface Situation {
  text: string;
  givers: (Giver | null)[];
  seat: string;
  round: string;
  selfDraw: boolean;
  circumstances: string[];
  flowers: string[];
  house: string;
  seen: string;
}

const EMPTY: Situation = { text: "", givers: [], seat: "E", round: "E", selfDraw: false, circumstances: [], flowers: [], house: "", seen: "" };
const DRAFT = "quepu.calculator";
const GIVERS: Record<string, Giver> = { L: "left", A: "across", R: "right" };

const textOf = (hand: HandShape): string =>
  write(hand.concealed) + hand.melds.map((meld) => (meld.kind === "concealed_kong" ? `[${write(meld.tiles)}]` : `(${write(meld.tiles)})`)).join("") + (hand.winning ? `+${hand.winning}` : "");

export class Calculator {
  /** `book`: the rulebook of a hand that is written for something else (a table), and is not kept as a draft. */
  constructor(readonly book: string | null = null) {}

  now = $state<Situation>({ ...EMPTY });
  hand = $state<HandShape>({ text: "", concealed: [], melds: [], winning: null });
  /** The tiles of `now.seen`, and what is wrong with that text. */
  seen = $state<Kind[]>([]);
  unseen = $state("");
  mode = $state<Mode>("hand");
  winNext = $state(false);
  /** What is wrong with the text, and where. */
  wrong = $state<{ sentence: string; at: number | null } | null>(null);
  score = $state<ExplainedScore | null>(null);
  /** Why a complete hand has no score. */
  refused = $state<string | null>(null);
  waits = $state<WaitsAnswer | null>(null);
  /** Why there are no waits beside a score: a fifth copy among what was seen. */
  noWaits = $state<string | null>(null);
  choices = $state<WaitsAnswer["choices"]>(null);
  circumstances = $state<CircumstanceState[]>([]);
  busy = $state(false);
  /** The server cannot be reached: what is shown is from before, and is asked again until it can. */
  stale = $state(false);
  #past: Situation[] = $state([]);
  #reading: AbortController | null = null;
  #asking: AbortController | null = null;
  #timer = 0;

  // ---- how many tiles there are and may be

  readonly room = $derived(14 - 3 * this.hand.melds.length);
  readonly held = $derived(this.hand.concealed.length + (this.hand.winning ? 1 : 0));
  readonly complete = $derived(this.held === this.room);
  readonly ready = $derived(this.held === this.room - 1 && !this.hand.winning);

  /** Copies of a kind neither in this hand nor seen elsewhere. */
  left(kind: Kind): number {
    const { concealed, melds, winning } = this.hand;
    return 4 - [...concealed, ...melds.flatMap((meld) => meld.tiles), ...(winning ? [winning] : []), ...this.seen].filter((one) => one === kind).length;
  }

  /** The tiles that picking `kind` adds in the present mode, or null where that cannot be. */
  picks(kind: Kind): Kind[] | null {
    let added: Kind[];
    if (this.mode === "seen") return this.left(kind) > 0 ? [kind] : null;
    if (this.mode === "hand") added = [kind];
    else if (this.mode === "chow") {
      const rank = Number(kind[0]);
      if (kind.length !== 2 || rank > 7) return null;
      added = [0, 1, 2].map((step) => `${rank + step}${kind[1]}`);
    } else added = Array<Kind>(this.mode === "pung" ? 3 : 4).fill(kind);
    const needed = this.mode === "hand" ? 1 : 3;
    if (this.held + needed > this.room || (this.mode !== "hand" && this.hand.melds.length === 4)) return null;
    return added.every((one) => this.left(one) >= added.filter((other) => other === one).length) ? added : null;
  }

  pick(kind: Kind): void {
    const added = this.picks(kind);
    if (!added) return;
    if (this.mode === "seen") return this.#see(sorted([...this.seen, kind]));
    const hand = $state.snapshot(this.hand);
    let givers: (Giver | null)[] = [...this.now.givers];
    if (this.mode !== "hand") {
      hand.melds.push({ kind: this.mode, tiles: added });
      givers = [...givers, this.mode === "concealed_kong" ? null : "left"];
    } else if (!hand.winning && (this.winNext || hand.concealed.length === this.room - 1)) hand.winning = kind;
    else hand.concealed = sorted([...hand.concealed, kind]);
    this.winNext = false;
    this.#change({ text: textOf(hand), givers }, hand);
  }

  removeConcealed(at: number): void {
    const hand = $state.snapshot(this.hand);
    hand.concealed.splice(at, 1);
    this.#change({ text: textOf(hand) }, hand);
  }

  removeWinning(): void {
    const hand = { ...$state.snapshot(this.hand), winning: null };
    this.#change({ text: textOf(hand) }, hand);
  }

  removeMeld(at: number): void {
    const hand = $state.snapshot(this.hand);
    hand.melds.splice(at, 1);
    this.#change({ text: textOf(hand), givers: this.now.givers.filter((_, i) => i !== at) }, hand);
  }

  removeSeen(at: number): void {
    this.#see(this.seen.filter((_, i) => i !== at));
  }

  clearSeen(): void {
    this.#see([]);
  }

  #see(tiles: Kind[]): void {
    this.seen = tiles;
    this.unseen = "";
    this.set({ seen: write(tiles) });
  }

  /** The box of seen tiles was typed in. */
  typeSeen(text: string): void {
    this.#remember();
    this.now.seen = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look().then(() => this.ask()), 140);
  }

  /** What the text of seen tiles says. */
  async #look(): Promise<void> {
    this.unseen = "";
    if (!this.now.seen.trim()) {
      this.seen = [];
      return;
    }
    try {
      this.seen = (await post<TilesShape>("/api/tiles", { tiles: this.now.seen })).tiles;
    } catch (problem) {
      if (problem instanceof Refused) this.unseen = problem.message;
      this.seen = [];
    }
  }

  takeBack(): void {
    if (this.mode === "seen") {
      if (this.seen.length) this.removeSeen(this.seen.length - 1);
    } else if (this.hand.winning) this.removeWinning();
    else if (this.mode !== "hand" && this.hand.melds.length) this.removeMeld(this.hand.melds.length - 1);
    else if (this.hand.concealed.length) this.removeConcealed(this.hand.concealed.length - 1);
    else if (this.hand.melds.length) this.removeMeld(this.hand.melds.length - 1);
  }

  /** Turns the meld's giver: 上家 → 对家 → 下家; a chow comes from 上家 only. */
  turnGiver(at: number): void {
    const meld = this.hand.melds[at];
    if (!meld || meld.kind === "concealed_kong" || meld.kind === "chow") return;
    const order: Giver[] = ["left", "across", "right"];
    const givers = this.hand.melds.map((one, i) => this.now.givers[i] ?? (one.kind === "concealed_kong" ? null : "left"));
    givers[at] = order[(order.indexOf(givers[at] ?? "right") + 1) % 3] ?? "left";
    this.set({ givers });
  }

  giver(at: number): Giver | null {
    const meld = this.hand.melds[at];
    return !meld || meld.kind === "concealed_kong" ? null : (this.now.givers[at] ?? "left");
  }

  clear(): void {
    this.seen = [];
    this.unseen = "";
    this.#change({ text: "", givers: [], circumstances: [], flowers: [], seen: "" }, { text: "", concealed: [], melds: [], winning: null });
  }

  /** Takes the tile as the winning one and the discard out: from the list of discards to the waits behind it. */
  discard(kind: Kind): void {
    const hand = $state.snapshot(this.hand);
    const all = sorted([...hand.concealed, ...(hand.winning ? [hand.winning] : [])]);
    all.splice(all.indexOf(kind), 1);
    const after = { ...hand, concealed: all, winning: null };
    this.#change({ text: textOf(after) }, after);
  }

  win(kind: Kind): void {
    const hand = $state.snapshot(this.hand);
    if (hand.winning) hand.winning = null;
    const after = { ...hand, winning: kind };
    this.#change({ text: textOf(after) }, after);
  }

  undo(): void {
    const before = this.#past.pop();
    if (!before) return;
    this.now = before;
    void this.#look().then(() => this.#read());
  }
  readonly canUndo = $derived(this.#past.length > 0);

  /** Changes what surrounds the hand. */
  set(change: Partial<Situation>): void {
    this.#remember();
    Object.assign(this.now, change);
    this.#later();
  }

  /** The text box was typed in. */
  type(text: string): void {
    this.#remember();
    this.now.text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), 140);
  }

  #remember(): void {
    this.#past.push($state.snapshot(this.now) as Situation);
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
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.ask(), 40);
  }

  async #read(): Promise<void> {
    this.#reading?.abort();
    const mine = (this.#reading = new AbortController());
    try {
      const hand = await post<HandShape>("/api/hand", { hand: this.now.text }, mine.signal);
      this.hand = hand;
      this.wrong = null;
      await this.ask();
    } catch (problem) {
      if (!(problem instanceof Refused)) return;
      if (!problem.status) return this.#again(() => this.#read());
      this.wrong = { sentence: problem.message, at: problem.at };
      this.#nothing();
    }
  }

  /** Keeps what is shown, and asks again when the server may be back. */
  #again(ask: () => Promise<void>): void {
    this.stale = true;
    this.busy = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void ask(), 3000);
  }

  #nothing(): void {
    this.score = this.waits = this.choices = this.refused = this.noWaits = null;
    this.busy = false;
  }

  /** Asks the server about the hand as it stands. */
  async ask(): Promise<void> {
    if (this.book === null) this.keep();
    this.#asking?.abort();
    const mine = (this.#asking = new AbortController());
    const { text, seat, round, selfDraw, circumstances, flowers, house } = this.now;
    const seen = write(this.seen);
    const rules = this.book ?? prefs.book;
    const about = { rules, house, hand: text, seat, round, circumstances, flowers };
    const quiet = { rules, house, seat, round, flowers, seen };
    const { concealed, melds, winning } = $state.snapshot(this.hand);
    const thirteen = winning ? textOf({ text: "", concealed, melds, winning: null }) : text;
    this.busy = true;
    const maybe = async <T>(asked: Promise<T>): Promise<T | string> => asked.catch((problem: unknown) => {
      if (problem instanceof Refused && problem.status) return problem.message;
      throw problem;
    });
    try {
      const [states, score, waits, choices] = await Promise.all([
        maybe(post<CircumstanceState[]>("/api/circumstances", { ...about, self_draw: selfDraw }, mine.signal)),
        this.complete && winning ? maybe(post<ExplainedScore>("/api/score?explain=true", { ...about, self_draw: selfDraw }, mine.signal)) : null,
        this.ready || (this.complete && winning) ? maybe(post<WaitsAnswer>("/api/waits", { ...quiet, hand: thirteen }, mine.signal)) : null,
        this.complete ? maybe(post<WaitsAnswer>("/api/waits", { ...quiet, hand: text }, mine.signal)) : null,
      ]);
      this.circumstances = typeof states === "string" ? [] : states;
      this.score = score && typeof score !== "string" ? score : null;
      this.refused = typeof score === "string" ? score : typeof waits === "string" ? waits : null;
      this.noWaits = this.score && typeof waits === "string" ? waits : null;
      this.waits = waits && typeof waits !== "string" ? waits : null;
      this.choices = choices && typeof choices !== "string" ? choices.choices : null;
      this.busy = this.stale = false;
    } catch (problem) {
      if (problem instanceof Refused) this.#again(() => this.ask());
      // else a newer question took over
    }
  }

  // ---- link, reload

  /** The address that brings all of this back. */
  link(): string {
    const { text, givers, seat, round, selfDraw, circumstances, flowers, house, seen } = this.now;
    const query = new URLSearchParams({ rules: prefs.book, h: text });
    const from = this.hand.melds.map((_, i) => ({ left: "L", across: "A", right: "R" })[givers[i] ?? "left"] ?? "L").join("");
    if (/[AR]/.test(from)) query.set("from", from);
    if (seat !== "E") query.set("seat", seat);
    if (round !== "E") query.set("round", round);
    if (selfDraw) query.set("drawn", "1");
    if (circumstances.length) query.set("luck", circumstances.join(","));
    if (flowers.length) query.set("flowers", flowers.join(","));
    if (seen) query.set("seen", seen);
    if (house) query.set("house", house);
    return `/calculator?${query}`;
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
    clearTimeout(this.#timer);
    void this.#read();
  }

  /** Starts from a text. */
  async write(text: string, givers: (Giver | null)[]): Promise<void> {
    this.now = { ...EMPTY, text, givers };
    this.seen = [];
    this.#past = [];
    await this.#read();
  }

  /** Starts from an address, or from what was last worked on. */
  async start(query: URLSearchParams): Promise<void> {
    if (!query.has("h")) query = new URL(localStorage.getItem(DRAFT) ?? "/", location.origin).searchParams;
    const list = (key: string): string[] => (query.get(key) ?? "").split(",").filter(Boolean);
    if (query.get("rules")) prefs.book = query.get("rules") ?? prefs.book;
    this.now = {
      text: query.get("h") ?? "",
      givers: [...(query.get("from") ?? "")].map((letter) => GIVERS[letter] ?? null),
      seat: query.get("seat") ?? "E",
      round: query.get("round") ?? "E",
      selfDraw: query.has("drawn"),
      circumstances: list("luck"),
      flowers: list("flowers"),
      house: query.get("house") ?? "",
      seen: query.get("seen") ?? "",
    };
    this.#past = [];
    await this.#look();
    await this.#read();
  }
}
