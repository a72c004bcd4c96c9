import { expect, it } from "vitest";
import { createApp } from "../../../../src/app.ts";
import { findUnknownFields } from "../../../../src/http/fields/known-fields.ts";

/** The fields of every documented JSON body. */
const FIELDS = createApp().openAPIRegistry.definitions.flatMap((definition) => {
  if (definition.type !== "route") return [];
  const { method, path, request } = definition.route;
  const media: any = request?.body?.content["application/json"];
  return Object.entries<any>(media?.schema?.shape ?? {}).map(([name, field]) => ({
    where: `${method.toUpperCase()} ${path} ${name}`,
    name,
    field,
    schema: media.schema,
  }));
});

it("no request is refused for an optional field of null: it is absent, unless null is a value of its own", () => {
  const refused = FIELDS.filter(({ name, field, schema }) => {
    if (!field.safeParse(undefined).success) return false;
    const body = { [name]: null };
    findUnknownFields(schema, body);
    return name in body && !field.safeParse(null).success;
  });
  // The amount of a refund or capture: NaN is sent as null, and means no whole.
  const amounts = refused.filter(({ where }) => /(refund|capture)/i.test(where));
  expect(refused.map(({ where }) => where)).toEqual(amounts.map(({ where }) => where));
  expect(amounts).toHaveLength(2);
  expect(FIELDS.length).toBeGreaterThan(80);
});
