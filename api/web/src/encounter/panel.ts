// The encounter in 3-D. This part is small; three.js comes when the panel is about to be seen.
import { h, replace } from "../dom";
import { fixed, namesOf } from "../format";
import type { Conjunction, Geometry } from "../types";
import { titled } from "../words/glossary";
import { ellipsoid, inPlane, placeAt, size } from "./algebra";
import { cloud } from "./cloud";
import { controls, type Controls } from "./controls";
import type { EncounterRtn, Radii, Shown } from "./types";
import type { Look, Stage, Told } from "./view";
import { inside, RANGES_S } from "./zoom";
import { explanation, numbersTable, position } from "./words";

const NO_WEBGL = "This browser cannot draw in three dimensions (WebGL is off or missing). The slider and the numbers below work without it.";
const LOST = "The graphics card dropped the picture; it comes back by itself, or when the page is reloaded. The slider and the numbers work meanwhile.";
const NOT_LOADED = "The part of the page that draws in three dimensions cannot be loaded: reload the page when the service answers again.";
const sentence = (primary: string): string =>
  `Seen from ${primary}, with its axes at TCA held fixed. Distances and sizes are to scale; arrows show velocities, to scale with each other.`;

export function encounterPanel(event: Conjunction, geometry: Geometry, signal: AbortSignal): HTMLElement {
  const record = geometry.encounter_rtn && { ...geometry.encounter_rtn, names: namesOf(event) };
  const heading = h("figcaption", {}, titled(h("h2", {}, "Encounter in 3-D"), sentence(namesOf(event).primary)));
  if (!record) {
    return h("figure", { class: "panel encounter" }, heading, h("p", { class: "empty" }, geometry.missing.encounter_rtn ?? "Not available for this event."));
  }
  const radii: Radii = {
    primary: geometry.objects.primary.hard_body_radius_m,
    secondary: geometry.objects.secondary.hard_body_radius_m,
    combined: geometry.encounter_plane?.hard_body_radius_m ?? event.hard_body_radius_m,
  };
  return drawn(event, record, radii, heading, geometry.missing["encounter_plane.covariance"] ?? geometry.missing.encounter_plane ?? "", signal);
}

function drawn(event: Conjunction, record: EncounterRtn, radii: Radii, heading: HTMLElement, missing: string, signal: AbortSignal): HTMLElement {
  const place = h("div", { class: "stage encounter-stage", tabindex: "0", role: "application", "aria-roledescription": "picture in three dimensions", "aria-label": summary(record, radii) });
  const told = h("p", { class: "encounter-place" });
  const explained = h("div", { "aria-live": "polite" });
  const note = h("p", { class: "note" });
  let built: Stage | null = null;
  let looked: Look = "aside"; // before there is a picture, too
  let enlarged = false;
  let shown: Shown | null = null;
  let wasExplained = false;
  const show = (next: Shown): void => {
    shown = next;
    const { r_m, straight } = placeAt(record, next.seconds);
    Object.assign(place.dataset, { seconds: String(next.seconds), radialM: String(r_m[0]), inTrackM: String(r_m[1]), crossTrackM: String(r_m[2]) });
    replace(told, position(r_m), straight ? h("span", {}, "on a straight line") : null);
    if (next.explained !== wasExplained) {
      wasExplained = next.explained;
      const plane = next.explained ? inPlane(record) : null;
      replace(explained, next.explained ? explanation(event, radii, plane && cloud(plane, radii.combined), missing) : null);
    }
    built?.show(next);
    annotate();
  };
  const annotate = (): void => {
    const text = shown && marks(record, shown, enlarged, missing);
    if (note.textContent !== text) replace(note, text);
  };
  const handles: Controls = controls(record, radii, show, (look) => ((looked = look), built?.look(look)), place, signal);
  const lost = h("p", { class: "lost", role: "status" });
  const tell: Told = {
    turned: handles.turned,
    drawn(now) {
      enlarged = now;
      annotate();
    },
    lost: (gone) => replace(lost, gone ? LOST : null),
  };
  const element = h("figure", { class: "panel encounter" }, heading, h("div", { class: "explaining" }, handles.explain, explained), place, lost, handles.time, told, handles.view, note, numbersTable(record, radii));
  handles.begin();
  whenSeen(place, signal, async () => {
    const made = await build(place, record, radii, tell, signal);
    if (!made) return;
    built = made;
    built.look(looked);
    if (shown) built.show(shown);
  });
  return element;
}

// Words where something cannot be drawn, or not to scale.
function marks(record: EncounterRtn, shown: Shown, enlarged: boolean, missing: string): string {
  const words = [];
  if (!record.covariance_combined_m2) words.push(missing || "No covariance is known: no ellipsoids.");
  else if (!inPlane(record)) words.push("A covariance is not positive definite, or there is no relative motion: no ellipse in the plane.");
  const round = ([record.covariance_primary_m2, record.covariance_secondary_m2].map(ellipsoid).filter((one) => one !== null)).map((one) => inside(shown, one));
  if (!shown.explained && round.length && round.every(Boolean)) words.push("At this zoom, the picture lies inside both ellipsoids: they are not drawn.");
  const moved_m = size(record.relative_velocity_m_s) * RANGES_S[0];
  if (moved_m < size(record.secondary_m)) words.push(`So slow an encounter takes minutes or hours: in ${RANGES_S[0]} s ${record.names.secondary} moves by ${fixed(moved_m, 1)} m. The whole passage is under “Relative path”.`);
  if (enlarged) words.push("At this zoom the bodies and their disk are drawn larger than they are.");
  return words.join(" ");
}

function summary(record: EncounterRtn, radii: Radii): string {
  const [r, t, n] = record.secondary_m.map((value) => fixed(value, 1));
  const disk = radii.combined === null ? "" : `, both bodies together ${fixed(radii.combined, 1)} m in radius`;
  return `The encounter in three dimensions: at TCA ${record.names.secondary} is ${r} m radial, ${t} m in-track and ${n} m cross-track from ${record.names.primary}${disk}. ` +
    "Arrow keys turn the picture, plus and minus zoom, space plays.";
}

function whenSeen(place: HTMLElement, signal: AbortSignal, action: () => Promise<void>): void {
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    void action();
  }, { rootMargin: "300px" });
  seen.observe(place);
  signal.addEventListener("abort", () => seen.disconnect(), { once: true });
}

// `signal` is aborted when the event is left, and when another version of it takes the panel's place.
async function build(place: HTMLElement, record: EncounterRtn, radii: Radii, tell: Told, signal: AbortSignal): Promise<Stage | null> {
  const say = (words: string): null => (place.classList.add("no-picture"), replace(place, h("p", { class: "empty" }, words)), null);
  if (!canDraw()) return say(NO_WEBGL);
  place.setAttribute("aria-busy", "true");
  const made = await import("./view").catch((error: unknown) => (console.warn(error), null));
  place.removeAttribute("aria-busy");
  if (signal.aborted) return null;
  if (!made) return say(NOT_LOADED);
  try {
    const built = made.stage(place, record, radii, tell);
    signal.addEventListener("abort", built.dispose, { once: true });
    return built;
  } catch (error) {
    console.warn(error); // a context was to be had a moment ago, and now there are too many
    return say(NO_WEBGL);
  }
}

function canDraw(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

