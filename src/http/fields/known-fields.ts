import { Problem } from "../../domain/shared/problem.ts";
import { isCardNumberAllowed } from "../../lib/fields/fields.ts";
import { editDistance } from "../../lib/edit-distance.ts";
import type { z } from "@hono/zod-openapi";
import { breaks } from "../../lib/fields/rules.ts";
import { FOREIGN_NAMES, normalizedName } from "./foreign-names.ts";

/** A misspelt name is at most this many edits away, fewer than half of its letters: `id` is no `ip`. */
const EDITS_MAX = 2;
/** A shorter name, such as `id`, is too common to suggest a path elsewhere. */
const DISTINCTIVE_LENGTH_MIN = 4;
/** Distinct unknown names in a body; a name repeated in 100 items counts once. */
const UNKNOWN_NAMES_MAX = 1_000;
/** Paths in a suggestion. */
const SUGGESTIONS_MAX = 3;

/** A schema's fields at one path; null if any value is allowed. */
export type SchemaNode = ObjectNode | EachNode | null;

interface ObjectNode {
  kind: "object";
  fields: Map<string, KnownField>;
  /** The fields' names with their normalized spelling, for comparison with misspelt ones. */
  spellings: [name: string, normalized: string][];
}

/** What each item of an array is, or each value of a record, whose names its schema checks. */
interface EachNode {
  kind: "array" | "record";
  element: SchemaNode;
  isInteger: boolean;
}

interface KnownField {
  node: SchemaNode;
  /** Whether null counts as absent. */
  nullIsAbsent: boolean;
  /** Whether its value may read as a card number. */
  cardNumberAllowed: boolean;
  isInteger: boolean;
}

/** A schema's fields as a tree, and each field's paths by normalized name. */
interface SchemaIndex {
  root: SchemaNode;
  paths: Map<string, string[]>;
}

/** Names at the same path, with dots where they lie deeper, or paths from the body's root. */
type Suggestion = { here: string[] } | { elsewhere: string[] };

export interface UnknownField {
  /** Names and indexes from the body's root. */
  path: string[];
  /** Paths of similar known fields; empty if there are none. */
  suggestions: string[];
  /** The fields' names at its place. */
  known: string[];
}

/** The parts of zod's schema definition that are read here. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  catchall?: unknown;
  innerType?: z.ZodType;
  in?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  options?: readonly z.ZodType[];
  format?: string;
}

/** Optional fields whose null is refused: it may be a number that its sender could not write, such as NaN. */
const NULL_REFUSED = new WeakSet<z.ZodType>();

/** An optional field that may be left out but not be null. Nothing may be added to the schema afterwards. */
export function neverNull<Schema extends z.ZodType>(schema: Schema): Schema {
  NULL_REFUSED.add(schema);
  return schema;
}

/** The fields of a schema, to walk a body along with them. */
export function fieldsOf(schema: z.ZodType): SchemaNode {
  return schemaIndexOf(schema).root;
}

/** Whether a schema asks for an integer at a path of names and indexes. */
export function isIntegerAt(schema: z.ZodType, path: string[]): boolean {
  let node: SchemaNode = fieldsOf(schema);
  let found: ReturnType<typeof memberOf>;
  for (const step of path) {
    found = memberOf(node, step);
    node = found?.node ?? null;
  }
  return found?.isInteger ?? false;
}

/** What a node has at a name or index; undefined for an unknown one. */
function memberOf(
  node: SchemaNode,
  step: string,
): Pick<KnownField, "node" | "isInteger"> | undefined {
  if (node?.kind === "object") return node.fields.get(step);
  return node === null ? undefined : { node: node.element, isInteger: node.isInteger };
}

const schemaIndexes = new WeakMap<z.ZodType, SchemaIndex>();

/**
 * The fields of a parsed JSON body that its schema does not have, at any depth, in the body's order. Removes
 * optional members that are null from the body. Throws 400 if there are too many unknown names.
 */
export function findUnknownFields(schema: z.ZodType, body: unknown): UnknownField[] {
  const index = schemaIndexOf(schema);
  const suggestionCache = new Map<ObjectNode, Map<string, Suggestion>>();
  let names = 0;
  const suggestionFor = (name: string, node: ObjectNode, path: string[]): Suggestion => {
    const known = suggestionCache.get(node) ?? new Map<string, Suggestion>();
    const before = known.get(name);
    if (before !== undefined) return before;
    if (names === UNKNOWN_NAMES_MAX) throw tooManyUnknown();
    names += 1;
    const suggestion = suggest(name, node, path, index);
    suggestionCache.set(node, known.set(name, suggestion));
    return suggestion;
  };
  const unknown: UnknownField[] = [];
  const walk = (value: unknown, node: SchemaNode, path: string[]): void => {
    if (node === null || typeof value !== "object" || value === null) return;
    if (Array.isArray(value) !== (node.kind === "array")) return;
    for (const [name, member] of Object.entries(value)) {
      if (node.kind !== "object") {
        walk(member, node.element, [...path, name]);
        continue;
      }
      const known = node.fields.get(name);
      if (known === undefined) {
        const suggestion = suggestionFor(name, node, path);
        const suggestions =
          "here" in suggestion
            ? suggestion.here.map((each) => [...path, each].join("."))
            : suggestion.elsewhere;
        unknown.push({ path: [...path, name], suggestions, known: [...node.fields.keys()] });
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
    errors: { body: [breaks("tooManyUnknown", { max: UNKNOWN_NAMES_MAX })] },
  });
}

/** A similar name at the same path or, if there is none, paths with the same name elsewhere. */
function suggest(
  name: string,
  node: ObjectNode,
  path: string[],
  { paths }: SchemaIndex,
): Suggestion {
  const spelling = normalizedName(name);
  const ours = (FOREIGN_NAMES.get(spelling) ?? []).filter((known) => hasPath(node, known));
  if (ours.length > 0) return { here: ours };
  let closest: string | null = null;
  let least = EDITS_MAX + 1;
  for (const [known, other] of node.spellings) {
    const distance = editDistance(spelling, other, least - 1);
    if (distance < least && distance * 2 < Math.min(spelling.length, other.length)) {
      closest = known;
      least = distance;
    }
  }
  const isDistinctive = spelling.length >= DISTINCTIVE_LENGTH_MIN;
  const elsewhere = isDistinctive ? (paths.get(spelling) ?? []) : [];
  // What is right elsewhere is rather misplaced than misspelt in two letters: `card.amount` is no `card.account`.
  const isMisplaced = elsewhere.length > 0 && least === EDITS_MAX;
  if (closest !== null && !isMisplaced) return { here: [closest] };
  const here = path.map((step) => `${step}.`).join("");
  const inside = elsewhere.filter((each) => each.startsWith(here));
  return { elsewhere: (inside.length > 0 ? inside : elsewhere).slice(0, SUGGESTIONS_MAX) };
}

/** Whether a node has a field at a path of names. */
function hasPath(node: SchemaNode, path: string): boolean {
  let at: SchemaNode | undefined = node;
  for (const name of path.split(".")) {
    if (at?.kind !== "object" || !at.fields.has(name)) return false;
    at = at.fields.get(name)?.node;
  }
  return true;
}

function schemaIndexOf(schema: z.ZodType): SchemaIndex {
  const cached = schemaIndexes.get(schema);
  if (cached !== undefined) return cached;
  const paths = new Map<string, string[]>();
  const root = nodeOf(schema);
  const list = (node: SchemaNode, path: string): void => {
    if (node?.kind === "array") list(node.element, `${path.slice(0, -1)}[].`);
    if (node?.kind !== "object") return;
    for (const [name, field] of node.fields) {
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
    return eachNode("array", definition.element);
  }
  if (definition.type === "record" && definition.valueType !== undefined) {
    return eachNode("record", definition.valueType);
  }
  if (definition.type === "union") return unionNode(definition.options ?? []);
  const { shape, catchall } = definition;
  if (shape === undefined || catchall !== undefined) return null;
  const fields = Object.entries(shape).map(([name, field]): [string, KnownField] => [
    name,
    {
      node: nodeOf(field),
      nullIsAbsent: isNullAbsent(field),
      cardNumberAllowed: isCardNumberAllowed(field),
      isInteger: isInteger(field),
    },
  ]);
  return objectNode(fields);
}

function eachNode(kind: EachNode["kind"], element: z.ZodType): EachNode {
  return { kind, element: nodeOf(element), isInteger: isInteger(element) };
}

function objectNode(fields: [string, KnownField][]): ObjectNode {
  const spellings = fields.map(([name]): [string, string] => [name, normalizedName(name)]);
  return { kind: "object", fields: new Map(fields), spellings };
}

/** The fields of all object options of a union. */
function unionNode(options: readonly z.ZodType[]): SchemaNode {
  const nodes = options.map(nodeOf).filter((node) => node?.kind === "object");
  if (nodes.length === 0) return null;
  return objectNode(nodes.flatMap(({ fields }) => Array.from(fields)));
}

function isNullAbsent(field: z.ZodType): boolean {
  return isOptional(field) && !NULL_REFUSED.has(field) && !field.safeParse(null).success;
}

function isInteger(field: z.ZodType): boolean {
  const { innerType, in: input, options = [], format } = field.def as Definition;
  const inner = innerType ?? input;
  return (
    format === "safeint" || options.some(isInteger) || (inner !== undefined && isInteger(inner))
  );
}

function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}
