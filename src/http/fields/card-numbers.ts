import { Problem } from "../../domain/shared/problem.ts";
import { containsCardNumber } from "../../domain/cards/card-number.ts";
import type { AppContext } from "../context.ts";
import { addFieldErrors } from "../validation.ts";
import { fieldsOf, type SchemaNode } from "./known-fields.ts";
import type { z } from "@hono/zod-openapi";
import { breaks } from "../../lib/fields/rules.ts";

const MESSAGE = breaks("cardNumberSent");
/** Fields named in a response, and characters of the path of each. */
const SHOWN_MAX = 20;
const SHOWN_PATH_MAX = 128;

/**
 * Refuses card numbers anywhere in a parsed body, stored or not, except in fields that may read as one
 * (`allowCardNumber`). Adds field errors; throws 400 at once where a field's name is a card number, which no answer may
 * repeat.
 */
export function refuseCardNumbers(c: AppContext, schema: z.ZodType, body: object): void {
  const found: string[] = [];
  const walk = (value: unknown, node: SchemaNode, path: string): void => {
    if (typeof value === "string" || typeof value === "number") {
      if (containsCardNumber(String(value))) found.push(path);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (containsCardNumber(name)) throw inFieldName();
        const field = node?.kind === "object" ? node.fields.get(name) : undefined;
        if (field?.cardNumberAllowed === true) continue;
        const inside = node?.kind === "array" ? node.element : (field?.node ?? null);
        walk(member, inside, path === "" ? name : `${path}.${name}`);
      }
    }
  };
  walk(body, fieldsOf(schema), "");
  addFieldErrors(
    c,
    found.slice(0, SHOWN_MAX).map((path) => ({
      code: "custom",
      path: [path.slice(0, SHOWN_PATH_MAX)],
      message: MESSAGE,
      input: undefined,
    })),
  );
}

function inFieldName(): Problem {
  return new Problem({
    code: "VALIDATION_FAILED",
    detail: "The name of a field holds a card number.",
    errors: { body: [breaks("cardNumberInName")] },
  });
}
