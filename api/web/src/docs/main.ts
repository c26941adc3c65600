// The documentation of the HTTP service, drawn from its own OpenAPI document, with trial requests.
import "../style.css";
import "./docs.css";
import { field, h, replace } from "../dom";
import { applyTheme, followSystem, themeControl } from "../theme";
import type { Document, Operation } from "./openapi";
import { prose, properties, parameters } from "./tables";
import { trial, type Credentials } from "./trial";

const app = document.getElementById("app") as HTMLElement;

// Kept only by this tab, and gone with it.
const credentials: Credentials = { bearer: secret(), apiKey: secret() };

function secret(): HTMLInputElement {
  return h("input", { type: "password", autocomplete: "off", spellcheck: "false" });
}

function page(document_: Document): HTMLElement {
  const operations = Object.entries(document_.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return h(
    "main",
    { class: "docs page" },
    h("div", { class: "docs-top" }, h("h1", {}, `${document_.info.title} ${document_.info.version}`), themeControl()),
    prose(document_.info.description),
    h("p", {}, h("a", { href: "openapi.json" }, "openapi.json"), " is the same for programs; ", h("a", { href: "." }, "the page"), " is for people."),
    h(
      "section",
      { class: "panel docs-credentials", "aria-label": "Credentials" },
      field("Bearer token, for events and analyses", credentials.bearer),
      field("API key, for positions", credentials.apiKey),
      h("p", { class: "note" }, "Used for trial requests while this tab is open. Without them a GET uses the page's session, if you are signed in."),
    ),
    operations.map(({ method, path, operation }) => described(method, path, operation, document_)),
  );
}

// Drawn when first opened: some answers have hundreds of fields.
function described(method: string, path: string, operation: Operation, document_: Document): HTMLElement {
  const body = h("div", { class: "docs-body" });
  const draw = (): void => {
    if (!element.open || body.firstChild) return;
    const sent = operation.requestBody?.content["application/json"]?.schema;
    replace(
      body,
      prose(operation.description),
      operation.parameters?.length ? [h("h3", {}, "Parameters"), parameters(operation.parameters, document_)] : null,
      sent ? [h("h3", {}, "Body"), properties(sent, document_)] : null,
      answers(operation, document_),
      h("h3", {}, "Try it out"),
      trial(method, path, operation, document_, credentials),
    );
  };
  const element = h(
    "details",
    { class: "panel operation", ontoggle: draw },
    h(
      "summary",
      {},
      h("h2", {}, h("span", { class: "method" }, method), " ", h("code", {}, path)),
      h("span", { class: "note" }, operation.summary),
      h("span", { class: "note needs" }, needs(operation)),
    ),
    body,
  );
  return element;
}

function needs(operation: Operation): string {
  const name = Object.keys(operation.security?.[0] ?? {})[0];
  return name === undefined ? "open to all" : name === "bearer" ? "bearer token" : "API key";
}

function answers(operation: Operation, document_: Document): HTMLElement[] {
  return [
    h("h3", {}, "Answers"),
    ...Object.entries(operation.responses).map(([status, { description, content }]) => {
      const kinds = Object.keys(content ?? {});
      const schema = content?.["application/json"]?.schema;
      const line = [h("strong", {}, status), ` ${description} `, h("span", { class: "note" }, kinds.join(", "))];
      return schema ? h("div", {}, h("p", {}, line), properties(schema, document_)) : h("p", {}, line);
    }),
  ];
}

async function begin(): Promise<void> {
  try {
    const answer = await fetch("openapi.json");
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    replace(app, page((await answer.json()) as Document));
  } catch (error) {
    replace(app, h("main", { class: "failure", role: "alert" }, `The description of the service cannot be read (${String(error)}).`));
  }
}

applyTheme();
followSystem();
void begin();
