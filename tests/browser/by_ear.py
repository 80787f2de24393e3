"""A page as a screen-reader user hears it: only roles and names, and all unprompted announcements with their words."""

import re

MOST_WORDS = 12
# What live regions say: of a log or alert what is added, of a status the whole; words as the language has them.
EAR = """() => {
    const spoken = (window.spoken = []);
    const words = (text) =>
        [...new Intl.Segmenter(document.documentElement.lang, {granularity: 'word'}).segment(text)]
            .filter((one) => one.isWordLike).length;
    const LIVE = '[aria-live=polite], [aria-live=assertive], [role=log], [role=alert], [role=status]';
    const say = (text, region) => {
        const line = text.replace(/\\s+/g, ' ').trim();
        if (line) spoken.push({text: line, words: words(line), role: region.getAttribute('role') ?? 'live'});
    };
    const hidden = (node) => !!(node.nodeType === 1 ? node : node.parentElement)?.closest('[aria-hidden=true]');
    new MutationObserver((changes) => {
        const whole = new Set();
        for (const change of changes) {
            const at = change.target.nodeType === 1 ? change.target : change.target.parentElement;
            const region = at?.closest(LIVE);
            if (region && !hidden(change.target)) {
                if (region.matches('[role=status], [aria-live]')) whole.add(region);
                else if (change.type === 'characterData') say(change.target.data, region);
                else for (const node of change.addedNodes) if (!hidden(node)) say(node.textContent, region);
            } else
                for (const node of change.addedNodes)
                    if (node.nodeType === 1 && !hidden(node))
                        for (const one of [node, ...node.querySelectorAll(LIVE)])
                            if (one.matches(LIVE)) (one.matches('[role=log]') ? 0 : say(one.textContent, one));
        }
        for (const region of whole) if (region.isConnected) say(region.textContent, region);
    }).observe(document, {subtree: true, childList: true, characterData: true});
}"""
_NAMELESS = re.compile(
    r"- (button|link|textbox|combobox|checkbox|radio|slider|dialog|img)(?: \[.*\])?:?$", re.MULTILINE
)


class Listener:
    """Somebody at a page who hears it: presses what has a role and a name, and remembers what was spoken."""

    def __init__(self, page):
        self.page = page
        self.announced = []
        page.add_init_script(f"({EAR})()")
        page.reload()

    def one(self, role, name=None, within=None, **more):
        """What has this role and (somewhere in it) this name."""
        return (within or self.page).get_by_role(role, name=name, **more)

    def press(self, role, name, within=None, **more):
        """Go there and press Enter, as the keyboard does."""
        found = self.one(role, name, within, **more).first
        found.wait_for()
        found.focus()
        found.press("Enter")

    def listen(self):
        """Remember what was spoken since the last time."""
        self.announced += self.page.evaluate("window.spoken.splice(0)")

    def check_words(self):
        """Every event was spoken in a few words."""
        self.listen()
        assert len(self.announced) > 5
        long = {f"{one['words']} words: {one['text']}" for one in self.announced if one["words"] > MOST_WORDS}
        assert not long, sorted(long)

    def check_names(self):
        """Everything that can be used has a name."""
        nameless = _NAMELESS.findall(self.one("main").first.aria_snapshot())
        assert not nameless, nameless

    def play_hand(self, dialog=re.compile(".")):
        """Win, pass, else discard what was drawn, by typed moves, until the result is there."""
        tiles = self.one("group", "我的牌").get_by_role("button", disabled=False)
        offers = self.one("group", "可以做的").get_by_role("button")
        result = self.one("dialog", dialog)
        while True:
            result.or_(offers).or_(tiles).first.wait_for()
            if result.count():
                return result
            if offers.count():
                names = offers.all_inner_texts()
                word = next((one for one in ("和", "补花", "过") if any(name.startswith(one) for name in names)), None)
                word = word or "摸切"
            else:
                word = "摸切"
            self.type(word)
            self.listen()

    def type(self, move):
        """Type a move and send it; what is not possible any more is said, and the next look finds what is."""
        box = self.one("textbox", "打字出牌")
        if box.count():
            box.fill(move)
            box.press("Enter")
