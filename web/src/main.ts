import "@fontsource-variable/noto-sans-sc/index.css";
import "lxgw-wenkai-webfont/lxgwwenkai-bold.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { keepDevice } from "./device/device";

mount(App, { target: document.body });

// Pages are kept by the service worker, where there may be one; what answers in the browser is fetched when all is quiet.
if ("serviceWorker" in navigator && import.meta.env.PROD) {
  void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  void navigator.serviceWorker.ready.then(() => setTimeout(() => void keepDevice(), 5000));
}
