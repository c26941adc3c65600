// A pasted list of catalogue numbers; the last one is kept in this browser.
import { h, replace } from "../dom";
import { count } from "../format";
import { MAX_FLEET, numbersIn } from "./conditions";

const KEY = "skysieve-fleet";

export interface FleetDialog {
  element: HTMLDialogElement;
  open(numbers: readonly number[]): void;
}

export function fleetDialog(chosen: (numbers: number[]) => void): FleetDialog {
  const text = h("textarea", { id: "fleet-numbers", rows: 8, spellcheck: "false", "aria-describedby": "fleet-said" });
  const said = h("p", { id: "fleet-said", class: "help", role: "status" });
  const use = h("button", { type: "submit", class: "primary" }, "Show their events");
  const check = (): number[] => {
    const { numbers, strange } = numbersIn(text.value);
    const tooMany = numbers.length > MAX_FLEET;
    replace(
      said,
      `${count(numbers.length)} satellites`,
      strange.length ? `; not numbers, left out: ${strange.slice(0, 5).join(", ")}${strange.length > 5 ? ", …" : ""}` : "",
      tooMany ? `; at most ${count(MAX_FLEET)} at once` : "",
    );
    use.disabled = !numbers.length || tooMany;
    return numbers;
  };
  text.addEventListener("input", check);
  const submit = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
    const numbers = check();
    localStorage.setItem(KEY, numbers.join(" "));
    element.close();
    chosen(numbers);
  };
  const element = h(
    "dialog",
    { "aria-labelledby": "fleet-title" },
    h(
      "div",
      {},
      h("h2", { id: "fleet-title" }, "Fleet"),
      h("label", { for: "fleet-numbers" }, "Catalogue numbers, separated by anything"),
      text,
      said,
      h("div", { class: "buttons" }, use, h("button", { type: "button", onclick: () => element.close() }, "Cancel")),
    ),
  );
  use.type = "button";
  use.addEventListener("click", submit);
  return {
    element,
    open(numbers) {
      text.value = numbers.length ? numbers.join("\n") : (localStorage.getItem(KEY) ?? "").replaceAll(" ", "\n");
      check();
      element.showModal();
    },
  };
}
