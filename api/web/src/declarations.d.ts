declare module "*.css";
declare module "world-atlas/*.json" {
  const topology: unknown;
  export default topology;
}
// Made by ../derived.mjs.
declare module "derived:coasts" {
  const topology: unknown;
  export default topology;
}
declare module "derived:cities" {
  const cells: { across: number; steps: string; doublings: string };
  export default cells;
}
