// Shared by all views: who is signed in, the newest run, the clock of the service, the names of the objects.
import * as api from "./api";
import { fleets } from "./fleets/asked";
import { intoWindow, until } from "./format";
import type { ListedAcknowledgement } from "./generated";
import type { KnownObject, Run, SessionState } from "./types";

const RUN_EVERY_MS = 60_000;
const AGAIN_MS = 5_000; // while there is no answer

export interface View {
  element: HTMLElement;
  title: string;
  update?(query: URLSearchParams): void;
  place?(): unknown; // what brings the user back to where he was: kept when the view is left…
  resume?(place: unknown): void; // …and given before it is shown or updated again
  destroy?(): void;
  drop?(files: Iterable<File>): void; // files dropped anywhere on the page
}

export class Context {
  run: Run | null = null;
  runError: api.ApiError | null = null;
  had: ReadonlyMap<number, ListedAcknowledgement> = new Map(); // events that a person has taken on
  private clockOffset_ms = 0;
  private catalogue: Promise<Map<number, KnownObject>> | null = null;
  private catalogueRun = "";
  private readonly single = new Map<string, Promise<KnownObject | null>>(); // asked for one by one
  private readonly listeners = new Set<() => void>();
  private timer = 0;
  private asking = false;
  private stopped = false;

  readonly name: string;
  readonly readOnly: boolean; // the credential may only read: what would change something is disabled
  readonly admin: boolean; // the credential may do all that its organisation may
  readonly demo: boolean; // anyone may read: there is nothing to sign out of

  constructor(
    session: SessionState,
    private readonly report: (error: unknown) => void,
    private readonly recovered: () => void,
  ) {
    this.name = session.name ?? "";
    this.readOnly = session.role === "viewer";
    this.admin = session.role === "admin" && !session.demo;
    this.demo = session.demo;
    this.clockOffset_ms = Date.parse(session.now) - Date.now();
  }

  // The service's clock: a wrong one on the user's computer must not move satellites.
  now(): number {
    return Date.now() + this.clockOffset_ms;
  }

  // The one clock of the page, in words: "in 2 h" from now; in a historic store "13 h into the window".
  when(time: string | number): string {
    return this.run?.historic ? intoWindow(time, this.run.window_start) : until(time, this.now());
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
      [this.run, this.had] = await Promise.all([api.currentRun(), this.whoHasWhich()]);
      this.runError = null;
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      if (error.status === 401) return this.failed(error);
      this.runError = error;
    }
  }

  private async whoHasWhich(): Promise<Context["had"]> {
    try {
      return await api.acknowledged();
    } catch (error) {
      if (!(error instanceof api.ApiError) || error.status === 401) throw error;
      return this.had; // an event's own page says why it cannot be known
    }
  }

  // One object of the run; null if the run has none of this number. Of all objects, the names alone take seconds.
  async object(number: number): Promise<KnownObject | null> {
    const run = this.run?.run_id ?? "";
    if (this.catalogue && this.catalogueRun === run) return (await this.catalogue).get(number) ?? null;
    const key = `${run} ${number}`;
    const asked = this.single.get(key) ?? this.alone(number);
    this.single.set(key, asked);
    asked.catch(() => this.single.delete(key));
    return asked;
  }

  // Asked for by its number, one that the run does not have is refused, which the browser notes as a fault. One with
  // events is there; whether another one is, all the names tell.
  private async alone(number: number): Promise<KnownObject | null> {
    const { total } = await api.conjunctions(new URLSearchParams({ norad_id: String(number), limit: "1" }));
    return total ? api.object(number) : ((await this.objects()).get(number) ?? null);
  }

  // Whether there is a fleet already, of whoever.
  async anyFleet(): Promise<boolean> {
    try {
      return (await fleets()).total > 0;
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      return false; // then it is advised to make one, which says what is wrong
    }
  }

  objects(): Promise<Map<number, KnownObject>> {
    const run = this.run?.run_id ?? "";
    if (!this.catalogue || this.catalogueRun !== run) {
      this.catalogueRun = run;
      const asked = api.objects().then((list) => new Map(list.objects.map((known) => [known.norad_id, known])));
      this.catalogue = asked;
      asked.catch(() => this.catalogue === asked && (this.catalogue = null));
    }
    return this.catalogue;
  }
}
