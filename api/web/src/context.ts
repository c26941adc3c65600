// Shared by all views: who is signed in, the newest run, the clock of the service, the names of the objects.
import * as api from "./api";
import type { KnownObject, Run } from "./types";

const RUN_EVERY_MS = 60_000;
const AGAIN_MS = 5_000; // while there is no answer

export interface View {
  element: HTMLElement;
  title: string;
  update?(query: URLSearchParams): void;
  destroy?(): void;
}

export class Context {
  run: Run | null = null;
  runError: api.ApiError | null = null;
  private clockOffset_ms = 0;
  private catalogue: Promise<Map<number, KnownObject>> | null = null;
  private catalogueRun = "";
  private readonly listeners = new Set<() => void>();
  private timer = 0;
  private asking = false;
  private stopped = false;

  constructor(
    readonly name: string,
    serverNow: string,
    private readonly report: (error: unknown) => void,
    private readonly recovered: () => void,
  ) {
    this.clockOffset_ms = Date.parse(serverNow) - Date.now();
  }

  // The service's clock: a wrong one on the user's computer must not move satellites.
  now(): number {
    return Date.now() + this.clockOffset_ms;
  }

  async start(): Promise<void> {
    window.addEventListener("skysieve:unreachable", this.unreachable);
    await this.renew();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    window.removeEventListener("skysieve:unreachable", this.unreachable);
    this.listeners.clear();
  }

  // Failures after the user has left the view are caused by leaving.
  readonly failed = (error: unknown): void => {
    if (!this.stopped) this.report(error);
  };

  // Called at every check of the run, new or not, since its age grows.
  onRun(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // An outage seen by any request concerns the whole page: the banner shows it, and disappears with it.
  private readonly unreachable = (): void => {
    if (!this.runError && !this.asking) void this.renew();
  };

  private async renew(): Promise<void> {
    clearTimeout(this.timer);
    this.asking = true;
    const failing = this.runError !== null;
    try {
      await this.look();
    } finally {
      this.asking = false;
    }
    if (this.stopped) return;
    this.timer = window.setTimeout(() => void this.renew(), this.runError ? AGAIN_MS : RUN_EVERY_MS);
    for (const listener of [...this.listeners]) listener();
    if (failing && !this.runError) this.recovered();
  }

  private async look(): Promise<void> {
    try {
      this.run = await api.currentRun();
      this.runError = null;
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      if (error.status === 401) return this.failed(error);
      this.runError = error;
    }
  }

  objects(): Promise<Map<number, KnownObject>> {
    const run = this.run?.run_id ?? "";
    if (!this.catalogue || this.catalogueRun !== run) {
      this.catalogueRun = run;
      this.catalogue = api.objects().then((list) => new Map(list.objects.map((known) => [known.norad_id, known])));
      this.catalogue.catch(() => (this.catalogue = null));
    }
    return this.catalogue;
  }
}
