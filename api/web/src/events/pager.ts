// The list of events, read page by page: any row can be asked for, and all pages are of one run.
import * as api from "../api";
import type { Conjunction, Unreadable } from "../types";

export const PAGE_ROWS = 200;
const KEPT_PAGES = 30;

export type Row = Conjunction | Unreadable;

export class Pager {
  total = 0;
  private readonly pages = new Map<number, Row[]>();
  private readonly asked = new Set<number>();
  private next: string | null = null;
  private readonly ended = new AbortController();

  constructor(
    private readonly conditions: URLSearchParams,
    private readonly arrived: () => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  async begin(): Promise<void> {
    await this.load(0);
  }

  end(): void {
    this.ended.abort();
  }

  row(index: number): Row | undefined {
    return this.pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  // Request the missing rows in [from, to).
  want(from: number, to: number): void {
    if (!this.total) return;
    const last = Math.floor((Math.min(to, this.total) - 1) / PAGE_ROWS);
    for (let page = Math.floor(from / PAGE_ROWS); page <= last; page += 1) {
      if (!this.pages.has(page) && !this.asked.has(page)) void this.load(page);
    }
  }

  private async load(page: number): Promise<void> {
    this.asked.add(page);
    try {
      const found = await api.conjunctions(this.query(page), this.ended.signal);
      if (page === 0) {
        this.total = found.total;
        this.next = found.next;
      }
      this.pages.set(page, found.conjunctions);
      for (const old of this.pages.keys()) {
        if (this.pages.size <= KEPT_PAGES) break;
        if (old !== 0) this.pages.delete(old);
      }
      this.arrived();
    } catch (error) {
      if (!this.ended.signal.aborted) this.failed(error);
    } finally {
      this.asked.delete(page);
    }
  }

  // The cursor of the first page carries the conditions and the run; the offset counts from there.
  private query(page: number): URLSearchParams {
    const query = page === 0 ? new URLSearchParams(this.conditions) : new URLSearchParams({ cursor: this.next ?? "" });
    if (page > 1) query.set("offset", String((page - 1) * PAGE_ROWS));
    query.set("limit", String(PAGE_ROWS));
    return query;
  }
}
