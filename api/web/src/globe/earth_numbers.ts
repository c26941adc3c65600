// The Earth's size, WGS-84, and its size in the scene, whose unit is 1000 km.
export const EQUATOR_KM = 6378.137;
export const FLATTENING = 1 / 298.257223563;
export const POLE_KM = EQUATOR_KM * (1 - FLATTENING);
export const GROUND = 6.37;

// The latitude on a sphere that, pressed flat to the ellipsoid, lies at this geodetic one; degrees. They differ by 0.1°.
export function onSphere(latitude_deg: number): number {
  const radians = (latitude_deg * Math.PI) / 180;
  return (Math.atan2((1 - FLATTENING) * Math.sin(radians), Math.cos(radians)) * 180) / Math.PI;
}
