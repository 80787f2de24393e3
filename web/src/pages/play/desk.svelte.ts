// What the player in front of this screen has in his hands: the tiles in his order, what is chosen, what may be said.
import { prefs, t } from "../../lib/prefs.svelte";
import type { Kind } from "../../lib/tiles";
import { choices, discardOf, type Choice } from "./choices";
import { automatic, NONE, wanted, type Autos } from "./autos";
import type { RoomClient } from "./client.svelte";
import type { TableOption as Option } from "../../lib/types";
import { ordered, ORDER_COUNT } from "./order";

const NUMBERS = "1234567890-=";

export class Desk {
  /** Place of the chosen tile; the drawn one comes last; -1: none. */
  chosen = $state(-1);
  /** Kinds that what is pointed at would use. */
  hot = $state.raw<readonly Kind[]>([]);
  /** 不吃碰杠: offers without a win are passed at once, for this hand. */
  hold = $state(false);

  constructor(readonly client: RoomClient) {}

  /** What is left to the page, while this page is open; 不吃碰杠 is for a hand. */
  autos = $state<Autos>({ ...NONE, flower: prefs.flower });
  private left = $derived.by<Autos>(() =>
    this.hold ? { ...this.autos, chow: true, pung: true, kong: true } : $state.snapshot(this.autos),
  );
  options = $derived.by<readonly Option[]>(() => wanted(this.client.options, this.left));
  /** What is done without asking. */
  automatic = $derived.by<Option | null>(() => automatic(this.client.options, this.left));
  tiles = $derived.by<Kind[]>(() => ordered(this.client.shown?.view?.hand ?? [], prefs.order));
  drawn = $derived.by<Kind | null>(() => this.client.shown?.view?.drawn ?? null);
  count = $derived.by(() => this.tiles.length + (this.drawn ? 1 : 0));
  discarding = $derived.by(() => this.options.some((option) => option.do === "discard"));
  bar = $derived.by<Choice[]>(() => this.choices());

  tileAt(at: number): Kind | null {
    return this.tiles[at] ?? (at === this.tiles.length ? this.drawn : null);
  }

  /** What discarding the tile at a place would say. */
  discardAt(at: number, ready = false): Option | undefined {
    const kind = this.tileAt(at);
    return kind ? discardOf(this.options, kind, at === this.tiles.length, ready) : undefined;
  }

  canDiscard(at: number): boolean {
    return !!(this.discardAt(at) ?? this.discardAt(at, true));
  }

  private choices(): Choice[] {
    if (this.automatic) return [];
    const rest = choices(this.options, this.client.head?.terms.unit ?? { zh: "点", en: "points" });
    const kind = this.chosen >= 0 ? this.tileAt(this.chosen) : null;
    if (!kind) return rest;
    const add = (option: Option | undefined, key: string, word: string): Choice[] =>
      option ? [{ option, key, word, more: "", tiles: [kind], uses: [] }] : [];
    const passes = rest.filter((one) => one.option.do === "pass");
    return [
      ...rest.filter((one) => one.option.do !== "pass"),
      ...add(this.discardAt(this.chosen, true), "R", t("报听", "Ready")),
      ...add(this.discardAt(this.chosen), "Enter", t("打", "Discard")),
      ...passes,
    ];
  }

  discard(at: number): void {
    const option = this.discardAt(at) ?? this.discardAt(at, true);
    if (option) this.client.say(option);
  }

  press(at: number): void {
    if (this.chosen === at || (prefs.once && this.canDiscard(at))) this.discard(at);
    else this.chosen = at;
  }

  /** Choose a tile of this kind. */
  choose(kind: Kind): void {
    this.chosen = kind === this.drawn ? this.tiles.length : this.tiles.indexOf(kind);
  }

  pass(): boolean {
    const option = this.options.find((one) => one.do === "pass");
    if (option) this.client.say(option);
    return !!option;
  }

  /** Does what is left to the page. */
  act(): void {
    if (this.automatic) this.client.say(this.automatic);
  }

  sort(): void {
    prefs.order = (prefs.order + 1) % ORDER_COUNT;
    this.chosen = -1;
  }

  /**
   * A key of the table; whether it meant anything. `onButton`: Enter and the space bar belong to the button in focus.
   */
  key(pressed: string, onButton: boolean): boolean {
    const { count } = this;
    const number = pressed.length === 1 ? NUMBERS.indexOf(pressed) : -1;
    if (number >= 0 && number < count && this.discarding) this.chosen = number;
    else if ((pressed === "ArrowLeft" || pressed === "ArrowRight") && this.discarding && count) {
      this.chosen = pressed === "ArrowRight" ? (this.chosen + 1) % count : (this.chosen <= 0 ? count : this.chosen) - 1;
    } else if (pressed === "Enter" && !onButton && this.chosen >= 0) this.discard(this.chosen);
    else if (pressed === " " && !onButton) {
      if (!this.pass() && this.drawn) this.discard(this.tiles.length);
    } else if (pressed === "Escape" && this.chosen >= 0) this.chosen = -1;
    else return this.letter(pressed.length === 1 ? pressed.toUpperCase() : "");
    return true;
  }

  private letter(letter: string): boolean {
    const choice = letter ? this.bar.find((one) => one.key === letter) : undefined;
    if (choice) this.client.say(choice.option);
    else if (letter === "X") return this.pass();
    else if (letter === "T") this.sort();
    else if (letter === "M") prefs.sound = !prefs.sound;
    else if (letter === "I") prefs.index = !prefs.index;
    else if (letter === "V") prefs.aid = !prefs.aid;
    else if (letter === "F") {
      this.hold = !this.hold;
      this.act();
    } else return false;
    return true;
  }
}
