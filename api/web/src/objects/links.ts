// Where else to read about an object: public catalogues, by its number.
import { h } from "../dom";

interface Elsewhere {
  name: string;
  title: string;
  address(number: number): string;
}

const ELSEWHERE: readonly Elsewhere[] = [
  { name: "CelesTrak", title: "its newest public element set", address: (number) => `https://celestrak.org/NORAD/elements/gp.php?CATNR=${number}&FORMAT=TLE` },
  { name: "SATCAT", title: "owner, launch, status and decay in CelesTrak's satellite catalogue", address: (number) => `https://celestrak.org/satcat/table-satcat.php?CATNR=${number}` },
  { name: "Space-Track", title: "its element set at Space-Track, which needs an account there", address: (number) => `https://www.space-track.org/basicspacedata/query/class/gp/NORAD_CAT_ID/${number}/format/html` },
];

// They open in a tab of their own, which learns nothing of this page.
export const objectLinks = (number: number, name = ""): HTMLElement =>
  h(
    "span",
    { class: "elsewhere", role: "group", "aria-label": `${name || number} elsewhere` },
    ELSEWHERE.map((place) =>
      h("a", { href: place.address(number), target: "_blank", rel: "noopener noreferrer", title: `${number}: ${place.title}` }, place.name, h("span", { class: "visually-hidden" }, ` on ${number}, in a new tab`))),
  );
