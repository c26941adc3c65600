// Words of the field, explained where they stand: a word that opens one or two sentences about it.
import "./words.css";
import { h, newId, replace } from "../dom";

const MEANINGS = {
  probability: "How likely it is that the two objects touch, from how close they pass and how uncertain both positions are. It is never more certain than the data behind it.",
  "miss distance": "How far apart the centres of the two objects are at their closest, in metres. Both positions are uncertain, so the true distance may be another.",
  TCA: "Time of closest approach: the instant at which the two objects are nearest to each other, in UTC.",
  covariance: "How uncertain a position is, and in which direction: an ellipsoid around the place where the object most probably is.",
  sigma: "The usual measure of an uncertainty (standard deviation). Along one direction, 68 % of all errors are within 1 sigma and 99.7 % within 3.",
  "hard-body radius": "Radius of a sphere around both objects together: centres that come closer than this count as a collision. It is guessed from the kind of object where no size is published.",
  diluted: "The positions are so uncertain that the probability is small for want of knowledge. Better data may raise it: a low number here is no all-clear.",
  "element set": "The published orbit of an object at one instant (TLE or OMM). Its error grows from hundreds of metres to many kilometres within days.",
  epoch: "The instant that an element set is made for. The longer ago it is, the less certain is the position.",
  RTN: "Directions as seen from an object: radial (up), in-track (along its way, also called transverse) and cross-track (normal to its orbit).",
  radial: "Up and down: along the line from the centre of the Earth to the object. A miss in this direction is the one known best.",
  "in-track": "Along the way that the object flies. Here its position is the least certain.",
  "cross-track": "To the side: along the normal of the object's orbit.",
  "encounter plane": "The plane at a right angle to the relative velocity. A fast encounter passes straight through it, so all that decides about a collision lies in this plane.",
  "Mahalanobis distance": "The miss distance measured in sigmas of its uncertainty. Below about 3 the data do not exclude a collision.",
  "slow encounter": "The two objects stay near each other for minutes or longer, on a path that is not straight. The usual formula of the probability does not hold then.",
  "risk level": "Critical, high, medium or low: what the miss distance and the probability together call for. It says what to look at first, not that a manoeuvre is needed.",
  ephemeris: "The path of an object as its operator plans it, a table of positions over time. It is far better than an element set, and knows about planned manoeuvres.",
  "conjunction data message": "CDM: the standard form in which operators and surveillance networks tell each other of a close approach.",
  "screening volume": "The box or ellipsoid around a satellite within which approaches are looked for.",
  complex: "Objects that are docked to each other and fly as one, such as a station and the vehicles at it. What comes near one of them comes near all.",
  proximity: "Two objects that stay close for a day: docked, in formation, or published with the same orbit. No alarm is raised.",
  "error law": "How far off element sets usually are, by kind of orbit, kind of object and age, measured over many objects. It stands in for a covariance that nobody publishes.",
  manoeuvring: "The object thrusts often or lately. Its element set knows nothing of a burn after its epoch, and may be tens of kilometres off.",
} as const;

export type Word = keyof typeof MEANINGS;
export const WORDS = Object.keys(MEANINGS) as Word[];
export const isWord = (text: string): text is Word => text in MEANINGS;
export const meaning = (word: Word): string => MEANINGS[word];

const GAP_PX = 6;
const EDGE_PX = 8;

// The word, or `text` in its place, as a button: Enter, Space or a click opens what it means, Escape closes it.
// A reader of the screen tells the meaning with the word.
export function term(word: Word, text: string = word): HTMLElement {
  const note = h("span", { popover: "auto", id: newId("meaning"), class: "meaning" });
  const button = h("button", { type: "button", class: "term", popovertarget: note.id, "aria-description": MEANINGS[word] }, text);
  // Filled when opened, so that the text around the word, copied or searched, is that of the page alone.
  note.addEventListener("beforetoggle", (event) => replace(note, (event as ToggleEvent).newState === "open" ? MEANINGS[word] : ""));
  note.addEventListener("toggle", (event) => (event as ToggleEvent).newState === "open" && beside(note, button));
  // In a list that opens its row on a click or a key, the word opens only itself.
  for (const kind of ["click", "keydown"]) button.addEventListener(kind, (event) => event.stopPropagation());
  return h("dfn", { "data-term": word }, button, note);
}

// A line of words, for under a table whose heads have other work.
export const whatIs = (...words: Word[]): (HTMLElement | string)[] => ["What is: ", ...words.flatMap((word, i) => [i ? " · " : "", term(word)]), "?"];

// Below the word, or above it where there is no room below.
function beside(note: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { width, height } = note.getBoundingClientRect();
  const below = at.bottom + GAP_PX + height <= innerHeight;
  note.style.left = `${Math.max(EDGE_PX, Math.min(at.left, innerWidth - width - EDGE_PX))}px`;
  note.style.top = `${Math.max(EDGE_PX, below ? at.bottom + GAP_PX : at.top - GAP_PX - height)}px`;
}
