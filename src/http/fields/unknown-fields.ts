import type { AppContext } from "../context.ts";
import { findUnknownFields, isIntegerAt, type UnknownField } from "./known-fields.ts";
import { breaks } from "../../lib/fields/rules.ts";
import { NOT_OFFERED } from "./foreign-names.ts";
import type { JsonScan } from "../../lib/json-scan.ts";
import { addFieldErrors } from "../validation.ts";
import type { z } from "@hono/zod-openapi";

/** The treatment of a body's fields. */
export interface FieldPolicy {
  /** One that resembles a known field is always refused. */
  unknownFields: "refused" | "ignored";
  /** Whether nothing of the body is kept, so that it may hold card numbers. */
  keepsNothing?: boolean;
}

export const STRICT: FieldPolicy = { unknownFields: "refused" };

const IGNORED_HEADER = "Centavo-Ignored";
/** Paths in the header: enough to notice, and far below the size limit of headers. */
const IGNORED_PATHS_MAX = 20;
/** Only plain paths go into a header. */
const PLAIN_PATH = /^[A-Za-z0-9_.-]{1,64}$/;
/** Refused fields in a response, and characters of the path of each. */
export const REFUSED_SHOWN_MAX = 20;
export const SHOWN_PATH_MAX = 128;

/** Known names beside an unknown one. */
const KNOWN_SHOWN_MAX = 20;

/** The response header that names ignored fields, for the API reference. */
export const IGNORED = {
  [IGNORED_HEADER]: {
    schema: { type: "string" as const },
    description: "Unknown parameters and fields of the request, which were ignored.",
  },
};

/**
 * Adds a parsed body's unknown fields to the field errors or, by policy, names them in the header
 * `Centavo-Ignored`. Removes optional fields that are null from the body.
 */
export function checkUnknownFields(
  c: AppContext,
  schema: z.ZodType,
  body: object,
  policy: FieldPolicy,
): void {
  const unknown = findUnknownFields(schema, body);
  const isIgnored = ({ path, suggestions }: UnknownField) =>
    policy.unknownFields === "ignored" &&
    suggestions.length === 0 &&
    notOffered(path) === undefined;
  reportIgnored(c, unknown.filter(isIgnored));
  const refused = unknown.filter((field) => !isIgnored(field)).slice(0, REFUSED_SHOWN_MAX);
  addFieldErrors(c, refused.map(unknownFieldError));
}

/**
 * Refuses whole numbers with a decimal point or an exponent where an integer is asked for, for `49.0` is no 49 reais; and
 * everywhere what no double holds: `1e400` would be kept as null, which for a limit is none.
 */
export function refuseNumbers(
  c: AppContext,
  schema: z.ZodType,
  { decimals, infinite }: Pick<JsonScan, "decimals" | "infinite">,
): void {
  const ofIntegers = decimals.filter((path) => isIntegerAt(schema, path));
  addFieldErrors(c, [
    ...ofIntegers.slice(0, REFUSED_SHOWN_MAX).map(refusedNumber("plainInteger")),
    ...infinite.slice(0, REFUSED_SHOWN_MAX).map(refusedNumber("tooLarge")),
  ]);
}

function refusedNumber(rule: "plainInteger" | "tooLarge") {
  return (path: string[]) => ({
    code: "custom" as const,
    path: [shownPath(path)],
    message: breaks(rule),
    input: undefined,
  });
}

/** Names ignored parameters and fields in the header `Centavo-Ignored`, after those named before. */
export function reportIgnored(c: AppContext, ignored: UnknownField[]): void {
  const paths = ignored.map(({ path }) => path.join(".")).filter((path) => PLAIN_PATH.test(path));
  if (paths.length === 0) return;
  const named = [...(c.get("ignored") ?? []), ...paths].slice(0, IGNORED_PATHS_MAX);
  c.set("ignored", named);
  c.header(IGNORED_HEADER, named.join(", "));
}

function unknownFieldError({ path, suggestions, known }: UnknownField) {
  return {
    code: "custom" as const,
    path: [shownPath(path)],
    message:
      suggestions.length === 0
        ? breaks("unknown", { hint: notOffered(path) ?? hintOf(known) })
        : breaks("unknownNearly", { names: suggestions.join(" or ") }),
    input: undefined,
  };
}

/** Why a peer's field has no counterpart here. */
function notOffered(path: string[]): string | undefined {
  return path.length === 1 ? NOT_OFFERED.get(path[0] ?? "") : undefined;
}

function hintOf(known: string[]): string {
  if (known.length === 0) return "none is known here";
  const more = known.length > KNOWN_SHOWN_MAX ? ", ..." : "";
  return `known here: ${known.slice(0, KNOWN_SHOWN_MAX).join(", ")}${more}`;
}

function shownPath(path: string[]): string {
  return path.join(".").slice(0, SHOWN_PATH_MAX);
}
