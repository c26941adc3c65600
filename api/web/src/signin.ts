// Signing in: the token goes to the service once, which returns a cookie that scripts cannot read.
import * as api from "./api";
import { h, replace } from "./dom";
import { route } from "./route";
import type { SessionState } from "./types";

export const signInView = (reason: string, done: (state: SessionState) => void): HTMLElement =>
  h("main", { class: "sign-in" }, h("div", { class: "sign-in-columns" }, whatThisIs(), signInForm(reason, done)));

// The link that led here, over the way to the provider and back.
const LINK = "skysieve.link";

export function returnToLink(): void {
  const link = sessionStorage.getItem(LINK);
  sessionStorage.removeItem(LINK);
  if (link && !linked()) location.replace(link);
}

// Strangers see this screen only.
const whatThisIs = (): HTMLElement =>
  h("section", { class: "what-this-is", "aria-label": "What this is" },
    h("h1", {}, "skysieve"),
    h("p", { class: "lead" }, "Which satellites come close to each other, how likely a collision is, and whom to contact: for every object of the public catalogue."),
    h("img", { src: "assets/encounter.svg", alt: "Two paths that cross high above the Earth, each in the ellipse of its error, and between them the small disk that means a collision.", width: 420, height: 260 }),
    h("ul", {},
      h("li", {}, "All objects against all, four times a day"),
      h("li", {}, "A probability for every encounter, and how sure it is"),
      h("li", {}, "What earlier warnings came to")));

// Over what is being written, which stays.
export function signInDialog(reason: string): void {
  const dialog = h("dialog", { class: "sign-in sign-in-again", "aria-label": "Sign in again" },
    signInForm(`${reason} What you have written is still here: sign in, and save again.`, () => dialog.remove(), () => dialog.remove()));
  document.body.append(dialog);
  dialog.showModal();
}

// `aside`: this page must stay, so the provider opens in a tab of its own; called when it does.
function signInForm(reason: string, done: (state: SessionState) => void, aside?: () => void): HTMLElement {
  const byProvider = h("p", { hidden: true });
  void api.session().then(({ provider }) => {
    if (!provider) return;
    const leaving = aside ?? ((): void => sessionStorage.setItem(LINK, location.hash));
    const link = { class: "button primary", href: "session/oidc", target: aside ? "_blank" : "_self", onclick: leaving };
    replace(byProvider, h("a", link, `Sign in with ${provider}${aside ? " (another tab)" : ""}`));
    byProvider.hidden = false;
  }, () => undefined); // a token works without it
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
      "form",
      { onsubmit: submit },
      h("h2", {}, "Sign in"),
      linked() ? h("p", { class: "note" }, "The page that the link leads to opens after signing in. Without a token, ask who sent the link for the PDF report.") : null,
      byProvider,
      // For password managers, which store a secret under a name.
      h("input", { type: "text", name: "username", autocomplete: "username", value: "skysieve", hidden: true, "aria-hidden": "true" }),
      h("div", { class: "field" }, h("label", { for: "token" }, "Access token"), token),
      h(
        "small",
        { id: "token-help", class: "help" },
        "Ask the administrator of this service for one. They create it on the server, in the folder of its store: ",
        h("code", {}, "skysieve tokens create --kind bearer --name YOU --role operator"),
      ),
      message,
      button,
  );
}

const linked = (): boolean => route().id !== "";

function explained(error: unknown): string {
  if (!(error instanceof api.ApiError)) return String(error);
  if (error.status === 403) return "That is an API key: it opens positions only. This page needs a token of kind bearer.";
  if (error.status === 401) return `This access token is not accepted: ${error.message}`;
  return error.message;
}
