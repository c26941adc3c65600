// Range against time around TCA.
import { fixed, metres, utc, type Names } from "../format";
import type { Geometry, RangeCurve } from "../types";
import { chart } from "./chart";
import { inUnit, largest, lengthUnit, timeUnit } from "./ticks";

export function rangeChart(curve: RangeCurve, tca: string): HTMLElement {
  const [inTime, time] = timeUnit(largest(curve.seconds_from_tca));
  const [inLength, length] = lengthUnit(largest(curve.range_m));
  const known = curve.range_m.filter((value) => value !== null);
  return chart({
    x: curve.seconds_from_tca.map((value) => value * inTime),
    xLabel: `${time} from TCA`,
    xText: (value) => `${fixed(value, 3)} ${time}`,
    yLabel: `range, ${length}`,
    yText: (value) => `${length === "m" ? metres(value) : fixed(value, 3)} ${length}`,
    curves: [{ label: "range", values: inUnit(curve.range_m, inLength), color: "--accent", name: "range_m" }],
    marks: [{ x: 0, text: "TCA" }],
    summary: `Range against time around ${utc(tca)} UTC; the smallest is ${metres(Math.min(...known))} m.`,
  });
}

// What the paths are from.
export function pathsOf(geometry: Geometry, names: Names): string {
  if (geometry.objects.primary.epoch === null) return "two-body motion from the states of a message";
  const given = (["primary", "secondary"] as const).map((who) => geometry.objects[who].trajectory_id !== null);
  if (given[0] && given[1]) return "both operators' ephemerides";
  const named = given.map((one) => (one ? "the operator's ephemeris" : "SGP4"));
  return given[0] || given[1] ? `${named[0]} (${names.primary}) and ${named[1]} (${names.secondary})` : "SGP4";
}
