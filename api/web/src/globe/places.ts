// Latitude, longitude and altitude of a place.
import { fixed } from "../format";
import { EQUATOR_KM, FLATTENING, POLE_KM } from "./earth_numbers";

const E2 = FLATTENING * (2 - FLATTENING);
const DEGREES = 180 / Math.PI;

export interface Place {
  latitude_deg: number;
  longitude_deg: number;
  altitude_km: number;
}

// Geodetic, from an Earth-fixed position in km. B. R. Bowring, "The accuracy of geodetic latitude and height equations",
// Survey Review 28 (1985): within a metre up to 10,000 km.
export function geodetic(x: number, y: number, z: number): Place {
  const across = Math.hypot(x, y);
  const reduced = Math.atan2(POLE_KM * z * (1 + (E2 / (1 - E2)) * (POLE_KM / Math.hypot(across, z))), EQUATOR_KM * across);
  const latitude = Math.atan2(z + (E2 / (1 - E2)) * POLE_KM * Math.sin(reduced) ** 3, across - E2 * EQUATOR_KM * Math.cos(reduced) ** 3);
  const curved = Math.sqrt(1 - E2 * Math.sin(latitude) ** 2);
  const altitude_km = across * Math.cos(latitude) + z * Math.sin(latitude) - EQUATOR_KM * curved;
  return { latitude_deg: latitude * DEGREES, longitude_deg: Math.atan2(y, x) * DEGREES, altitude_km };
}

export function groundWords(place: Place): string {
  const [latitude, longitude] = [Math.abs(place.latitude_deg), Math.abs(place.longitude_deg)];
  return `${fixed(latitude, 1)}° ${place.latitude_deg < 0 ? "S" : "N"}, ${fixed(longitude, 1)}° ${place.longitude_deg < 0 ? "W" : "E"}`;
}

export const placeWords = (place: Place): string => `${groundWords(place)}, ${fixed(place.altitude_km, 0)} km up`;
