import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { carryAll } from "./device/copies";
import { registerDevice } from "./device/device";
import { back } from "./lib/api.svelte";
import { loadFonts } from "./lib/fonts";
import { painted } from "./lib/painted";
import { prefs } from "./lib/prefs.svelte";
import { setScript } from "./lib/script";

if (prefs.hant)
  await import("./lib/hant").then(
    ({ traditional, writeTraditional }) => {
      setScript(traditional);
      writeTraditional();
    },
    () => undefined,
  );
// the words of the home page that stand in its HTML are there until the page itself is
const first = document.getElementById("first");
function begin(): void {
  first?.remove();
  mount(App, { target: document.body });
}
if (first && location.pathname === "/") void import("./pages/Home.svelte").then(begin, begin);
else begin();
void painted()
  .then(loadFonts)
  .catch(() => undefined); // without them the page is as good

// Pages are kept by the service worker, where there may be one; what answers in the browser is fetched when all is
// quiet.
if ("serviceWorker" in navigator && import.meta.env.PROD) {
  // what it keeps is as much as the page itself: that waits until the page can be used
  const registerPages = (): void => void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  if (document.readyState === "complete") setTimeout(registerPages, 1000);
  else addEventListener("load", () => setTimeout(registerPages, 1000), { once: true });
  void navigator.serviceWorker.ready.then(() => setTimeout(() => void registerDevice(), 5000));
}

// What was written without a server goes to it as soon as it is there.
const carry = (): void => void carryAll();
back.add(carry);
addEventListener("online", carry);
setTimeout(carry, 2000);
setInterval(carry, 15_000);
