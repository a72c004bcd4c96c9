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
  [/^POST \/tokens$/, "createTokenRequest", "getTokenResponse"],
  [/^GET \/charges\/\w+$/, null, "getChargeResponse"],
  [/^GET \/payables$/, null, "listPayablesResponse"],
  [/^POST \/charges\/\w+\/capture$/, "createCaptureChargeRequest", "getChargeResponse"],
  [/^DELETE \/customers\/\w+\/cards\/\w+$/, null, "getCardResponse"],
  [/^DELETE \/charges\/\w+$/, "createCancelChargeRequest", "getChargeResponse"],
];

/** What a model asks for and the service does not, by call. */
interface Miss {
  on: RegExp;
  path: string;
  why: string;
}

const ADDRESS = ["street", "number", "neighborhood", "complement", "line_2"];
const GENERATED =
  "pagarme-v5.md, 2: required in generated types alone; whether the service asks it is not said.";
const IN_LINES = "pagarme-v5.md, 3: an address has its lines, and not the parts of them.";
const ORDERS = /^POST \/orders$/;
const MISSES: Miss[] = [
  ...missed(/^POST \/tokens$/, GENERATED, ["card.brand", "card.label"]),
  ...missed(ORDERS, GENERATED, ["items.category"]),
  ...missed(ORDERS, "pagarme-v5.md, 2: a stored notice shows a customer without them.", [
    "customer.metadata",
    "customer.code",
  ]),
  ...missed(
    ORDERS,
    "pagarme-v5.md, 8: a saved card is its customer's, whom `customer_id` names in its place.",
    ["customer"],
  ),
  ...missed(
    ORDERS,
    IN_LINES,
    ADDRESS.map((part) => `customer.address.${part}`),
  ),
  ...missed(
    ORDERS,
    IN_LINES,
    ADDRESS.map((part) => `payments.boleto.billing_address.${part}`),
  ),
  ...missed(ORDERS, GENERATED, [
    "payments.boleto.retries",
    "payments.boleto.statement_descriptor",
    "payments.boleto.document_number",
    "payments.boleto.instructions",
  ]),
  ...missed(/^POST \/charges\/\w+\/capture$/, GENERATED, ["operation_reference"]),
  ...missed(/^DELETE \/charges\/\w+$/, GENERATED, ["operation_reference"]),
];

function missed(on: RegExp, why: string, paths: string[]): Miss[] {
  return paths.map((path) => ({ on, path, why }));
}

/** What of a call the house's models refuse, save the allowed misses: a line each. */
export function faultsOfCall(seen: SeenCall): string[] {
  const { call, status, answer } = seen;
  const judged = CALLS.find(([pattern]) => pattern.test(call));
  if (judged === undefined) return [`${call}: no model`];
  const isAllowed = (path: string) =>
    MISSES.some((miss) => miss.path === path && miss.on.test(call));
  const ofRequest = requestFaults(seen).filter((path) => !isAllowed(path));
  return [...ofRequest, ...(status === 200 ? faultsOf(judged[2], answer) : [])].map(
    (each) => `${call}: ${each}`,
  );
}

/** The allowed misses that no call of these needs. */
export function unusedMisses(calls: SeenCall[]): string[] {
  const needed = calls.map((seen) => ({ call: seen.call, faults: requestFaults(seen) }));
  return MISSES.filter(
    ({ on, path }) => !needed.some(({ call, faults }) => on.test(call) && faults.includes(path)),
  ).map(({ on, path }) => `${on.source}: ${path}`);
}

function requestFaults({ call, request }: SeenCall): string[] {
  const asked = CALLS.find(([pattern]) => pattern.test(call))?.[1] ?? null;
  return asked === null ? [] : faultsOf(asked, request);
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
