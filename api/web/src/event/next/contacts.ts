// Which fleet's contact answers for an object: the same as in storage/fleets/contacts.py.
import type { ListedFleet } from "../../generated";

// Of several the first made that has it by its number, else the first whose pattern fits its name.
export function contactOf(fleets: ListedFleet[], number: number, name: string): ListedFleet | null {
  const asked = [...fleets].sort((a, b) => a.id - b.id).filter((fleet) => fleet.contact);
  return asked.find((fleet) => fleet.objects.some((one) => one.norad_id === number)) ?? asked.find((fleet) => fleet.name_pattern && fits(fleet.name_pattern, name)) ?? null;
}

// A pattern of names with * ? [a-z] [!a-z], whatever their case, as Python's fnmatch has it.
export function fits(pattern: string, name: string): boolean {
  const parts = pattern.match(/\[!?\]?[^\]]*\]|[\s\S]/g) ?? [];
  const text = parts.map((part) => {
    if (part === "*") return "[\\s\\S]*";
    if (part === "?") return "[\\s\\S]";
    if (part.length > 1) return `[${part.slice(1, -1).replace(/\\/g, "\\\\").replace(/\]/g, "\\]").replace(/\[/g, "\\[").replace(/^\^/, "\\^").replace(/^!/, "^")}]`;
    return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  try {
    return new RegExp(`^${text.join("")}$`, "i").test(name);
  } catch {
    return false; // a range from later to earlier, as [z-a], holds no letter
  }
}
