// Bundle both pages into dist/: index.html, docs.html, assets/ with hashes in their names, each with its gzip beside it.
import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { copyFile, readdir, readFile, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { derived, NOTICE } from "./derived.mjs";

const web = fileURLToPath(new URL(".", import.meta.url));
const dist = join(web, "dist");

await rm(dist, { recursive: true, force: true });
// Bundled apart, so that neither page loads, or waits for, what only the other one needs.
const outputs = {
  ...(await page("main", "src/main.ts", "src/index.html", "index.html")),
  ...(await page("docs", "src/docs/main.ts", "src/docs/index.html", "docs.html")),
};
await build({ ...common(), entryPoints: { site: "src/site/main.ts" }, entryNames: "[name]", format: "iife" }); // of `skysieve site`: also from file://, where modules do not load
for (const picture of ["icon.svg", "encounter.svg"]) await writeFile(join(dist, "assets", picture), await readFile(join(web, "src", picture)));
await writeFile(join(dist, "assets/licences.txt"), await licences(outputs));
await copyFile(join(web, "node_modules/world-atlas/land-110m.json"), join(dist, "coasts.json")); // for maps from Python

for (const name of await readdir(join(dist, "assets"))) {
  const path = join(dist, "assets", name);
  await writeFile(`${path}.gz`, gzipSync(await readFile(path), { level: 9 }));
}

function common() {
  return {
    absWorkingDir: web,
    outdir: "dist/assets",
    assetNames: "[name]-[hash]",
    bundle: true,
    target: "es2022",
    minify: true,
    plugins: [derived(web)],
    legalComments: "none", // licences.txt has the licences in full
    logLevel: "warning",
  };
}

// Bundle one page; its own address is not known here: <base> is put in by the service.
async function page(name, source, template, target) {
  const { metafile } = await build({
    ...common(),
    entryPoints: { [name]: source },
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    splitting: true,
    format: "esm",
    metafile: true,
  });
  const entry = Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === source);
  const font = Object.keys(metafile.outputs).find((path) => path.endsWith(".woff2"));
  const names = { SCRIPT: basename(entry), STYLE: basename(metafile.outputs[entry].cssBundle), FONT: basename(font) };
  const html = (await readFile(join(web, template), "utf8")).replace(/\$(SCRIPT|STYLE|FONT)/g, (_, key) => `assets/${names[key]}`);
  // What the entry imports would else be requested only once the entry has been read.
  const first = metafile.outputs[entry].imports.filter(({ kind }) => kind === "import-statement");
  const links = first.map(({ path }) => `    <link rel="modulepreload" href="assets/${basename(path)}">\n`).join("");
  await writeFile(join(dist, target), html.replace("  </head>", `${links}  </head>`));
  return metafile.outputs;
}

// Every library that is in the bundles, with its licence.
async function licences(outputs) {
  const inputs = Object.values(outputs).flatMap((output) =>
    Object.keys(output.inputs).filter((path) => output.inputs[path].bytesInOutput > 0),
  );
  const packages = inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []).concat("inter-ui");
  const texts = [];
  for (const name of [...new Set(packages)].sort()) {
    const folder = join(web, "node_modules", name);
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file`);
    texts.push(`${name} ${version}\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n`);
  }
  return `Data and libraries in the scripts of this page, and their licences.\n\n${[NOTICE, ...texts].join(`\n${"-".repeat(80)}\n\n`)}`;
}
