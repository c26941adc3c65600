// Sliders over the times and sizes that a search computed.
import { field, h } from "../dom";
import { utc } from "../format";
import { placeOf, valueAt } from "./space";
import type { TradeSpace } from "./types";

const SIZE_STEPS = 10; // between two computed sizes

export interface Sliders {
  element: HTMLElement;
  show(space: TradeSpace, before_hours: number, dv_t_m_s: number): void;
}

// Early is left.
export function burnSliders(chosen: (before_hours: number, dv_t_m_s: number) => void): Sliders {
  let shown: TradeSpace | null = null;
  const take = (): void => {
    if (!shown) return;
    const hours = shown.before_tca_hours;
    chosen(hours[hours.length - 1 - time.valueAsNumber] as number, valueAt(shown.dv_t_m_s, size.valueAsNumber / SIZE_STEPS));
  };
  const time = h("input", { type: "range", min: 0, step: 1, oninput: take });
  const size = h("input", { type: "range", min: 0, step: 1, oninput: take });
  const put = (slider: HTMLInputElement, last: number, value: number | null, words: string): void => {
    slider.max = String(last);
    if (value !== null) slider.value = String(Math.round(value));
    slider.setAttribute("aria-valuetext", words);
  };
  return {
    element: h("div", { class: "what-if-sliders", hidden: true }, field("When: early to late", time), field("How much: backwards to forwards", size)),
    show(space, before_hours, dv_t_m_s) {
      shown = space;
      const [hours, sizes] = [space.before_tca_hours, space.dv_t_m_s];
      const [row, column] = [placeOf(hours, before_hours), placeOf(sizes, dv_t_m_s)];
      put(time, hours.length - 1, row === null ? null : hours.length - 1 - row, `${before_hours} hours before TCA${row === null ? "" : `, ${utc(space.at[Math.round(row)] as string)} UTC`}`);
      put(size, SIZE_STEPS * (sizes.length - 1), column === null ? null : SIZE_STEPS * column, `${dv_t_m_s} metres per second along the track`);
    },
  };
}
