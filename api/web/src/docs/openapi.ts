// The part of OpenAPI that this service uses, and its schemas in words.

export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  anyOf?: Schema[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  default?: unknown;
  examples?: unknown[];
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
}

type Content = Record<string, { schema?: Schema }>;

export interface Operation {
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
  security?: Record<string, unknown>[];
}

export interface Document {
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

// Follows a reference, and drops the null of a nullable schema.
export function resolved(schema: Schema, document_: Document): Schema {
  const named = schema.$ref?.split("/").pop();
  const other = schema.anyOf?.filter((one) => one.type !== "null") ?? [];
  if (named) return resolved(document_.components.schemas[named] ?? {}, document_);
  return other.length === 1 && other[0] ? { ...schema, anyOf: undefined as never, ...resolved(other[0], document_) } : schema;
}

export const nullable = (schema: Schema): boolean => schema.anyOf?.some((one) => one.type === "null") ?? false;

export function inWords(schema: Schema, document_: Document): string {
  const plain = resolved(schema, document_);
  const words = [kind(plain, document_), limits(plain)].filter(Boolean).join(", ");
  const preset = plain.default ?? schema.default;
  return [words, nullable(schema) && "or null", preset !== undefined && preset !== null && `default ${JSON.stringify(preset)}`]
    .filter(Boolean)
    .join("; ");
}

function kind(schema: Schema, document_: Document): string {
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === "array") return `list of ${schema.items ? kind(resolved(schema.items, document_), document_) : "anything"}`;
  if (schema.format === "date-time") return "time";
  return schema.type ?? "anything";
}

function limits(schema: Schema): string {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, maxItems } = schema;
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  return [
    minimum !== undefined && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    maximum !== undefined && `at most ${maximum}`,
    minLength !== undefined && `${minLength} characters or more`,
    maxLength !== undefined && `up to ${maxLength} characters`,
    maxItems !== undefined && `up to ${maxItems}`,
  ]
    .filter(Boolean)
    .join(", ");
}
