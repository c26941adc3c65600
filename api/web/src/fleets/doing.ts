// What a button or a form does at the service: it waits, and a refusal is shown in the service's words.
import * as api from "../api";
import type { Context } from "../context";
import { h, replace } from "../dom";
import { failure } from "../shell";

export interface Told {
  element: HTMLElement;
  clear(): void;
  // Returns whether it was done.
  during(button: HTMLButtonElement | null, action: () => Promise<void>): Promise<boolean>;
}

export function told(context: Context): Told {
  const element = h("p", { class: "form-message", role: "alert" });
  return {
    element,
    clear: () => replace(element),
    async during(button, action) {
      replace(element);
      if (button) button.disabled = true;
      try {
        await action();
        return true;
      } catch (error) {
        if (!(error instanceof api.ApiError)) throw error;
        if (error.status === 401) context.failed(error);
        else replace(element, error.message);
        return false;
      } finally {
        if (button) button.disabled = false;
      }
    },
  };
}

// Fill a place with what is read, or with why it cannot be.
export async function filled(
  place: HTMLElement,
  context: Context,
  read: () => Promise<HTMLElement>,
  again = (): void => void filled(place, context, read),
): Promise<void> {
  if (!place.childElementCount) replace(place, h("p", { class: "loading" }, "Loading…"));
  try {
    replace(place, await read());
  } catch (error) {
    if (error instanceof api.ApiError && error.status === 401) context.failed(error);
    else replace(place, failure(error, again));
  }
}

// Where something would be changed: nothing is, with a credential that only reads.
export const onlyReads = (context: Context): HTMLElement | null =>
  context.readOnly
    ? h("p", { class: "note", "data-part": "only-reads" }, `You are signed in with “${context.name}”, which can only read, so everything that would change something is disabled. The administrator can give you one that can write.`)
    : null;

// Controls that change something, as a group.
export const writing = (context: Context, ...controls: (HTMLElement | null)[]): HTMLElement =>
  h("fieldset", { class: "writing", disabled: context.readOnly }, controls);

// A button that does something that cannot be undone: it asks first.
export function sureButton(label: string, question: string, action: (button: HTMLButtonElement) => void): HTMLButtonElement {
  const button = h("button", { type: "button", onclick: () => window.confirm(question) && action(button) }, label);
  return button;
}
