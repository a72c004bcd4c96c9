import { sample } from "openapi-sampler";
import { COMPONENTS, FORMATS, MEMBERS } from "./values.ts";

/** What this needs to know of a schema of the document: JSON Schema 2020-12, with the `example` of OpenAPI. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export type Schemas = Record<string, Schema>;

/** Makes an example of a schema. `name` is the member or parameter that has it. */
export type Sampler = (schema: Schema, name?: string) => unknown;

/** Keywords by which a schema says a value itself. */
const OWN = ["example", "const", "default", "enum"];

/** The library puts examples together; a part that would say nothing, such as `string`, has its value from `values.ts`. */
export function samplerOf(schemas: Schemas): Sampler {
  const components = { schemas: structuredClone(schemas) };
  for (const [name, schema] of Object.entries(components.schemas)) {
    if (name in COMPONENTS) schema.example = COMPONENTS[name];
    curate(schema, "");
  }
  return (schema, name = "") => {
    const curated = structuredClone(schema);
    curate(curated, name);
    return sample(curated as Parameters<typeof sample>[0], {}, { components });
  };
}

/** Gives each part of a schema that says no value itself the curated one, if there is one. */
function curate(schema: Schema, name: string): void {
  if (OWN.some((keyword) => keyword in schema)) return;
  const example = curatedExample(schema, name);
  if (example !== undefined) schema.example = example;
  const { properties = {}, items = [], allOf = [], anyOf = [], oneOf = [] } = schema;
  for (const [member, part] of Object.entries(properties)) curate(part, member);
  for (const part of [items, allOf, anyOf, oneOf].flat()) curate(part, name);
}

function curatedExample({ $ref, type, format = "", properties }: Schema, name: string): unknown {
  const isWhole = $ref === undefined && properties === undefined;
  if (isWhole && name in MEMBERS) return MEMBERS[name];
  if (Array.isArray(type) && type.includes("string")) return null;
  return FORMATS[format];
}
