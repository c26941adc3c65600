// What all views share: who is signed in, the newest run, the clock of the service, the names of the objects.
import * as api from "./api";
import type { KnownObject, Run } from "./types";

const RUN_EVERY_MS = 60_000;

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

  constructor(
    readonly name: string,
    serverNow: string,
    readonly failed: (error: unknown) => void,
  ) {
    this.clockOffset_ms = Date.parse(serverNow) - Date.now();
  }

  // The service's clock: a wrong one on a desk must not move a satellite.
  now(): number {
    return Date.now() + this.clockOffset_ms;
  }

  async start(): Promise<void> {
    await this.renew();
    this.timer = window.setInterval(() => void this.renew(), RUN_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.listeners.clear();
  }

  // Called with every look at the run, new or not: its age grows.
  onRun(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async renew(): Promise<void> {
    try {
      this.run = await api.currentRun();
      this.runError = null;
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      if (error.status === 401) return this.failed(error);
      this.runError = error;
    }
    for (const listener of [...this.listeners]) listener();
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
