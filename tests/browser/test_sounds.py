"""The sounds of a table by their waveforms: each is heard, none is clipped, and each dies away."""

import re
import subprocess
import sys

import pytest

from tests.browser.conftest import ROOT

sys.path.insert(0, str(ROOT))
from hatch_build import tools

pytestmark = [pytest.mark.browser, pytest.mark.quick]

PLAIN = "process.stdout.write(require('module').stripTypeScriptTypes(require('fs').readFileSync(0, 'utf8')))"
RENDERED = """async ([code, name]) => {
    let drawn = 1;  // the same noise every time
    Math.random = () => (drawn = drawn * 48271 % 2147483647) / 2147483647;
    Object.defineProperty(navigator, 'userActivation', {get: () => undefined, configurable: true});
    const RATE = 44100, offline = new OfflineAudioContext(1, 3 * RATE, RATE);
    Object.defineProperty(offline, 'state', {value: 'running'});
    offline.suspend = () => undefined;
    window.AudioContext = function () { return offline; };
    (await import(`data:text/javascript,${encodeURIComponent(code + `// ${name}`)}`)).sound(name);
    const heard = (await offline.startRendering()).getChannelData(0);
    const peak = (from) => heard.slice(from * RATE).reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    return {peak: peak(0), end: peak(2.5)};
}"""


@pytest.fixture(scope="module")
def source():
    """The module of the sounds as JavaScript, with sounds on at full volume."""
    text = (ROOT / "web/src/lib/sounds.ts").read_text("utf-8")
    plain = subprocess.run((tools()[0], "-e", PLAIN), input=text, capture_output=True, text=True, check=True).stdout
    return re.sub(r"import \{ prefs \} from .*;", "const prefs = {sound: true, volume: 1};", plain)


NAMES = re.findall(r'"(\w+)"', re.search(r"export type Sound =(.*);", (ROOT / "web/src/lib/sounds.ts").read_text())[1])


def test_the_sounds_are_known():
    assert {"discard", "claim", "win", "turn"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_sound_is_heard_and_neither_clipped_nor_endless(chromium, source, name):
    page = chromium.new_page()
    heard = page.evaluate(RENDERED, [source, name])
    page.close()
    assert 0.01 < heard["peak"] < 1, heard
    assert heard["end"] < 0.001, heard
