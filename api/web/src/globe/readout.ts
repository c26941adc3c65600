// What the picture shows of a selected event, in words: how far apart the two are, and above which place.
import { Vector3 } from "three";
import { replace } from "../dom";
import { count } from "../format";
import type { Conjunction } from "../types";
import { geodetic, groundWords } from "./places";
import { KM, type Points } from "./points";

const LEAST_KM = 5; // what is drawn is off by up to a kilometre: at TCA the service's number counts

const [r, other] = [new Vector3(), new Vector3()];

export function readOut(into: HTMLElement, event: Conjunction | null, points: Points): void {
  const [first, second] = event ? [points.place(event.primary_norad_id), points.place(event.secondary_norad_id)] : [];
  const text = first === undefined || second === undefined || !points.drawn.visible ? "" : words(event?.primary_name ?? "", points, first, second);
  if (into.textContent !== text) replace(into, text);
}

function words(name: string, points: Points, first: number, second: number): string {
  const { x, y, z } = points.position(first, r);
  const apart_km = r.distanceTo(points.position(second, other)) / KM;
  const apart = apart_km < LEAST_KM ? `less than ${LEAST_KM} km apart` : `${count(apart_km)} km apart`;
  return `${apart} · ${name} above ${groundWords(geodetic(x / KM, y / KM, z / KM))}`;
}
