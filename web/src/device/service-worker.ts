/// <reference lib="webworker" />
// Keeps the pages and what answers in the browser, so that an installed quepu starts without a network.
import { cleanupOutdatedCaches, precacheAndRoute, createHandlerBoundToURL } from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { CacheFirst, NetworkFirst } from "workbox-strategies";
import { CACHE } from "./bundle";

declare const self: ServiceWorkerGlobalScope;
/** The files of the pages with their revisions; put in when it is built, see vite.service-worker.config.mjs. */
declare const PAGES: { url: string; revision: string | null }[];

void self.skipWaiting();
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
cleanupOutdatedCaches();
precacheAndRoute(PAGES);
registerRoute(
  new NavigationRoute(createHandlerBoundToURL("/index.html"), { denylist: [/^\/(api\/|(metrics|healthz|readyz)$)/] }),
);
registerRoute(({ url }) => url.pathname === "/device/bundle.json", new NetworkFirst({ cacheName: CACHE }));
registerRoute(({ url }) => url.pathname.startsWith("/device/"), new CacheFirst({ cacheName: CACHE }));
registerRoute(({ url }) => url.pathname.endsWith(".woff2"), new CacheFirst({ cacheName: "fonts" }));
