// What is requested from the service only once a reader opens it.
import * as api from "./api";
import { h, replace } from "./dom";

export function disclosure<Answer>(part: string, title: string, address: string, shown: (found: Answer) => (HTMLElement | null)[]): HTMLElement {
  const body = h("div", { class: `${part}-disclosed` });
  let asked = false;
  const load = async (): Promise<void> => {
    if (asked || !element.open) return;
    asked = true;
    replace(body, h("p", { class: "loading" }, "Loading…"));
    try {
      replace(body, ...shown(await api.json<Answer>(address)));
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      asked = false; // opening it again asks again
      replace(body, h("p", { class: "form-message", role: "alert" }, error.message));
    }
  };
  const element = h("details", { "data-part": part, ontoggle: () => void load() }, h("summary", {}, title), body);
  return element;
}
