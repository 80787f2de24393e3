// The form of the calculator's page: what is typed goes to the worker, its answer into the page and its address.
const form = document.querySelector("form.calculator");
const output = form.querySelector("output");
const { elements } = form;
const asked = new URLSearchParams(location.search);
for (const name of ["hand", "book", "seat"]) if (asked.has(name)) elements[name].value = asked.get(name);
elements.drawn.checked = asked.has("drawn");

const worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
let number = 0;
worker.onmessage = ({ data }) => {
  if (data.number !== number) return; // a later question is on its way
  if (data.failed) output.textContent = `${output.dataset.failed} ${data.failed}`;
  else output.innerHTML = data.html; // made by quepu, which escapes what was typed
  output.removeAttribute("aria-busy");
};
worker.onerror = () => {
  output.textContent = output.dataset.failed;
};

function ask(event) {
  event?.preventDefault();
  const question = { hand: elements.hand.value, book: elements.book.value, seat: elements.seat.value };
  const drawn = elements.drawn.checked;
  history.replaceState(null, "", `?${new URLSearchParams({ ...question, ...(drawn ? { drawn: "1" } : {}) })}`);
  output.setAttribute("aria-busy", "true");
  if (!output.firstElementChild) output.textContent = output.dataset.wait;
  worker.postMessage({ ...question, drawn, number: ++number, lang: form.dataset.lang });
}

form.addEventListener("submit", ask);
form.addEventListener("change", ask);
ask();
