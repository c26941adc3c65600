// An event in a few sentences, for readers who have never seen one: those of the report (api/report/summary.py).
import { h } from "../../dom";
import { datum, fixed, odds } from "../../format";
import { bestProbability, diluted, inPlane, nearLevel, probabilityBadge, probabilityLevel, told } from "../../levels";
import { chanceParts, GUESSED_RADII } from "../../marks";
import { collisionWords } from "../../severity";
import { trajectoryWords } from "../../trajectories";
import { UNKNOWN, type Conjunction, type ConjunctionWithHistory, type EventObject, type Geometry } from "../../types";
import { distance, instant, minute, speed, threeDigits } from "../words";
import { aroundBoth } from "../sensitivity";
import { howSure } from "./certainty";
import { changed } from "./changed";

export type Words = (HTMLElement | string)[];

const FLAGS: Record<string, string> = {
  slow: "their relative motion curves as they pass",
  long: "the passage takes too large a part of a revolution",
  curved: "their errors follow the curve of the orbits",
  non_positive_definite: "a covariance is not positive definite",
};

const ADVICE =
  "No number here alone justifies a manoeuvre: ask the object's operator, the 18th and 19th Space Defense Squadrons " +
  "(through Space-Track), TraCSS or EU SST for a message with measured covariances.";

// What happens, how likely a collision is, how good the data are, and the limits. Without the geometry, less.
export function sentences(event: ConjunctionWithHistory, geometry: Geometry | null): HTMLElement {
  const all: [string, Words][] = [
    ["encounter", encounter(event, geometry)],
    ["chance", chance(event)],
    ["consequence", consequence(event, geometry)],
    ["sure", geometry ? howSure(event, geometry) : []],
    ["quality", geometry ? quality(event, geometry) : []],
    ["changed", changed(event)],
    ["caution", geometry ? caution(event, geometry) : []],
  ];
  return h(
    "section",
    { class: "panel told", "aria-label": "In words" },
    all.filter(([, words]) => words.length).map(([kind, words]) => h("p", { "data-told": kind }, words)),
  );
}

function encounter(event: Conjunction, geometry: Geometry | null): Words {
  const time = h("time", { datetime: event.tca }, instant(event.tca));
  const start: Words = ["At ", time, " UTC the two pass ", datum("miss_distance_m", event.miss_distance_m, distance), " apart"];
  const { approach_angle_deg: angle, place } = geometry ?? { approach_angle_deg: null, place: null };
  if (angle === null || !place) return [...start, `.${told(event) ? ` ${whoSays(event)}` : ""}`];
  const way: Words = angle > 150 ? ["head-on"] : angle < 30 ? ["flying nearly the same way"] : ["crossing at ", datum("approach_angle_deg", angle, (v) => `${fixed(v, 0)}°`)];
  return [
    ...start, ", ", ...way, ", with ", datum("relative_speed_m_s", event.relative_speed_m_s, speed), " between them, ",
    datum("place.altitude_km", place.altitude_km, (v) => `${fixed(v, 0)} km`), ` above the Earth.${told(event) ? ` ${whoSays(event)}` : ""}`,
  ];
}

const whoSays = (event: Conjunction): string => `No run has this encounter: a received message tells it${event.relative_speed_m_s === null ? ", and has no states" : ""}.`;

function chance(event: Conjunction): Words {
  const p = bestProbability(event);
  if (p === null) {
    const flags = (event.probability_flag ?? "").split(" ").filter(Boolean).map((flag) => FLAGS[flag] ?? flag);
    const why = flags.length ? flags.join(", and ") : told(event) ? "the message tells too little" : "the event has not been rated";
    return [`No collision probability could be computed: ${why}. `, ...level(event)];
  }
  const said = odds(p);
  return [
    "The collision probability is ", ...chanceParts(event, threeDigits), said ? h("strong", { class: "odds" }, ` (${said})`) : "",
    ". ", ...level(event),
  ];
}

// What the sizes allow at most, and what a collision would leave.
function consequence(event: Conjunction, geometry: Geometry | null): Words {
  const curve = geometry?.probability_against_radius ?? null;
  const around = curve && aroundBoth(curve);
  return [
    ...(around ? ["With the spheres around both, ", datum("probability_against_radius.bounding_radius_m", around.radius_m, distance), ", it would be at most ",
      datum("probability_against_radius.probability_bounding", around.probability, threeDigits), ". "] : []),
    collisionWords(event),
  ];
}

function level(event: Conjunction): Words {
  const close = nearLevel(event);
  const near = close ? ` The miss alone would make it ${close}.` : "";
  if (probabilityLevel(event) === UNKNOWN) return [`So its level is unknown, which does not mean low.${near}`];
  return ["By its probability the level is ", probabilityBadge(event), `.${near}`];
}

function quality(event: Conjunction, geometry: Geometry): Words {
  const said = paths(event, geometry);
  if (diluted(event))
    said.push(" The probability is diluted: were the errors smaller and the miss the same, it would be larger, at its peak ",
      datum("probability_max", event.probability_max, threeDigits), ". Better data also move the miss, mostly away.");
  else if (event.diluted !== null && inPlane(event))
    said.push(" The probability is not diluted: the errors are small enough compared with the miss for the number to be meaningful.");
  return said;
}

const hours = (who: string, object: EventObject): HTMLElement | string => (object.age_hours === null ? "–" : datum(`objects.${who}.age_hours`, object.age_hours, (v) => fixed(v, 0)));

// By what both fly, and how old that is.
function paths(event: Conjunction, { objects }: Geometry): Words {
  if (told(event)) return [];
  const sides = [["primary", objects.primary], ["secondary", objects.secondary]] as const;
  if (!sides.some(([, one]) => one.trajectory === "ephemeris")) {
    const fitted = sides.filter(([, one]) => one.trajectory === "supgp").map(([, one]) => one.name.trim());
    const which = fitted.length ? ` That of ${fitted.join(" and of ")} is fitted to its operator's ephemeris.` : "";
    return ["The element sets are then ", hours("primary", objects.primary), " h and ", hours("secondary", objects.secondary), ` h old.${which}`];
  }
  return sides.flatMap(([who, one], i): Words => {
    const [space, name, words] = [i ? " " : "", one.name.trim(), trajectoryWords(one.trajectory)];
    if (one.trajectory !== "ephemeris") return [`${space}The ${words} of ${name} is then `, hours(who, one), " h old."];
    const which = one.trajectory_id ? `${one.trajectory_id}, added ${one.trajectory_added ? `${minute(one.trajectory_added)} UTC` : "–"}` : "no longer in the store";
    const errors = one.covariance_source === "trajectory" ? "the operator's covariance" : "no covariance";
    return [`${space}${name} is on its ${words} (${which}; ${errors}).`];
  });
}

function caution(event: Conjunction, { objects }: Geometry): Words {
  const sides = [objects.primary, objects.secondary];
  if (!sides.some((one) => one.covariance_source === "default") || bestProbability(event) === null) return [ADVICE];
  const sizes = GUESSED_RADII.includes(event.hard_body_source ?? "") ? " and on radii guessed from the kind of object" : "";
  const thrusting = sides.filter((one) => one.manoeuvring).map((one) => one.name.trim());
  const where = thrusting.length ? ` The element set of ${thrusting.join(" and of ")}, which thrusts often or lately, may be tens of kilometres off.` : "";
  return [`The probability rests on measured errors of other element sets${sizes}.${where} ${ADVICE}`];
}
