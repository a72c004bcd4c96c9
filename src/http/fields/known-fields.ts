import { Problem } from "../../domain/shared/problem.ts";
import { editDistance } from "../../lib/edit-distance.ts";
import type { z } from "@hono/zod-openapi";

/** A misspelt name is at most so many edits away, and fewer than half of its letters: `id` is no `ip`. */
const EDITS_MAX = 2;
/** A shorter name, such as `id`, stands in many objects of other people's: it says nothing of ours. */
const DISTINCTIVE_LENGTH_MIN = 4;
/** A body may have so many different names that we do not know; one in each of 100 items counts once. */
const UNKNOWN_NAMES_MAX = 1_000;
/** Places that a suggestion names at most. */
const SUGGESTIONS_MAX = 3;

/** What a schema knows at one place; null where anything may stand. */
type SchemaNode = ObjectNode | ArrayNode | null;

interface ObjectNode {
  kind: "object";
  fields: Map<string, KnownField>;
  /** The fields' names with their bare spelling, which a misspelt one is compared with. */
  spellings: [name: string, bare: string][];
}

interface ArrayNode {
  kind: "array";
  element: SchemaNode;
}

interface KnownField {
  node: SchemaNode;
  /** Whether null means that it is absent. */
  nullIsAbsent: boolean;
}

/** All that a schema knows: its places, and each field's paths by the field's bare name. */
interface SchemaIndex {
  root: SchemaNode;
  paths: Map<string, string[]>;
}

/** What a name may mean at its place: one that is like it there, else paths from the body's root. */
type Suggestion = { here: string } | { elsewhere: string[] };

export interface UnknownField {
  /** Names and indexes that lead to it. */
  path: string[];
  /** The paths that may have been meant; empty for a field that is like none we know. */
  suggestions: string[];
}

/** What zod keeps of a schema, as far as it is read here. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  catchall?: unknown;
  innerType?: z.ZodType;
  in?: z.ZodType;
  element?: z.ZodType;
  options?: readonly z.ZodType[];
}

const schemaIndexes = new WeakMap<z.ZodType, SchemaIndex>();

/**
 * The fields of a parsed JSON body that its schema does not know, at any depth, in the body's order.
 * Optional members that are null are removed from the body itself: null means absent. Throws 400 where
 * there are too many unknown ones to judge.
 */
export function findUnknownFields(schema: z.ZodType, body: unknown): UnknownField[] {
  const index = schemaIndexOf(schema);
  const suggestionCache = new Map<ObjectNode, Map<string, Suggestion>>();
  let names = 0;
  const suggestionFor = (name: string, place: ObjectNode, path: string[]): Suggestion => {
    const known = suggestionCache.get(place) ?? new Map<string, Suggestion>();
    const before = known.get(name);
    if (before !== undefined) return before;
    if (names === UNKNOWN_NAMES_MAX) throw tooManyUnknown();
    names += 1;
    const meaning = suggest(name, place, path, index);
    suggestionCache.set(place, known.set(name, meaning));
    return meaning;
  };
  const unknown: UnknownField[] = [];
  const walk = (value: unknown, place: SchemaNode, path: string[]): void => {
    if (place === null || typeof value !== "object" || value === null) return;
    if (Array.isArray(value) !== (place.kind === "array")) return;
    for (const [name, member] of Object.entries(value)) {
      if (place.kind === "array") {
        walk(member, place.element, [...path, name]);
        continue;
      }
      const known = place.fields.get(name);
      if (known === undefined) {
        const meaning = suggestionFor(name, place, path);
        const suggestions =
          "here" in meaning ? [[...path, meaning.here].join(".")] : meaning.elsewhere;
        unknown.push({ path: [...path, name], suggestions });
      } else if (member === null && known.nullIsAbsent) {
        delete (value as Record<string, unknown>)[name];
      } else {
        walk(member, known.node, [...path, name]);
      }
    }
  };
  walk(body, index.root, []);
  return unknown;
}

function tooManyUnknown(): Problem {
  return new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: body.",
    errors: { body: [`has more than ${UNKNOWN_NAMES_MAX} different unknown fields`] },
  });
}

/** A name that is close to one at its place, else one that is known elsewhere; here before there. */
function suggest(
  name: string,
  node: ObjectNode,
  path: string[],
  { paths }: SchemaIndex,
): Suggestion {
  const spelling = normalizedName(name);
  let closest: string | null = null;
  let least = EDITS_MAX + 1;
  for (const [known, other] of node.spellings) {
    const distance = editDistance(spelling, other, least - 1);
    if (distance < least && distance * 2 < Math.min(spelling.length, other.length)) {
      closest = known;
      least = distance;
    }
  }
  if (closest !== null) return { here: closest };
  if (spelling.length < DISTINCTIVE_LENGTH_MIN) return { elsewhere: [] };
  const elsewhere = paths.get(spelling) ?? [];
  const here = path.map((step) => `${step}.`).join("");
  const inside = elsewhere.filter((each) => each.startsWith(here));
  return { elsewhere: (inside.length > 0 ? inside : elsewhere).slice(0, SUGGESTIONS_MAX) };
}

/** A name without its case and separators, so that `payment_method` is `paymentMethod`. */
function normalizedName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

function schemaIndexOf(schema: z.ZodType): SchemaIndex {
  const cached = schemaIndexes.get(schema);
  if (cached !== undefined) return cached;
  const paths = new Map<string, string[]>();
  const root = nodeOf(schema);
  const list = (place: SchemaNode, path: string): void => {
    if (place?.kind === "array") list(place.element, `${path.slice(0, -1)}[].`);
    if (place?.kind !== "object") return;
    for (const [name, field] of place.fields) {
      const spelling = normalizedName(name);
      paths.set(spelling, [...(paths.get(spelling) ?? []), path + name]);
      list(field.node, `${path}${name}.`);
    }
  };
  list(root, "");
  const index = { root, paths };
  schemaIndexes.set(schema, index);
  return index;
}

function nodeOf(schema: z.ZodType): SchemaNode {
  const definition = schema.def as Definition;
  const inner = definition.innerType ?? definition.in;
  if (inner !== undefined) return nodeOf(inner);
  if (definition.type === "array" && definition.element !== undefined) {
    return { kind: "array", element: nodeOf(definition.element) };
  }
  if (definition.type === "union") return unionNode(definition.options ?? []);
  const { shape, catchall } = definition;
  if (shape === undefined || catchall !== undefined) return null;
  const fields = Object.entries(shape).map(([name, field]): [string, KnownField] => [
    name,
    { node: nodeOf(field), nullIsAbsent: isOptional(field) && !field.safeParse(null).success },
  ]);
  return objectNode(fields);
}

function objectNode(fields: [string, KnownField][]): ObjectNode {
  const spellings = fields.map(([name]): [string, string] => [name, normalizedName(name)]);
  return { kind: "object", fields: new Map(fields), spellings };
}

/** Of several objects, all that one of them knows. */
function unionNode(options: readonly z.ZodType[]): SchemaNode {
  const places = options.map(nodeOf).filter((place) => place?.kind === "object");
  if (places.length === 0) return null;
  return objectNode(places.flatMap(({ fields }) => Array.from(fields)));
}

function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}
