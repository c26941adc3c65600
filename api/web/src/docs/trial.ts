// A trial request to the service, and its answer.
import { field, h, replace } from "../dom";
import { resolved, type Document, type Operation, type Parameter } from "./openapi";

const LONGEST_SHOWN = 20_000; // characters
const TOLD = ["content-type", "ratelimit", "retry-after", "x-request-id"];

export interface Credentials {
  bearer: HTMLInputElement;
  apiKey: HTMLInputElement;
}

export function trial(
  method: string,
  path: string,
  operation: Operation,
  document_: Document,
  credentials: Credentials,
): HTMLElement {
  const inputs = (operation.parameters ?? []).map((parameter) => ({ parameter, input: inputOf(parameter, document_) }));
  const body = operation.requestBody ? h("textarea", { rows: "5", spellcheck: "false" }, exampleBody(operation, document_)) : null;
  const kinds = Object.keys(operation.responses["200"]?.content ?? {});
  const accept = kinds.length > 1 ? h("select", {}, kinds.map((kind) => h("option", { value: kind }, kind))) : null;
  const shown = h("div", { class: "docs-answer", "aria-live": "polite" });
  const button = h("button", { class: "primary", type: "submit" }, "Send");

  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    button.disabled = true;
    const url = address(path, inputs);
    const headers = new Headers(accept ? { Accept: accept.value } : {});
    for (const { parameter, input } of inputs) if (parameter.in === "header" && input.value) headers.set(parameter.name, input.value);
    if (body) headers.set("Content-Type", "application/json");
    const scheme = Object.keys(operation.security?.[0] ?? {})[0];
    try {
      if (scheme === "bearer" && credentials.bearer.value) headers.set("Authorization", `Bearer ${credentials.bearer.value.trim()}`);
      if (scheme === "apiKey" && credentials.apiKey.value) headers.set("X-API-Key", credentials.apiKey.value.trim());
      const answer = await fetch(url, { method, headers, body: body?.value ?? null });
      replace(shown, h("p", {}, h("strong", {}, `${answer.status} ${answer.statusText}`), ` ${method} ${answer.url}`), told(answer.headers), await content(answer));
    } catch (error) {
      replace(shown, h("p", { class: "form-message" }, `No answer: ${String(error)}`));
    } finally {
      button.disabled = false;
    }
  };

  return h(
    "form",
    { class: "trial", onsubmit: send },
    h("div", { class: "trial-fields" }, inputs.map(({ parameter, input }) => field(parameter.name, input)), accept && field("Accept", accept)),
    body && field("Body", body),
    h("div", { class: "buttons" }, button),
    shown,
  );
}

function inputOf(parameter: Parameter, document_: Document): HTMLInputElement {
  const plain = resolved(parameter.schema, document_);
  const example = [plain.examples?.[0] ?? parameter.schema.examples?.[0]].flat()[0] ?? "";
  const value = parameter.required ? String(example || "1") : "";
  const placeholder = plain.type === "array" ? `${example}, several: with commas` : String(example);
  return h("input", { type: "text", value, placeholder, spellcheck: "false", required: parameter.required });
}

function address(path: string, inputs: { parameter: Parameter; input: HTMLInputElement }[]): string {
  const query = new URLSearchParams();
  let url = path.slice(1); // below <base>
  for (const { parameter, input } of inputs) {
    const value = input.value.trim();
    if (parameter.in === "path") url = url.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (parameter.in === "query" && value) {
      const several = parameter.schema.type === "array" || parameter.schema.anyOf?.some((one) => one.type === "array");
      for (const one of several ? value.split(",") : [value]) query.append(parameter.name, one.trim());
    }
  }
  return query.size ? `${url}?${query}` : url;
}

function exampleBody(operation: Operation, document_: Document): string {
  const schema = operation.requestBody?.content["application/json"]?.schema ?? {};
  const fields = Object.entries(resolved(schema, document_).properties ?? {});
  return JSON.stringify(Object.fromEntries(fields.map(([name, one]) => [name, one.examples?.[0] ?? one.default ?? null])), null, 2);
}

function told(headers: Headers): HTMLElement {
  const found = TOLD.filter((name) => headers.has(name)).map((name) => `${name}: ${headers.get(name)}`);
  return h("p", { class: "note" }, found.join(" · "));
}

async function content(answer: Response): Promise<HTMLElement | null> {
  if (answer.headers.get("Content-Type")?.includes("octet-stream")) {
    return h("p", {}, `${(await answer.arrayBuffer()).byteLength} bytes of numbers`);
  }
  const text = await answer.text();
  if (!text) return null;
  const json = answer.headers.get("Content-Type")?.includes("json") && text.length <= LONGEST_SHOWN;
  const written = json ? JSON.stringify(JSON.parse(text), null, 2) : text;
  const cut = written.length > LONGEST_SHOWN;
  return h(
    "div",
    {},
    h("pre", { tabindex: "0", role: "region", "aria-label": "Answer" }, written.slice(0, LONGEST_SHOWN)),
    cut && h("p", { class: "note" }, `The first ${LONGEST_SHOWN} of ${written.length} characters.`),
  );
}
