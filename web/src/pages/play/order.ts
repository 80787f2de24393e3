// How the own hand is laid out. Only the order on the screen: the server never asks for it.
import { ROWS, type Kind } from "../../lib/tiles";

const [M = [], P = [], S = [], Z = []] = ROWS;
const ORDERS: readonly (readonly Kind[])[] = [
  [...M, ...P, ...S, ...Z],
  [...Z, ...M, ...P, ...S],
  [...S, ...P, ...M, ...Z],
  [...Z, ...[...S].reverse(), ...[...P].reverse(), ...[...M].reverse()],
];
export const ORDER_COUNT = ORDERS.length;

/** The kinds of a hand in order number `which`; flowers come last. */
export function ordered(hand: readonly Kind[], which: number): Kind[] {
  const order = ORDERS[which % ORDER_COUNT] ?? [];
  const place = (kind: Kind): number => (order.includes(kind) ? order.indexOf(kind) : 99);
  return [...hand].sort((a, b) => place(a) - place(b));
}
