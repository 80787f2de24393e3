// Statistics over logs on this page: files are read in pieces by this browser's own worker where there is one (nothing
// leaves it then), else by the server; the pieces are added up.
import { get, postHere, textFrom } from "../../lib/api.svelte";
import { textOf } from "../../lib/files";
import { t } from "../../lib/prefs.svelte";
import type { LogSetShape, PlayerView, ReplayList, StatsView, TableHead } from "../../lib/types";

/** Characters and files of one piece: what a server takes at once is not much more. */
const PIECE = 200_000;
const MOST = 200;
const ENDS = /\.(jsonl|json|log|txt)$/i;

interface Source {
  name: string;
  when: number;
  text: () => Promise<string>;
}

export class Stats {
  view = $state.raw<StatsView | null>(null);
  page = $state.raw<PlayerView | null>(null);
  done = $state(0);
  of = $state(0);
  failed = $state("");
  private sets: LogSetShape[] = [];
  private roster: unknown = null;
  private stopped = false;

  get busy(): boolean {
    return this.done < this.of;
  }

  stop(): void {
    this.stopped = true;
  }

  clear(): void {
    this.stop();
    this.sets = [];
    this.view = this.page = null;
    this.done = this.of = 0;
  }

  files(files: File[]): Promise<void> {
    const logs = files.filter((file) => ENDS.test(file.name));
    return this.add(
      logs.map((file) => ({ name: file.name, when: file.lastModified / 1000, text: () => textOf(file) })),
      t("这里没有牌谱文件（.jsonl、.json、.log、.txt）。", "There are no logs here (.jsonl, .json, .log, .txt)."),
    );
  }

  async tables(): Promise<void> {
    const found = await get<TableHead[]>("/api/tables").catch(() => []);
    await this.add(
      found.map(({ id, updated }) => ({
        name: id,
        when: updated,
        text: () => textFrom(`/api/tables/${encodeURIComponent(id)}/export`),
      })),
      t("还没有记过分的桌。", "There are no score tables yet."),
    );
  }

  async games(rooms: string[]): Promise<void> {
    const sources: Source[] = [];
    let before: number | null = null;
    try {
      do {
        const query = new URLSearchParams({ rooms: rooms.join(","), most: "100", mine: "true" });
        if (before !== null) query.set("before", String(before));
        const found: ReplayList = await get<ReplayList>(`/api/replays?${query}`);
        for (const { id, played } of found.replays)
          sources.push({ name: id, when: played, text: () => textFrom(`/api/replays/${encodeURIComponent(id)}/log`) });
        before = found.before;
      } while (before !== null);
    } catch {
      // without a server there are none
    }
    await this.add(sources, t("还没有打完的对局。", "There are no finished matches yet."));
  }

  private async add(sources: Source[], none: string): Promise<void> {
    this.failed = sources.length ? "" : none;
    if (!sources.length || this.busy) return;
    this.stopped = false;
    [this.done, this.of] = [0, sources.length];
    this.roster ??= await get<unknown>("/api/roster/export").catch(() => null);
    try {
      let piece: { name: string; when: number; text: string }[] = [];
      let size = 0;
      for (const { name, when, text } of sources) {
        if (this.stopped) break;
        const own = await text();
        if (piece.length && (size + own.length > PIECE || piece.length >= MOST)) {
          await this.read(piece);
          [piece, size] = [[], 0];
        }
        piece.push({ name: name.slice(-200), when, text: own });
        size += own.length;
      }
      if (piece.length && !this.stopped) await this.read(piece);
      if (!this.stopped) await this.addUp();
    } catch (problem) {
      this.failed = (problem as Error).message;
    } finally {
      this.done = this.of;
    }
  }

  private async read(files: object[]): Promise<void> {
    this.sets.push(await postHere<LogSetShape>("/api/stats/read", { files, roster: this.roster }));
    this.done += files.length;
  }

  private async addUp(id: string | null = null, book: string | null = null): Promise<void> {
    const found = await postHere<StatsView>("/api/stats", { sets: this.sets, roster: this.roster, id, book });
    this.view = found;
    this.page = found.player;
  }

  /** Show a player's page of a book, or of the one that the player played most. */
  async show(id: string | null, book: string): Promise<void> {
    if (id === null) return void (this.page = null);
    const there = this.view?.players.some((line) => line.id === id && line.book === book);
    await this.addUp(id, there ? book : null).catch((problem: Error) => (this.failed = problem.message));
  }
}
