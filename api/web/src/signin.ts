// Signing in: the token goes to the service once, which returns a cookie that scripts cannot read.
import * as api from "./api";
import { h, replace } from "./dom";
import type { SessionState } from "./types";

export function signInView(reason: string, done: (state: SessionState) => void): HTMLElement {
  const message = h("p", { class: "form-message", role: "alert" }, reason);
  const token = h("input", {
    id: "token",
    type: "password",
    name: "token",
    autocomplete: "current-password",
    required: true,
    spellcheck: "false",
    "aria-describedby": "token-help",
  });
  const button = h("button", { class: "primary", type: "submit" }, "Sign in");

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    button.disabled = true;
    replace(message);
    try {
      done(await api.signIn(token.value.trim()));
    } catch (error) {
      replace(message, explained(error));
      token.setAttribute("aria-invalid", "true");
      token.select();
    } finally {
      button.disabled = false;
    }
  };

  return h(
    "main",
    { class: "sign-in" },
    h(
      "form",
      { onsubmit: submit },
      h("h1", {}, "skysieve"),
      h("p", { class: "lead" }, "Close approaches of the public satellite catalogue."),
      // For password managers, which store a secret under a name.
      h("input", { type: "text", name: "username", autocomplete: "username", value: "skysieve", hidden: true, "aria-hidden": "true" }),
      h("div", { class: "field" }, h("label", { for: "token" }, "Bearer token"), token),
      h(
        "small",
        { id: "token-help", class: "help" },
        "Create one on the server: ",
        h("code", {}, "skysieve tokens create --kind bearer --name NAME"),
      ),
      message,
      button,
    ),
  );
}

function explained(error: unknown): string {
  if (!(error instanceof api.ApiError)) return String(error);
  if (error.status === 403) return "That is an API key: it opens positions only. This page needs a bearer token.";
  return error.message;
}
