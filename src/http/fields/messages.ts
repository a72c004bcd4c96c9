import type { z } from "zod";
import { containsCardNumber } from "../../domain/cards/card-number.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** Characters of a value that an answer repeats. */
const SHOWN_MAX = 40;
/** Fields whose text is secret or personal: an answer tells its length only. */
const UNSHOWN_FIELDS =
  /(?:^ip|^ids?|number|cvv|secret|token|key|password|signature|certificate|name|document|email|phone|url|code|metadata|description|reason|payer)s?$/i;
/** A secret of ours in the wrong field. */
const SECRETS = /sk_|whsec_|tok_/;
/** A time whose offset lost its plus: in a query that is a space. */
const LOST_PLUS = /T[\d:.]+ \d\d:?\d\d$/;
const INDEX = /^\d+$/;

/**
 * The message of a fault that a schema found: a missing field "is required", and a wrong one says what came:
 * its type, and its value where that is short and neither secret nor personal.
 */
export function fieldMessage(
  { code, path, message }: z.core.$ZodIssue,
  sent: unknown,
  target: string,
): string {
  const value = valueAt(sent, path);
  if (value === undefined) return code === "custom" ? message : breaks("required");
  if (!message.startsWith("must be ")) return message;
  const hint = typeof value === "string" && LOST_PLUS.test(value) ? "; in a query a + is %2B" : "";
  return `${message}; got ${shown(value, path, target === "json")}${hint}`;
}

function valueAt(sent: unknown, path: readonly PropertyKey[]): unknown {
  let value = sent;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = (value as Record<PropertyKey, unknown>)[name];
  }
  return value;
}

/** `isTyped`: whether the type is the sender's own, as in JSON; headers and queries have texts only. */
function shown(value: unknown, path: readonly PropertyKey[], isTyped: boolean): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object") return "an object";
  if (typeof value === "boolean") return String(value);
  const isPrivate = UNSHOWN_FIELDS.test(lastName(path));
  if (typeof value === "number") {
    return isPrivate || containsCardNumber(String(value)) ? "a number" : `the number ${value}`;
  }
  if (typeof value !== "string") return "another type";
  const isShown =
    !isPrivate && value.length <= SHOWN_MAX && !SECRETS.test(value) && !containsCardNumber(value);
  return isShown
    ? `${isTyped ? "the string " : ""}${JSON.stringify(value)}`
    : `a string of ${value.length} character${value.length === 1 ? "" : "s"}`;
}

/** The field's own name, without indexes. */
function lastName(path: readonly PropertyKey[]): string {
  return path.map(String).findLast((name) => !INDEX.test(name)) ?? "";
}
