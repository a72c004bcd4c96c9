import { createRequire } from "node:module";
import { join } from "node:path";
import type { SeenCall } from "./house.ts";

interface Fault {
  path: unknown[];
  message?: string;
}
type Model = object;

const SDK = join(process.cwd(), "node_modules/@pagarme/pagarme-nodejs-sdk/dist/cjs");
const load = createRequire(import.meta.url);
const { validateAndMap } = load(join(SDK, "schema.js")) as {
  validateAndMap: (value: unknown, model: Model) => { errors?: Fault[] | false };
};

/** The house's own models, which its package hides, by call. */
const CALLS: [call: RegExp, request: string | null, answer: string][] = [
  [/^POST \/orders$/, "createOrderRequest", "getOrderResponse"],
  [/^GET \/orders\/\w+$/, null, "getOrderResponse"],
  [/^GET \/orders$/, null, "listOrderResponse"],
  [/^GET \/charges\/\w+$/, null, "getChargeResponse"],
  [/^GET \/payables$/, null, "listPayablesResponse"],
  [/^POST \/charges\/\w+\/capture$/, "createCaptureChargeRequest", "getChargeResponse"],
  [/^DELETE \/customers\/\w+\/cards\/\w+$/, null, "getCardResponse"],
  [/^DELETE \/charges\/\w+$/, "createCancelChargeRequest", "getChargeResponse"],
];

const ADDRESS = ["street", "number", "neighborhood", "complement", "line_2"];
/**
 * What the models ask for and the service does not: an address has its lines, or `line_1`; a stored notice shows a
 * customer without code and metadata; the rest is left out by everybody's samples.
 */
const ALLOWED_MISSES = new Set([
  "items.category",
  // An order has `customer_id` in its place.
  "customer",
  "customer.metadata",
  "customer.code",
  "customer.address",
  ...ADDRESS.map((part) => `customer.address.${part}`),
  ...ADDRESS.map((part) => `payments.boleto.billing_address.${part}`),
  "payments.boleto.retries",
  "payments.boleto.statement_descriptor",
  "payments.boleto.document_number",
  "payments.boleto.instructions",
  "operation_reference",
]);

/** What of a call the house's models refuse, save the allowed misses: a line each. */
export function faultsOfCall({ call, request, status, answer }: SeenCall): string[] {
  const judged = CALLS.find(([pattern]) => pattern.test(call));
  if (judged === undefined) return [`${call}: no model`];
  const [, asked, said] = judged;
  const ofRequest =
    asked === null ? [] : faultsOf(asked, request).filter((each) => !ALLOWED_MISSES.has(each));
  return [...ofRequest, ...(status === 200 ? faultsOf(said, answer) : [])].map(
    (each) => `${call}: ${each}`,
  );
}

/** A line for each missing member by its path, and for any other fault. */
function faultsOf(model: string, json: unknown): string[] {
  const schema = load(join(SDK, `models/${model}.js`))[`${model}Schema`] as Model;
  const { errors } = validateAndMap(json, schema);
  return (errors === undefined || errors === false ? [] : errors).flatMap(
    ({ path, message = "" }) => {
      const at = path.filter((part) => typeof part === "string");
      const [line = ""] = message.split("\n");
      const missing = line.startsWith("Some properties are missing")
        ? [...line.matchAll(/"(\w+)"/g)].map(([, name]) => [...at, name].join("."))
        : [`${at.join(".")}: ${line}`];
      return missing;
    },
  );
}
