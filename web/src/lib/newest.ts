/** Questions of which only the newest counts: an answer that comes late must not replace a later one. */
export class Newest {
  #last = 0;

  /** Begins a question; what it gives tells whether it is still the newest. */
  begin(): () => boolean {
    const mine = ++this.#last;
    return () => mine === this.#last;
  }
}
