import { describe, expect, test } from "vitest";
import * as z from "zod";
import { Problem } from "../../../../src/domain/shared/problem.ts";
import { findUnknownFields } from "../../../../src/http/fields/known-fields.ts";

const Schema = z.object({
  amount: z.int(),
  ip: z.string().optional(),
  externalRef: z.string().optional(),
  customer: z
    .object({
      name: z.string().optional(),
      document: z.object({ number: z.string().optional() }).optional(),
    })
    .optional(),
  items: z.array(z.object({ unitPrice: z.int().optional() })).optional(),
  pix: z.object({ expiresInDays: z.int().default(1) }).optional(),
  boleto: z
    .object({ expiresInDays: z.int().optional(), dueDate: z.string() })
    .superRefine(() => undefined)
    .optional(),
  card: z.object({ capture: z.boolean().optional() }).optional(),
  limit: z.int().nullable().optional(),
  metadata: z.union([z.string(), z.custom(() => true)]).optional(),
  free: z.record(z.string(), z.unknown()).optional(),
  oneOf: z.union([z.object({ to: z.string() }), z.object({ abort: z.literal(true) })]).optional(),
  when: z
    .string()
    .transform((text) => text.length)
    .optional(),
});

/** Each unknown field's path with its suggestions. */
function unknownFieldsOf(body: unknown): Record<string, string[]> {
  return Object.fromEntries(
    findUnknownFields(Schema, body).map(({ path, suggestions }) => [path.join("."), suggestions]),
  );
}

describe("a field similar to a known field of its object", () => {
  test.each<[unknown, string, string]>([
    [{ amout: 1 }, "amout", "amount"],
    [{ Amount: 1 }, "Amount", "amount"],
    [{ external_ref: "x" }, "external_ref", "externalRef"],
    [{ customer: { nmae: "x" } }, "customer.nmae", "customer.name"],
    [
      { customer: { document: { numbr: "1" } } },
      "customer.document.numbr",
      "customer.document.number",
    ],
    [{ items: [{}, { unitPrce: 1 }] }, "items.1.unitPrce", "items.1.unitPrice"],
    [{ boleto: { dueDat: "x" } }, "boleto.dueDat", "boleto.dueDate"],
  ])("%j: %s suggests %s", (body, path, meant) => {
    expect(unknownFieldsOf(body)).toEqual({ [path]: [meant] });
  });
});

describe("a field that is known in another object", () => {
  test.each<[unknown, string, string[]]>([
    [{ capture: false }, "capture", ["card.capture"]],
    [{ pix: { capture: false } }, "pix.capture", ["card.capture"]],
    [{ card: { amount: 1 } }, "card.amount", ["amount"]],
    [{ expiresInDays: 1 }, "expiresInDays", ["pix.expiresInDays", "boleto.expiresInDays"]],
    [{ unitPrice: 1 }, "unitPrice", ["items[].unitPrice"]],
    [{ customer: { number: "1" } }, "customer.number", ["customer.document.number"]],
  ])("%j: %s suggests %j", (body, path, meant) => {
    expect(unknownFieldsOf(body)).toEqual({ [path]: meant });
  });
});

describe("a field unlike any known field", () => {
  test.each<[unknown, string]>([
    [{ status: "PAID" }, "status"],
    [{ id: 1 }, "id"],
    [{ customer: { ip: "::1" } }, "customer.ip"],
    [{ toString: 1 }, "toString"],
    [JSON.parse('{ "__proto__": { "amount": 1 } }'), "__proto__"],
    [{ shop: { amount: 1, capture: true } }, "shop"],
  ])("%j: %s has no suggestion", (body, path) => {
    expect(unknownFieldsOf(body)).toEqual({ [path]: [] });
  });
});

test("every field is known where the schema accepts any value", () => {
  const body = { metadata: { amout: 1 }, free: { amout: 1 }, amount: 1, oneOf: { to: "DB_2" } };
  expect(unknownFieldsOf(body)).toEqual({});
});

test("leaves a value of the wrong type to the schema", () => {
  expect(
    unknownFieldsOf({ customer: [{ nmae: "x" }], items: { 0: 1 }, card: "x", pix: null }),
  ).toEqual({});
  expect(unknownFieldsOf(null)).toEqual({});
});

test("null means absent for an optional field, unless null has its own meaning", () => {
  const body = {
    amount: null,
    ip: null,
    customer: { name: null, document: null },
    items: [null, { unitPrice: null }],
    pix: { expiresInDays: null },
    boleto: { dueDate: null },
    limit: null,
    metadata: null,
    foreign: null,
  };
  findUnknownFields(Schema, body);
  expect(body).toEqual({
    amount: null,
    customer: {},
    items: [null, {}],
    pix: {},
    boleto: { dueDate: null },
    limit: null,
    metadata: null,
    foreign: null,
  });
});

test("metadata of text or object does not accept null", () => {
  const Body = z.object({ metadata: z.union([z.string(), z.object({})]).optional() });
  const body = { metadata: null };
  findUnknownFields(Body, body);
  expect(body).toEqual({});
});

const flood = (fields: number) =>
  Object.fromEntries(Array.from({ length: fields }, (_, index) => [`field${index}`, 1]));

test("rejects a body with too many unknown fields before any comparison", () => {
  expect(Object.keys(unknownFieldsOf(flood(1_000)))).toHaveLength(1_000);
  expect(() => unknownFieldsOf(flood(1_001))).toThrow(Problem);
});
