import type { ZodType } from "zod";

/** What is said of a schema for the API's document; as `@asteasolutions/zod-to-openapi` keeps it. */
export type Description = Record<string, unknown> & { _internal?: { refId?: string } };

/** All that was said, by the schema it was said of. */
export const descriptions = new Map<ZodType, Description>();

/** What makes another schema of one, without a way back to it: that keeps what was said. */
const MODIFIERS = ["refine", "superRefine", "length", "min", "max", "catchall"] as const;

type Modifiers = Partial<Record<(typeof MODIFIERS)[number], (...args: never[]) => ZodType>>;

/**
 * Gives every schema the method `openapi`, which is declared by `@asteasolutions/zod-to-openapi`. The
 * library keeps its generator in the same file, so it is loaded with the document; until then what was
 * said is only remembered.
 */
export function rememberDescriptions(everySchema: { prototype: ZodType }): void {
  everySchema.prototype.openapi = openapi as ZodType["openapi"];
}

function openapi(this: ZodType, name: string | Description, more: Description = {}): ZodType {
  const schema = new (this.constructor as new (def: unknown) => ZodType)(this.def);
  const before = descriptions.get(this);
  const said = typeof name === "string" ? more : name;
  const refId = typeof name === "string" ? { _internal: { refId: name } } : {};
  descriptions.set(schema, { ...before, ...said, ...refId });
  for (const modifier of MODIFIERS) keep(schema, modifier);
  return schema;
}

function keep(schema: Modifiers, modifier: (typeof MODIFIERS)[number]): void {
  const modify = schema[modifier];
  if (typeof modify !== "function") return;
  schema[modifier] = function modified(this: ZodType, ...args: never[]) {
    const result = modify.apply(this, args);
    const said = descriptions.get(this);
    if (said !== undefined) descriptions.set(result, said);
    return result;
  };
}
