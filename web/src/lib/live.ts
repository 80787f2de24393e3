// Pages that follow a log of the server: a message comes whenever it has grown.
import { tableHere } from "../device/device";

/** Calls `grown` when the log at `address` (…/live) has changed; the answer ends it. */
export function follow(address: string, grown: (length: number) => void): () => void {
  let source: EventSource | null = null;
  let stopped = false;
  void tableHere(address).then((place) => {
    if (stopped || place === "here" || typeof EventSource === "undefined") return;
    source = new EventSource(address);
    source.onmessage = (event: MessageEvent<string>) => grown(Number(event.data));
  });
  return () => {
    stopped = true;
    source?.close();
  };
}
