import { expect } from "vitest";
import { call, type Answer } from "../../builders/requests/api.ts";
import { StrictSchemas } from "./strict-schema.ts";

let document: Promise<any> | undefined;
let schemas: StrictSchemas | undefined;

/** The OpenAPI document, read once, with its shared answers and examples in the place of references to them. */
export function openApi(): Promise<any> {
  return (document ??= call("/openapi.json").then(({ body }) => ({
    ...body,
    paths: withoutReferences(body.paths, body.components),
    webhooks: withoutReferences(body.webhooks, body.components),
  })));
}

function withoutReferences(part: any, components: any): any {
  if (Array.isArray(part)) return part.map((item) => withoutReferences(item, components));
  if (part === null || typeof part !== "object") return part;
  const [, kind, name] = /^#\/components\/(responses|examples)\/(.+)$/.exec(part.$ref) ?? [];
  return kind === undefined
    ? Object.fromEntries(
        Object.entries(part).map(([key, value]) => [key, withoutReferences(value, components)]),
      )
    : withoutReferences(components[kind][name ?? ""], components);
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
  schemas ??= new StrictSchemas(await openApi());
  expect(schemas.errorOf(schema, value), name).toBeNull();
}
