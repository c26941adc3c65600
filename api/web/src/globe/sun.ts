// Where the Sun stands, for the night side.
import { Vector3 } from "three";

const RADIANS = Math.PI / 180;
const J2000 = Date.UTC(2000, 0, 1, 12);
const DAY_MS = 86_400_000;

// Its direction, Earth-fixed. Low precision formulas of The Astronomical Almanac, page C5 (aa.usno.navy.mil/faq/sun_approx),
// 1 arcminute from 1950 to 2050, and mean sidereal time (aa.usno.navy.mil/faq/GAST). UT1 is taken to be UTC: 0.004°.
export function sunDirection(time: number, into: Vector3 = new Vector3()): Vector3 {
  const days = (time - J2000) / DAY_MS;
  const anomaly = (357.529 + 0.98560028 * days) * RADIANS;
  const mean = 280.459 + 0.98564736 * days;
  const longitude = (mean + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * RADIANS;
  const obliquity = (23.439 - 0.00000036 * days) * RADIANS;
  const sidereal = ((18.697374558 + 24.06570982441908 * days) % 24) * 15 * RADIANS;
  into.set(Math.cos(longitude), Math.cos(obliquity) * Math.sin(longitude), Math.sin(obliquity) * Math.sin(longitude));
  return into.applyAxisAngle(NORTH, -sidereal);
}

const NORTH = new Vector3(0, 0, 1);
