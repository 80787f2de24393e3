// Sentences about what waits for the server, the same wherever something does.
import { network } from "./api.svelte";
import { t } from "./prefs.svelte";

/** The server has taken all that had waited for it. */
export const sentWords = (count: number): string =>
  t(`待上传的 ${count} 条已全部上传。`, `Everything is uploaded: ${count}.`);

/** Whether what waits is on its way. */
export const waitingWords = (count: number): string =>
  network.offline
    ? t(
        `连不上服务器：${count} 条待上传，连上后自动上传。`,
        `The server cannot be reached: ${count} waiting, to be sent once it is back.`,
      )
    : t(`正在上传 ${count} 条…`, `Sending ${count}…`);

/** Where it is until then. */
export const placeWords = (outbox: { readonly unstored: boolean }): string =>
  outbox.unstored
    ? t("未能保存，只在这一页里。", "They are not saved, only held in this page.")
    : t("已保存在本机，关闭浏览器也不会丢。", "They are saved in this browser, even if you close it.");
