// Scores hands in this browser: Python (Pyodide) and quepu in a worker, so that the page goes on answering.
const PLACE = new URL("./", import.meta.url).href;
const CODE = `
from html import escape
import quepu

def answer(text, book, seat, self_draw, lang):
    quepu.language(lang)
    try:
        hand = quepu.parse(text)
        if hand.winning is not None:
            return quepu.score(text, book, seat=seat, self_draw=self_draw)._repr_html_()
        if len(hand.concealed) % 3 == 1:
            return quepu.waits(text, book, seat=seat)._repr_html_()
        found = quepu.discards(text, book, seat=seat)
        return "".join(one._repr_html_() for one in found[:5])
    except quepu.Error as error:
        return f"<p>{escape(error.say(lang))}</p>"
`;

async function start() {
  const bundle = await (await fetch(`${PLACE}bundle.json`)).json();
  const { loadPyodide } = await import(`${PLACE}${bundle.pyodide}pyodide.mjs`);
  const [python, own] = await Promise.all([
    loadPyodide({ indexURL: `${PLACE}${bundle.pyodide}` }),
    fetch(PLACE + bundle.quepu).then((answer) => answer.arrayBuffer()),
  ]);
  python.unpackArchive(own, "zip", { extractDir: "." });
  python.runPython(CODE);
  return python.globals.get("answer");
}

const ready = start();
onmessage = async ({ data }) => {
  try {
    postMessage({ number: data.number, html: (await ready)(data.hand, data.book, data.seat, data.drawn, data.lang) });
  } catch (error) {
    postMessage({ number: data.number, failed: String(error) });
  }
};
