// The encounter plane with its key, and the numbers that it is drawn from.
import { h } from "../dom";
import { datum, fixed, metres, named } from "../format";
import { inPlane } from "../levels";
import type { Conjunction, EncounterPlane, Geometry } from "../types";
import { term } from "../words/glossary";
import { figure, switched } from "./figure";
import { planePicture, type Zoom } from "./plane";
import { signless } from "./ticks";

const TITLE = "Encounter plane";

export function planeFigure(event: Conjunction, geometry: Geometry): HTMLElement {
  const plane = geometry.encounter_plane;
  if (!plane) return figure(TITLE, "The plane normal to the relative velocity.", geometry.missing.encounter_plane ?? "Not available for this event.");
  const picture = (zoom: Zoom): HTMLElement => {
    const drawing = planePicture(plane, zoom);
    return h("div", {}, drawing, key(plane, zoom, drawing.querySelector("[data-drawn-larger]") !== null));
  };
  const note = plane.combined ? "" : (geometry.missing["encounter_plane.covariance"] ?? "");
  const made = switched(
    TITLE,
    [
      "Seen against the relative velocity (the ", term("encounter plane"), `): ${named(event, "secondary")}, the secondary, comes towards you; ${named(event, "primary")}, the primary, is at the origin. `,
      !inPlane(event)
        ? "The probability is not that of this plane: the two do not fly straight through it, so it shows where they are at TCA, and no more."
        : "A collision is a secondary that truly passes inside the red circle around the primary: the probability is how much of the shaded error lies there.",
    ],
    { sigmas: "Whole ellipses", miss: "Close-up" },
    picture,
    note,
    flat(plane) ? "miss" : "sigmas",
  );
  made.append(numbers(plane));
  return made;
}

const FLAT = 40; // so many times as long as it is wide, an ellipse that is drawn whole is a line

const flat = ({ combined }: EncounterPlane): boolean => combined !== null && combined.sigma_major_m > FLAT * (combined.sigma_minor_m ?? 0);

function key(plane: EncounterPlane, zoom: Zoom, drawnLarger: boolean): HTMLElement {
  const entry = (kind: string, text: string): HTMLElement => h("li", {}, h("span", { class: `key-mark ${kind}` }), text);
  return h(
    "ul",
    { class: "legend plane-key" },
    plane.hard_body_radius_m === null ? null : entry("hard-body", drawnLarger ? "hard body, drawn larger than it is" : "hard body"),
    plane.combined ? entry("combined", zoom === "sigmas" ? "both errors together, 1, 2, 3 σ around the secondary" : "both errors together, in parts of σ") : null,
    zoom === "sigmas" && plane.primary ? entry("primary", "primary's error alone, 1 σ") : null,
    zoom === "sigmas" && plane.secondary ? entry("secondary", "secondary's error alone, 1 σ") : null,
  );
}

function numbers(plane: EncounterPlane): HTMLElement {
  const spreads = ["primary", "secondary", "combined"] as const;
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
            h("thead", {}, h("tr", {}, [["Error, 1 ", term("sigma", "σ")], "Long axis", "Short axis", "Turned"].map((text, i) => h("th", { scope: "col", class: i ? "number" : "" }, text)))),
            h("tbody", {}, spreads.map((who) => {
              const spread = plane[who];
              if (!spread) return null;
              const name = `encounter_plane.${who}`;
              return h("tr", {}, h("th", { scope: "row" }, who === "combined" ? "both together" : who),
                cell(`${name}.sigma_major_m`, spread.sigma_major_m, metres, "m"),
                cell(`${name}.sigma_minor_m`, spread.sigma_minor_m, metres, "m"),
                cell(`${name}.major_axis_deg`, spread.major_axis_deg, (v) => signless(v, 1), "°"));
            }))))
      : null,
  );
}
