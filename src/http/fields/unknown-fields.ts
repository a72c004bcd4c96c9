import type { AppContext } from "../context.ts";
import { findUnknownFields, type UnknownField } from "./known-fields.ts";
import { addFieldErrors } from "../validation.ts";
import type { z } from "@hono/zod-openapi";

/** What becomes of a field that is like none we know. One that may mean a known one is always refused. */
export interface FieldPolicy {
  unknownFields: "refused" | "ignored";
}

export const STRICT: FieldPolicy = { unknownFields: "refused" };

const IGNORED_HEADER = "Centavo-Ignored";
/** What the header holds at most: enough to see what a client sends in vain, far below a header's limit. */
const IGNORED_PATHS_MAX = 20;
/** What a header may carry of a client's own words. */
const PLAIN_PATH = /^[A-Za-z0-9_.-]{1,64}$/;
/** Of refused fields so many are told back, and so many characters of the path of each. */
const REFUSED_SHOWN_MAX = 20;
const SHOWN_PATH_MAX = 128;

/** The header of an answer that names what was ignored, for the API's document. */
export const IGNORED = {
  [IGNORED_HEADER]: {
    schema: { type: "string" as const },
    description: "Paths of the request's fields that were ignored, for nobody here knows them.",
  },
};

/**
 * Judges the fields of a parsed body by the schema that will judge their values: unknown ones join the
 * other wrong fields, or are named in the answer's header `Centavo-Ignored`. Removes optional fields that
 * are null from the body.
 */
export function checkUnknownFields(
  c: AppContext,
  schema: z.ZodType,
  body: object,
  policy: FieldPolicy,
): void {
  const unknown = findUnknownFields(schema, body);
  const isIgnored = ({ suggestions }: UnknownField) =>
    policy.unknownFields === "ignored" && suggestions.length === 0;
  reportIgnored(c, unknown.filter(isIgnored));
  const refused = unknown.filter((field) => !isIgnored(field)).slice(0, REFUSED_SHOWN_MAX);
  addFieldErrors(c, refused.map(unknownFieldError));
}

function reportIgnored(c: AppContext, ignored: UnknownField[]): void {
  const paths = ignored.map(({ path }) => path.join(".")).filter((path) => PLAIN_PATH.test(path));
  if (paths.length > 0) c.header(IGNORED_HEADER, paths.slice(0, IGNORED_PATHS_MAX).join(", "));
}

function unknownFieldError({ path, suggestions }: UnknownField) {
  const question = suggestions.length === 0 ? "" : `; did you mean ${suggestions.join(" or ")}?`;
  return {
    code: "custom" as const,
    path: [path.join(".").slice(0, SHOWN_PATH_MAX)],
    message: `unknown field${question}`,
    input: undefined,
  };
}
