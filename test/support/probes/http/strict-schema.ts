import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** The URI by which the validators know the document's components. */
const DOCUMENT = "https://gateway.example/openapi.json";

/** The validators of a document's schemas, which also reject members that the document does not have. */
export class StrictSchemas {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  /** By the schema's text: many operations share one. */
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: { components: unknown }) {
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({
      $id: DOCUMENT,
      components: withoutOtherMembers(document.components),
    });
  }

  /** Why `value` does not match; null if it does. */
  errorOf(schema: object, value: unknown): string | null {
    const key = JSON.stringify(schema);
    let validate = this.#validators.get(key);
    if (validate === undefined) {
      const inDocument = key.replaceAll('"#/components/', `"${DOCUMENT}#/components/`);
      validate = this.#ajv.compile(withoutOtherMembers(JSON.parse(inDocument)));
      this.#validators.set(key, validate);
    }
    return validate(value) ? null : JSON.stringify(validate.errors);
  }
}

/** A copy in which each object with named members allows no others. */
function withoutOtherMembers(schema: any): any {
  if (Array.isArray(schema)) return schema.map(withoutOtherMembers);
  if (schema === null || typeof schema !== "object") return schema;
  const inside = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, withoutOtherMembers(value)]),
  );
  const isObject = schema.type === "object" || schema.type?.includes?.("object") === true;
  return isObject && typeof schema.properties === "object" && !("additionalProperties" in schema)
    ? { ...inside, additionalProperties: false }
    : inside;
}
