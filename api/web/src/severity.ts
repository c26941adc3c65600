// What a collision would leave, as a mark beside probabilities; the service has the sentence.
import { h } from "./dom";
import { count, NOTHING } from "./format";
import type { Conjunction } from "./types";

type Left = Pick<Conjunction, "catastrophic" | "fragments_10cm">;

export const SHATTERS = "✸";
const UNKNOWN = "The outcome of a collision is unknown.";

const twoDigits = (pieces: number): number => Number(pieces.toPrecision(2));

// "✸ 1,200" where it would shatter both, "12" where not; what it means on hover and for a reader of the screen. `unit`
// follows a number where no head says what it is.
export function severity(event: Left, unit = ""): HTMLElement {
  const { catastrophic, fragments_10cm: pieces } = event;
  const isKnown = catastrophic !== null && pieces !== null;
  const shown = !isKnown ? NOTHING : `${catastrophic ? `${SHATTERS} ` : ""}${twoDigits(pieces) >= 1 ? count(twoDigits(pieces)) : "< 1"}`;
  const meaning = isKnown ? `${shown.replace(`${SHATTERS} `, "")} pieces of 10 cm or more after a collision${catastrophic ? ", which shatters both" : ""}` : UNKNOWN;
  return h(
    "span",
    { class: `severity${catastrophic ? " shatters" : ""}`, title: meaning },
    h("data", { value: isKnown ? pieces : "", "data-field": "fragments_10cm", class: isKnown ? null : "none", "aria-hidden": "true" }, shown, isKnown && unit ? h("span", { class: "unit" }, ` ${unit}`) : null),
    h("span", { class: "visually-hidden" }, meaning),
  );
}

// Whose the published sizes, masses and owners are, which their licence asks to say; as SIZES_FROM of screening/vocabulary.py.
export const sizesFrom = (): HTMLElement => {
  const away = { target: "_blank", rel: "noopener noreferrer" };
  return h("span", { class: "sizes-from" }, "Sizes, masses and owners: J. McDowell, ",
    h("a", { ...away, href: "https://planet4589.org/space/gcat" }, "GCAT"), ", ",
    h("a", { ...away, href: "https://creativecommons.org/licenses/by/4.0/" }, "CC BY 4.0"));
};
