// A book's rules in words, asked once, and the address that opens an example in the calculator.
import { get, post } from "../../lib/api.svelte";
import { bookQuery, drafted } from "../../lib/books.svelte";
import type { GuideAnswer, ShownExample } from "../../lib/types";

const requests = new Map<string, Promise<GuideAnswer>>();

export function rulesOf(id: string): Promise<GuideAnswer> {
  const found =
    requests.get(id) ??
    (drafted(id)
      ? post<GuideAnswer>("/api/house/rules", { house: id })
      : get<GuideAnswer>(`/api/books/${encodeURIComponent(id)}/rules`));
  requests.set(id, found);
  found.catch(() => requests.delete(id));
  return found;
}

export function calculatorLink(rules: string, example: ShownExample): string {
  const query = new URLSearchParams({ ...bookQuery(rules), h: example.hand.text });
  if (example.seat !== "E") query.set("seat", example.seat);
  if (example.round !== "E") query.set("round", example.round);
  if (example.self_draw) query.set("drawn", "1");
  if (example.circumstances.length) query.set("luck", example.circumstances.join(","));
  if (example.flowers.length) query.set("flowers", example.flowers.join(","));
  return `/calculator?${query}`;
}
