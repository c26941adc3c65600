// The encounter plane with its key; and, elsewhere, the numbers that it is drawn from.
import { h } from "../dom";
import { datum, fixed, metres, namesOf, type Names } from "../format";
import { inPlane } from "../levels";
import type { Conjunction, EncounterPlane, Geometry } from "../types";
import { term } from "../words/glossary";
import { prose } from "../words/prose";
import { figure, switched } from "./figure";
import { planePicture, type PlanePicture, type Zoom } from "./plane";
import { signless } from "./ticks";

const TITLE = "Encounter plane";

export function planeFigure(event: Conjunction, geometry: Geometry): HTMLElement {
  const plane = geometry.encounter_plane;
  if (!plane) return figure(TITLE, "The plane normal to the relative velocity.", geometry.missing.encounter_plane ?? "Not available for this event.");
  const names = namesOf(event);
  const picture = (zoom: Zoom): HTMLElement => {
    const made = planePicture(plane, zoom, names);
    return h("div", {}, made.element, key(plane, zoom, made, names), made.note ? h("p", { class: "note", "data-part": "axes" }, made.note) : null);
  };
  return switched(
    TITLE,
    inPlane(event) ? ["The ", term("probability"), " is the share of the shaded error inside the red disk."] : "",
    { sigmas: "Whole ellipses", miss: "Close-up" },
    picture,
    plane.combined ? "" : (geometry.missing["encounter_plane.covariance"] ?? ""),
    inPlane(event)
      ? [h("span", { "data-told": "sure" }, prose(geometry.words.errors))]
      : "The two do not fly straight through this plane: it shows where they are at TCA, and no more.",
  );
}

function key(plane: EncounterPlane, zoom: Zoom, { enlarged }: PlanePicture, names: Names): HTMLElement {
  const entry = (kind: string, text: string): HTMLElement => h("li", {}, h("span", { class: `key-mark ${kind}` }), text);
  return h(
    "ul",
    { class: "legend plane-key" },
    plane.hard_body_radius_m === null ? null : entry("hard-body", enlarged ? "both bodies, drawn larger" : "both bodies"),
    plane.combined ? entry("combined", zoom === "sigmas" ? "both errors together, 1, 2, 3 σ" : "both errors together, parts of σ") : null,
    zoom === "sigmas" && plane.primary ? entry("primary", `${names.primary} alone, 1 σ`) : null,
    zoom === "sigmas" && plane.secondary ? entry("secondary", `${names.secondary} alone, 1 σ`) : null,
  );
}

export function planeNumbers(event: Conjunction, plane: EncounterPlane): HTMLElement {
  const spreads = ["primary", "secondary", "combined"] as const;
  const names = { ...namesOf(event), combined: "both together" };
  const cell = (field: string, value: number | null, text: (value: number) => string, unit: string): HTMLElement => h("td", { class: "number" }, datum(field, value, text, unit));
  return h(
    "div",
    { class: "plane-numbers" },
    h("p", {}, "Miss in the plane ", datum("encounter_plane.miss_x_m", plane.miss_x_m, metres, "m"), " across, ", datum("encounter_plane.miss_y_m", plane.miss_y_m, metres, "m"), " up",
      plane.miss_sigmas === null ? "" : ", ", plane.miss_sigmas === null ? null : datum("encounter_plane.miss_sigmas", plane.miss_sigmas, (v) => fixed(v, 2), "σ"),
      plane.hard_body_radius_m === null ? "." : "; hard-body radius ", plane.hard_body_radius_m === null ? null : datum("encounter_plane.hard_body_radius_m", plane.hard_body_radius_m, metres, "m")),
    plane.combined || plane.primary || plane.secondary
      ? h("div", { class: "scroll-x", role: "region", tabindex: "0", "aria-label": "Errors in the plane" },
          h("table", { class: "plain" },
            h("thead", {}, h("tr", {}, [["Error in the plane, 1 ", term("sigma", "σ")], "Long axis", "Short axis", "Turned"].map((text, i) => h("th", { scope: "col", class: i ? "number" : "" }, text)))),
            h("tbody", {}, spreads.map((who) => {
              const spread = plane[who];
              if (!spread) return null;
              const name = `encounter_plane.${who}`;
              return h("tr", {}, h("th", { scope: "row" }, names[who]),
                cell(`${name}.sigma_major_m`, spread.sigma_major_m, metres, "m"),
                cell(`${name}.sigma_minor_m`, spread.sigma_minor_m, metres, "m"),
                cell(`${name}.major_axis_deg`, spread.major_axis_deg, (v) => signless(v, 1), "°"));
            }))))
      : null,
  );
}
