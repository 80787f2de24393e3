import "@fontsource-variable/noto-sans-sc/index.css";
import "lxgw-wenkai-webfont/lxgwwenkai-bold.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import App from "./App.svelte";

mount(App, { target: document.body });
