import type { ApiDocument } from "../client-types.ts";

/** A JSON Schema of the document, as far as types of other languages need it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: (string | number | boolean | null)[];
  const?: string | number | boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export type Shape =
  | { kind: "any" }
  | { kind: "scalar"; name: Scalar }
  | { kind: "literals"; values: (string | number | boolean)[] }
  | { kind: "list"; items: Shape }
  | { kind: "map"; values: Shape }
  | { kind: "union"; of: Shape[] }
  | { kind: "named"; name: string };

type Scalar = "string" | "integer" | "number" | "boolean" | "null";

export interface Member {
  name: string;
  shape: Shape;
  required: boolean;
}

/** What one name stands for: an object, or a shape that is no object. */
export type Named = { members: Member[] } | { shape: Shape };

/** Names the shapes of a document: each object has a name, one inside another that of both. */
export class Shapes {
  readonly named = new Map<string, Named>();

  constructor({ components }: ApiDocument) {
    for (const [name, schema] of Object.entries(components["schemas"] ?? {})) {
      const isObject = (schema as Schema).properties !== undefined && !isNullable(schema);
      if (isObject) this.#object(name, schema);
      else this.named.set(name, { shape: this.shapeOf(schema, `${name}Value`) });
    }
  }

  /** The shape of a schema; an object in it is called `name`. */
  shapeOf(schema: Schema, name: string): Shape {
    const { $ref, allOf, anyOf, oneOf, type } = schema;
    if ($ref !== undefined) return { kind: "named", name: $ref.split("/").at(-1) ?? "" };
    // Only a description stands beside the one component.
    if (allOf?.[0] !== undefined) return this.shapeOf(allOf[0], name);
    const choices = oneOf ?? anyOf;
    if (choices !== undefined) {
      const numbered = (index: number) => (index === 0 ? name : `${name}${index + 1}`);
      return unionOf(choices.map((each, index) => this.shapeOf(each, numbered(index))));
    }
    const literals = schema.const === undefined ? schema.enum : [schema.const];
    if (literals !== undefined) return literalsOf(literals);
    const types = [type ?? []].flat();
    if (types.length === 0) return { kind: "any" };
    return unionOf(types.map((each) => this.#typed(each, schema, name)));
  }

  #typed(type: string, schema: Schema, name: string): Shape {
    if (type === "array") {
      const one = name.endsWith("s") ? name.slice(0, -1) : `${name}Item`;
      return { kind: "list", items: this.shapeOf(schema.items ?? {}, one) };
    }
    if (type !== "object") return { kind: "scalar", name: type as Scalar };
    const { properties = {}, additionalProperties } = schema;
    if (Object.keys(properties).length > 0) return this.#object(name, schema);
    const values =
      typeof additionalProperties === "object"
        ? this.shapeOf(additionalProperties, `${name}Value`)
        : ({ kind: "any" } as const);
    return { kind: "map", values };
  }

  #object(name: string, { properties = {}, required = [] }: Schema): Shape {
    const members = Object.entries(properties).map(([member, schema]) => ({
      name: member,
      shape: this.shapeOf(schema, name + capital(member)),
      required: required.includes(member),
    }));
    if (this.named.has(name)) throw new Error(`Two shapes would be called ${name}.`);
    this.named.set(name, { members });
    return { kind: "named", name };
  }
}

function isNullable({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes("null");
}

function literalsOf(values: (string | number | boolean | null)[]): Shape {
  const told = values.filter((value) => value !== null);
  const literals: Shape = { kind: "literals", values: told };
  if (told.length === values.length) return literals;
  return unionOf([literals, { kind: "scalar", name: "null" }]);
}

/** A union without unions in it, each shape once. */
export function unionOf(shapes: Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === "union" ? shape.of : [shape]));
  const once = new Map(flat.map((shape) => [JSON.stringify(shape), shape]));
  const [only, ...others] = once.values();
  if (only === undefined || once.has('{"kind":"any"}')) return { kind: "any" };
  return others.length === 0 ? only : { kind: "union", of: [only, ...others] };
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** `endToEndId` and `X-Dry-Run` as `end_to_end_id` and `dry_run`. */
export function snake(name: string): string {
  return name
    .replace(/^X-/, "")
    .replaceAll("-", "")
    .replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}
