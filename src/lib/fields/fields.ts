import { z } from "@hono/zod-openapi";
import { breaks } from "./rules.ts";

/** Free text of the contract: at most 120 characters for a name, 255 for the rest. */
export const NAME_MAX = 120;
export const TEXT_MAX = 255;

/** UTF-16 that SQLite and JSON carry unharmed: no NUL, no half of a surrogate pair. */
export function text(max: number) {
  return z
    .string({ error: breaks("string") })
    .max(max, breaks("maxLength", { max }))
    .refine(isStorableText, breaks("unstorable"));
}

/** An integer from `min` to `max`; floats, numbers in strings and Infinity (1e400) are refused. */
export function integer(min: number, max: number, unit: string) {
  const isMoney = unit === "centavos";
  return z
    .int({ error: unit === "" ? breaks("integer") : breaks("integerOf", { unit }) })
    .min(min, breaks(isMoney ? "minCentavos" : "min", { min }))
    .max(max, breaks(isMoney ? "maxCentavos" : "max", { max }));
}

/** A time in an answer. */
export const isoTimeText = z
  .string()
  .openapi({ format: "date-time", example: "2026-11-21T12:00:00.000Z" });

/** Runs a rule between fields even where single fields are wrong, so that one answer names all faults. */
export const EVEN_AFTER_OTHER_ERRORS = {
  when: (payload: { value: unknown }) => isJsonObject(payload.value),
};

/**
 * Whether nothing (or `""`) stands at a path of an unchecked body. A value of the wrong type already
 * has a fault of its own, so it does not count as missing too.
 */
export function isMissing(body: unknown, path: readonly string[]): boolean {
  let value: unknown = body;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return false;
    value = (value as Record<string, unknown>)[name];
    if (value === undefined) return true;
  }
  return value === "";
}

export function isStorableText(value: string): boolean {
  return value.isWellFormed() && !value.includes("\0");
}

export function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Fields in which no person writes, or that are made for a card's number. */
const CARD_NUMBER_ALLOWED = new WeakSet<z.ZodType>();

/** A field whose value may read as a card number: the one made for it, or one that holds a value of the gateway's. */
export function allowCardNumber<Schema extends z.ZodType>(schema: Schema): Schema {
  CARD_NUMBER_ALLOWED.add(schema);
  return schema;
}

/** Whether a field was marked by `allowCardNumber`, also before it was made optional. */
export function isCardNumberAllowed(field: z.ZodType): boolean {
  const { innerType } = field.def as { innerType?: z.ZodType };
  return (
    CARD_NUMBER_ALLOWED.has(field) || (innerType !== undefined && isCardNumberAllowed(innerType))
  );
}
