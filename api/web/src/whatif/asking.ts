// Questions to the service that take seconds.
import * as api from "../api";
import type { Context } from "../context";
import { h, replace } from "../dom";
import type { From } from "../route";
import type { Progress, Question, WhatIf } from "./types";

export interface Asking {
  ask(id: number, question: Question, words: string): Promise<WhatIf | null>; // null: refused, stopped or overtaken
  end(words: string): void;
  told: HTMLElement;
  bar: HTMLProgressElement;
  stop: HTMLButtonElement;
}

// One question at a time: a new one ends the one before. A refusal is shown in the service's words.
export function asking(from: From, ended: AbortSignal, context: Context): Asking {
  let underWay: AbortController | null = null;
  const told = h("p", { class: "help", role: "status" });
  const bar = h("progress", { hidden: true, "aria-label": "Progress of the answer" });
  const stop = h("button", { type: "button", hidden: true, onclick: () => end("Stopped.") }, "Stop");
  const end = (words: string): void => {
    underWay?.abort();
    underWay = null;
    stop.hidden = bar.hidden = true;
    replace(told, words);
  };
  const ask = async (id: number, question: Question, words: string): Promise<WhatIf | null> => {
    underWay?.abort();
    const mine = new AbortController();
    underWay = mine;
    stop.hidden = bar.hidden = false;
    bar.removeAttribute("value"); // until its turn comes it moves without an end
    replace(told, `${words}: waiting for its turn…`);
    told.scrollIntoView({ block: "nearest" }); // the button may be far from it
    const show = (step: Progress): void => {
      if (underWay !== mine) return;
      [bar.max, bar.value] = [step.of, step.done];
      replace(told, `${words}: ${step.words} (step ${step.done + 1} of ${step.of})…`);
    };
    try {
      const made = await api.whatIf(id, from, question, AbortSignal.any([mine.signal, ended]), show);
      if (underWay !== mine) return null;
      end("");
      return made;
    } catch (error) {
      if (mine.signal.aborted || ended.aborted) return null;
      if (!(error instanceof api.ApiError)) throw error;
      end("");
      if (error.status === 401) context.failed(error);
      else {
        replace(told, h("span", { class: "form-message" }, error.message));
        told.scrollIntoView({ block: "nearest" });
      }
      return null;
    }
  };
  return { ask, end, told, bar, stop };
}
