// Conditions of the list: in the page's address, and in requests to the service.
import { numbersIn } from "../numbers";
import { LEVELS, PROBABILITY_LEVELS } from "../types";

export const ORDERS = ["risk", "tca", "miss_distance", "probability", "fragments"] as const;

// Names in the address: level (by the probability), risk (the mission's, which runs count: links from such numbers have it), norad (numbers with commas), owner, fleet (its id), from, to, miss (m), p, complexes (rows: all of them), restricted (true: these too), order.
export function asked(address: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  // Invalid values, which only a link can have, are refused by the service with a reason.
  for (const level of words(address, "level")) query.append("probability_level", level);
  for (const level of words(address, "risk")) query.append("risk_level", level);
  const { numbers, strange } = numbersIn(address.get("norad") ?? "");
  if (numbers.length || strange.length) query.set("norad_id", [...numbers, ...strange].join(","));
  const same: [string, string][] = [
    ["owner", "owner"],
    ["fleet", "fleet"],
    ["from", "tca_from"],
    ["to", "tca_to"],
    ["miss", "max_miss_m"],
    ["p", "min_probability"],
  ];
  for (const [name, parameter] of same) {
    const value = address.get(name);
    if (value) query.set(parameter, name === "from" || name === "to" ? instant(value) : value);
  }
  if (withRestricted(address)) query.set("restricted", "true");
  if (collapsed(address)) query.set("complexes", "collapse");
  const order = address.get("order");
  if (order && order !== "risk") query.set("order", order);
  return query;
}

// A day begins at its midnight.
const instant = (text: string): string => `${text.length <= 10 ? `${text}T00:00` : text.replace(" ", "T")}Z`;

const words = (address: URLSearchParams, name: string): string[] => (address.get(name) ?? "").split(",").filter(Boolean);

export const levels = (address: URLSearchParams): string[] => PROBABILITY_LEVELS.filter((level) => words(address, "level").includes(level));

export const risks = (address: URLSearchParams): string[] => LEVELS.filter((level) => words(address, "risk").includes(level));

export const satellites = (address: URLSearchParams): number[] => numbersIn(address.get("norad") ?? "").numbers;

// Objects docked to each other are told by one row, unless the address says otherwise.
export const collapsed = (address: URLSearchParams): boolean => address.get("complexes") !== "rows";

// What only messages tell that must not be handed on is shown only if the address says so.
export const withRestricted = (address: URLSearchParams): boolean => address.get("restricted") === "true";
