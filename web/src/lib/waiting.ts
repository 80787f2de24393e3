// Sentences about what waits for the server, the same wherever something does.
import { network } from "./api.svelte";
import { t } from "./prefs.svelte";

/** The server has taken all that had waited for it. */
export const sentWords = (count: number): string =>
  t(`刚才等着的 ${count} 条，服务器都收到了。`, `The server has all that waited for it: ${count}.`);

/** Whether what waits is on its way. */
export const waitingWords = (count: number): string =>
  network.offline
    ? t(
        `连不上服务器：${count} 条待上传，连上后自动上传。`,
        `The server is out of reach: ${count} wait and are sent when it is back.`,
      )
    : t(`正在送出 ${count} 条…`, `Sending ${count}…`);

/** Where it is until then. */
export const placeWords = (outbox: { readonly unstored: boolean }): string =>
  outbox.unstored
    ? t("没有存下，只在这一页里。", "They are not stored, but in this page alone.")
    : t("已存在这个浏览器里，关掉也不丢。", "They are stored in this browser and stay when it is closed.");
