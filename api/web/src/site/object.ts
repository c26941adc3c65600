// One object: what it is, its orbit, and its events; `object.html#25544`.
import { h, replace } from "../dom";
import { count, fixed, metres, NOTHING, utc } from "../format";
import { load, root, type EventRow, type Facts, type Shard } from "./data";

const SHARDS = 256; // as api/site/object_pages.py has it, and the order of all that follows
const LEVELS = ["critical", "high", "medium", "unknown", "low"] as const;
const ELEMENTS = ["epoch", "revolutions a day", "eccentricity", "inclination (°)", "ascending node (°)", "argument of perigee (°)", "mean anomaly (°)", "B*"];

export async function showObject(place: HTMLElement): Promise<void> {
  const number = Number(location.hash.slice(1));
  if (!Number.isSafeInteger(number) || number <= 0) return;
  const shard = await load(`objects/${number % SHARDS}.js`, "objects");
  const found = shard.objects[number];
  if (number !== Number(location.hash.slice(1))) return; // another one meanwhile
  if (!found) {
    document.title = `Object ${number}`;
    replace(place, h("h1", {}, `Object ${number}`), h("p", { class: "lead" }, "The newest run has no such object: it has decayed, or no public element set."));
    return;
  }
  const [[name], total] = found;
  document.title = `${name || `Object ${number}`} (${number})`;
  replace(
    place,
    h("h1", {}, name || "Object", " ", h("span", { class: "unit" }, number)),
    facts(found),
    h("h2", {}, total ? `${count(total)} approaches` : "No approaches"),
    total > found[2].length ? h("p", { class: "note" }, `The ${found[2].length} most dangerous; the page Data has all.`) : null,
    found[2].length ? events(found[2], shard) : null,
  );
}

function facts([told, , , decay, elements]: Facts): HTMLElement {
  const [, designator, type, status, owner, state, mass, radius, perigee, apogee, inclination, moves, moved] = told;
  const words = (value: unknown): string => (value === null || value === undefined || value === "" ? NOTHING : String(value).replaceAll("_", " "));
  const measured = (value: unknown, unit: string, digits = 0): string => (typeof value === "number" ? `${fixed(value, digits)} ${unit}` : NOTHING);
  const rows: [string, string][] = [
    ["Designator", words(designator)],
    ["Type", words(type)],
    ["Status", words(status)],
    ["Owner", [words(owner), words(state)].filter((one) => one !== NOTHING).join(", ") || NOTHING],
    ["Mass", measured(mass, "kg")],
    ["Radius of its sphere", measured(radius, "m", 2)],
    ["Orbit", typeof perigee === "number" ? `${fixed(perigee, 0)} × ${measured(apogee, "km")}, ${measured(inclination, "°", 1).replace(" °", "°")}` : NOTHING],
    ["Can manoeuvre", words(moves)],
    ["Last manoeuvre", words(moved)],
  ];
  if (decay) rows.push(["Re-entry", `about ${decay[0]}, between ${decay[1]} and ${decay[2]}`]);
  if (elements) ELEMENTS.forEach((label, place) => rows.push([label, words(elements[place])]));
  return h("dl", { class: "main-numbers" }, rows.map(([label, text]) => h("div", {}, h("dt", {}, label), h("dd", {}, text))));
}

function events(rows: EventRow[], shard: Shard): HTMLElement {
  const heads: [string, string][] = [["level", ""], ["TCA (UTC)", ""], ["with", ""], ["miss", "number"], ["probability", "number"], ["speed", "number"]];
  const body = rows.map(([seconds, other, missM, chance, place, speedMS, page]) => {
    const level = LEVELS[place] ?? "unknown";
    const when = utc((shard.from + seconds) * 1000);
    return h(
      "tr",
      {},
      h("td", {}, h("span", { class: `badge ${level}` }, level)),
      h("td", {}, page ? h("a", { href: `${root()}events/${page}.html` }, when) : when),
      h("td", {}, h("a", { href: `#${other}` }, shard.names[other]?.trim() || "object"), " ", h("span", { class: "unit" }, other)),
      h("td", { class: "number" }, missM < 10_000 ? `${metres(missM)} m` : `${fixed(missM / 1000, 1)} km`),
      h("td", { class: "number" }, chance === null ? NOTHING : chance.toExponential(1).replace(/e([+-])(\d)$/, "e$10$2")),
      h("td", { class: "number" }, speedMS === null ? NOTHING : speedMS < 1000 ? `${fixed(speedMS, 0)} m/s` : `${fixed(speedMS / 1000, 2)} km/s`),
    );
  });
  const head = h("tr", {}, heads.map(([text, side]) => h("th", { scope: "col", class: side }, text)));
  const table = h("table", { class: "plain events" }, h("thead", {}, head), h("tbody", {}, body));
  return h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Approaches" }, table);
}
