import { COMPONENTS, MEMBERS } from "./values.ts";

/** A schema of the document: JSON Schema 2020-12, with the `example` of OpenAPI. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  minimum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}

export type Schemas = Record<string, Schema>;

const COMPONENT = "#/components/schemas/";
const INSTANT = "2026-11-21T12:00:00.000Z";
const DAY = "2026-11-21";

/** The name of the component that a schema refers to; null if it is none. */
export function componentOf({ $ref }: Schema): string | null {
  return $ref?.startsWith(COMPONENT) === true ? $ref.slice(COMPONENT.length) : null;
}

/**
 * A value of the schema: its own example, or one put together from those of its parts. `name` is the member that
 * holds it, which tells more than a type.
 */
export function exampleOf(schema: Schema, schemas: Schemas, name = ""): unknown {
  const component = componentOf(schema);
  if (component !== null) {
    return COMPONENTS[component] ?? exampleOf(schemas[component] ?? {}, schemas, name);
  }
  if ("example" in schema) return schema.example;
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (name in MEMBERS && schema.properties === undefined) return MEMBERS[name];
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, schemas, name)));
  }
  const [choice] = schema.oneOf ?? schema.anyOf ?? [];
  return choice === undefined
    ? exampleOfType(schema, schemas, name)
    : exampleOf(choice, schemas, name);
}

function exampleOfType(schema: Schema, schemas: Schemas, name: string): unknown {
  const { properties = {}, items } = schema;
  const [type = "object"] = [schema.type].flat();
  switch (type) {
    case "object": {
      return Object.fromEntries(
        Object.entries(properties).map(([key, part]) => [key, exampleOf(part, schemas, key)]),
      );
    }
    case "array":
      return items === undefined ? [] : [exampleOf(items, schemas, name)];
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return false;
    case "string":
      return exampleText(schema);
    default:
      return null;
  }
}

/** A nullable text without an example is null. */
function exampleText({ type, format }: Schema): string | null {
  if (Array.isArray(type)) return null;
  if (format === "date-time") return INSTANT;
  return format === "date" ? DAY : "text";
}
