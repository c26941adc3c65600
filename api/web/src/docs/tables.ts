// Texts, parameters and fields of the OpenAPI document as elements.
import { h } from "../dom";
import { inWords, resolved, type Document, type Parameter, type Schema } from "./openapi";

// Paragraphs, and `code` between backticks.
export function prose(text: string): HTMLElement {
  const words = (paragraph: string): (Node | string)[] =>
    paragraph.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
  return h("div", { class: "prose" }, text.split(/\n\s*\n/).map((paragraph) => h("p", {}, words(paragraph))));
}

export function parameters(all: Parameter[], document_: Document): HTMLElement {
  return table(
    ["Parameter", "Values", "What it says"],
    all.map(({ name, in: place, required, description, schema }) => [
      h("th", { scope: "row" }, h("code", {}, name), h("small", {}, ` ${place}${required ? ", required" : ""}`)),
      h("td", {}, inWords(schema, document_)),
      h("td", {}, prose(description ?? schema.description ?? "")),
    ]),
  );
}

export function properties(schema: Schema, document_: Document): HTMLElement {
  const named = Object.entries(resolved(schema, document_).properties ?? {});
  if (!named.length) return h("p", { class: "note" }, inWords(schema, document_));
  return table(
    ["Field", "Values", "What it says"],
    named.map(([name, field]) => [
      h("th", { scope: "row" }, h("code", {}, name)),
      h("td", {}, inWords(field, document_)),
      h("td", {}, prose(field.description ?? ""), inner(field, document_)),
    ]),
  );
}

// The fields of a field, drawn when first opened.
function inner(field: Schema, document_: Document): HTMLElement | null {
  const plain = resolved(field, document_);
  const shape = plain.items ? resolved(plain.items, document_) : plain;
  if (!shape.properties) return null;
  const element = h(
    "details",
    { ontoggle: () => element.children.length === 1 && element.append(properties(shape, document_)) },
    h("summary", {}, `${Object.keys(shape.properties).length} fields`),
  );
  return element;
}

function table(heads: string[], rows: HTMLElement[][]): HTMLElement {
  return h(
    "div",
    { class: "scroll-x", tabindex: "0", role: "region", "aria-label": heads[0] },
    h(
      "table",
      { class: "plain" },
      h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, rows.map((cells) => h("tr", {}, cells))),
    ),
  );
}
