import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { call, type Answer } from "../../builders/requests/api.ts";

let document: Promise<any> | undefined;

/** The OpenAPI document, read once. */
export function openApi(): Promise<any> {
  return (document ??= call("/openapi.json").then((answer) => answer.body));
}

/** Asserts that the response's status, media type and body match the operation in the document. */
export async function expectDocumented(name: string, answer: Answer): Promise<void> {
  const { paths } = await openApi();
  const [method = "", path = ""] = name.split(" ");
  const operation = paths[path]?.[method.toLowerCase()];
  expect(operation, `${name} is documented`).toBeDefined();
  const [type = ""] = (answer.headers.get("Content-Type") ?? "").split(";");
  const content = operation.responses[answer.status]?.content?.[type];
  expect(content, `${name} documents ${answer.status} ${type}`).toBeDefined();
  await expectToMatchSchema(name, content.schema, answer.body);
}

/** Asserts that the value matches a schema of the document. */
export async function expectToMatchSchema(
  name: string,
  schema: object,
  value: unknown,
): Promise<void> {
  const { components } = await openApi();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile({
    ...withoutAdditionalProperties(schema),
    components: withoutAdditionalProperties(components),
  });
  expect(validate(value), `${name} ${JSON.stringify(validate.errors)}`).toBe(true);
}

/** Rejects members that the document does not have. */
function withoutAdditionalProperties(schema: any): any {
  if (Array.isArray(schema)) return schema.map(withoutAdditionalProperties);
  if (schema === null || typeof schema !== "object") return schema;
  const inside = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, withoutAdditionalProperties(value)]),
  );
  return schema.type === "object" && schema.properties !== undefined
    ? { ...inside, additionalProperties: false }
    : inside;
}
