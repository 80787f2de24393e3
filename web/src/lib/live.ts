// Pages that follow a log of the server: a message comes whenever it has grown.
import { tableHere } from "../device/device";

/** Milliseconds after which a stream is asked for again that the server refused: it has too many of them. */
const AGAIN = 15_000;

/** Calls `grown` when the log at `address` (…/live) has changed; the answer ends it. */
export function follow(address: string, grown: (length: number) => void): () => void {
  let source: EventSource | null = null;
  let stopped = false;
  let later: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    const opened = (source = new EventSource(address));
    opened.onmessage = (event: MessageEvent<string>) => grown(Number(event.data));
    opened.onerror = () => {
      if (opened.readyState === EventSource.CLOSED) later = setTimeout(open, AGAIN); // else the browser tries again
    };
  };
  void tableHere(address).then((place) => {
    if (!stopped && place !== "here" && typeof EventSource !== "undefined") open();
  });
  return () => {
    stopped = true;
    clearTimeout(later);
    source?.close();
  };
}
