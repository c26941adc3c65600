// Data files: each is a script that sets one property of `skysieve`.

type Told = string | number | null;
export type EventRow = [seconds: number, other: number, missM: number, probability: number | null, level: number, speedMS: number | null, page: number];
export type Facts = [facts: Told[], total: number, events: EventRow[], decay: string[] | null, elements: Told[] | null];
export interface Shard {
  from: number; // seconds since 1970, start of the window
  names: Record<string, string>;
  objects: Record<string, Facts>;
}
interface Files {
  search?: [number, string][];
  objects?: Shard;
}

declare global {
  interface Window {
    skysieve: Files;
  }
}
window.skysieve = {};

export const root = (): string => document.documentElement.dataset["root"] ?? "";

export async function load<K extends keyof Files>(file: string, name: K): Promise<NonNullable<Files[K]>> {
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${root()}${file}`;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${file} cannot be read: try again later.`));
    document.head.append(script);
  });
  const found = window.skysieve[name];
  if (found === undefined) throw new Error(`${file} is damaged.`);
  return found as NonNullable<Files[K]>;
}
