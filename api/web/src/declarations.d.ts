declare module "*.css";
declare module "world-atlas/*.json" {
  const topology: unknown;
  export default topology;
}
