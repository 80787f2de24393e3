// 繁體: what is shown is written in the other script, whoever it comes from, the pages, the rulebooks or the server. What
// somebody types stays as it was typed.
import found from "virtual:hant";

const one = new Map<string, string>();
for (let i = 0; i < found.characters.length; i += 2) one.set(found.characters[i] ?? "", found.characters[i + 1] ?? "");
const words = new Map(found.words);
const any = new RegExp(
  `${found.words.map(([word]) => word).join("|")}${found.words.length ? "|" : ""}[\\u4e00-\\u9fff]`,
  "g",
);

/** A text in 繁體. */
export const traditional = (text: string): string =>
  text.replace(any, (word) => words.get(word) ?? one.get(word) ?? word);

const ATTRIBUTES = ["aria-label", "title", "placeholder", "alt"];
const TYPED = /^(script|style|textarea)$/i;

function text(node: Text): void {
  if (node.parentElement && TYPED.test(node.parentElement.tagName)) return;
  const made = traditional(node.data);
  if (made !== node.data) node.data = made;
}
function element(node: Element): void {
  for (const name of ATTRIBUTES) {
    const given = node.getAttribute(name);
    const made = given === null ? null : traditional(given);
    if (made !== null && made !== given) node.setAttribute(name, made);
  }
}
function all(node: Node): void {
  if (node instanceof Text) return text(node);
  if (!(node instanceof Element)) return;
  element(node);
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let next = walker.nextNode(); next; next = walker.nextNode()) {
    if (next instanceof Text) text(next);
    else element(next as Element);
  }
}

/** Writes everything on the page in 繁體 from now on, as it comes. */
export function writeTraditional(): void {
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "childList") addedNodes.forEach(all);
      else if (type === "characterData") text(target as Text);
      else element(target as Element);
    }
  }).observe(document.documentElement, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ATTRIBUTES,
  });
  all(document.documentElement);
}
