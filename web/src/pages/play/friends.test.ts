import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { invitationLink, invitedBy, mayHaveFriends, noteFriends } from "./friends";

const CODE = "kAbcdefghijk.0123456789-_abcdefghABCD";

beforeEach(() => {
  localStorage.removeItem("quepu.friends");
  vi.stubGlobal("location", { origin: "https://quepu.example" });
});
afterEach(() => void vi.unstubAllGlobals());

test("an invitation is read from the address that it is sent as", () => {
  const link = new URL(invitationLink(CODE));
  expect(link.pathname).toBe("/play");
  expect(invitedBy(link.hash.slice(1))).toBe(CODE);
});

test.each(["", "friend=", `seat=${CODE}`, `friend=${CODE}x y`, "friend=abc", `friend=${CODE.replace(".", "")}`])(
  "%j invites nobody",
  (hash) => {
    expect(invitedBy(hash)).toBe("");
  },
);

test("a browser without friends asks for none", () => {
  expect(mayHaveFriends()).toBe(false);
  noteFriends(true);
  expect(mayHaveFriends()).toBe(true);
  noteFriends(false);
  expect(mayHaveFriends()).toBe(false);
});
