"""What a finger can hit: every visible thing to press on a page, and what of it is smaller than a fingertip.

Usable on any page: `too_small(page)` and `sideways(page)` return sentences, empty lists where all is well.
"""

TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""How many pixels a page is too wide: a phone's `innerWidth` grows with what it holds, so that would never be more."""
LEAST = 44
"""CSS pixels each way, as WCAG 2.5.5 (AAA) has it."""

# A label is what is pressed for the box or file input inside it. Links that stand in running text are left out, as
# WCAG 2.5.8 leaves them out: the line height is the sentence's. What a modal dialog covers cannot be pressed.
_SMALL = """(least) => {
  const dialogs = [...document.querySelectorAll('dialog[open]')];
  const root = dialogs.at(-1) ?? document.body;
  const roles = ['button', 'slider', 'switch', 'tab', 'option'].map((role) => `[role=${role}]`);
  const pressed = ['a[href]', 'button', 'input:not([type=hidden])', 'select', 'textarea', 'summary', ...roles].join();
  const inText = (one) => {
    if (one.tagName !== 'A' || getComputedStyle(one).display !== 'inline') return false;
    const words = (node) => node.nodeType === 3 && /[\\p{L}\\p{N}]{2}/u.test(node.textContent);
    return [...one.parentNode.childNodes].some(words);
  };
  const seen = (one) => {
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    for (let up = one; up && up !== root.parentNode; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.clipPath !== 'none' && style.overflow === 'hidden') return false;
      if (up.inert) return false;
    }
    return true;
  };
  const found = [];
  for (const one of root.querySelectorAll(pressed)) {
    const boxed = ['checkbox', 'radio', 'file'].includes(one.type);
    const target = (boxed && (one.closest('label') ?? document.querySelector(`label[for="${one.id}"]`))) || one;
    if (!seen(target) || inText(one)) continue;
    const box = target.getBoundingClientRect();
    if (box.right <= 0) continue; // "skip to content", until it has the focus
    if (box.width >= least - 0.5 && box.height >= least - 0.5) continue;
    // nine keys of a suit, and a hand, fill the width of a phone: such a tile is narrower, and higher for that
    const tile = one.matches('[data-kind]') ? [38, 50] : one.matches('[data-hand] *') ? [23, 31] : null;
    if (tile && least <= 44 && box.width >= tile[0] && box.height >= tile[1]) continue;
    const name = (one.getAttribute('aria-label') ?? one.innerText ?? '').trim().slice(0, 40);
    const size = `${box.width.toFixed(1)}×${box.height.toFixed(1)}`;
    found.push(`${one.tagName.toLowerCase()}.${String(one.className).split(' ')[0]} "${name}" ${size}`);
  }
  return found;
}"""

# The page itself, and any box in it that holds more than it shows from side to side. A strip that is meant to be
# pushed along (categories) says so.
_SIDEWAYS = """() => {
  const found = [];
  const over = TOO_WIDE;
  if (over > 0) found.push(`the page is ${over} px too wide`);
  for (const one of document.querySelectorAll('body *')) {
    if (one.scrollWidth <= one.clientWidth + 1 || !one.clientWidth || one.closest('[data-strip]')) continue;
    if (!['auto', 'scroll'].includes(getComputedStyle(one).overflowX)) continue;
    if (['INPUT', 'TEXTAREA', 'SELECT'].includes(one.tagName) || !one.checkVisibility()) continue;
    const name = `${one.tagName.toLowerCase()}.${String(one.className).split(' ')[0]}`;
    found.push(`${name} holds ${one.scrollWidth} px in ${one.clientWidth}`);
  }
  return found;
}"""

CUT = """() => {
    const brush = document.createElement('canvas').getContext('2d');
    const fields = [...document.querySelectorAll('main :is(select, input)')].filter((one) => one.checkVisibility());
    return fields.flatMap((one) => {
        const words = one.options ? (one.selectedOptions[0]?.text ?? '') : one.placeholder;
        const style = getComputedStyle(one);
        brush.font = [style.fontWeight, style.fontSize, style.fontFamily].join(' ');
        const arrow = one.options ? 24 : 0;
        const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
        return brush.measureText(words).width > room ? [words] : [];
    });
}"""
"""The words of fields and choices of a page for which there is no room."""
IN_SIGHT = """(one) => {
    const box = one.getBoundingClientRect();
    const [x, ...heights] = [box.x + Math.min(20, box.width / 2), box.top + 2, box.bottom - 2];
    return heights.every((y) => one.contains(document.elementFromPoint(x, y)));
}"""
"""Whether a thing lies whole in what is seen of the page, with nothing over it."""


def too_small(page, least=LEAST):
    """Everything visible that can be pressed and is smaller than `least` pixels either way, with its size."""
    return page.evaluate(_SMALL, least)


def sideways(page):
    """What would have to be scrolled from side to side."""
    return page.evaluate(_SIDEWAYS.replace("TOO_WIDE", TOO_WIDE))
