import { CREATE, mistake, type Mistake, WITHDRAW } from "./mistake.ts";

const BODY = { amount: 2_500, paymentMethod: "PIX" };
const UNAUTHORIZED = [
  401,
  "INVALID_CREDENTIALS",
  "X-Client-Id or X-API-Key is missing or invalid. Send both headers; Authorization is not read.",
  { headers: { "WWW-Authenticate": 'Centavo realm="api"' } },
] as const;

function login(title: string, headersOf: (id: string, key: string) => Record<string, string>) {
  return mistake(
    title,
    ({ company: { clientId, apiKey } }) => ({
      path: CREATE,
      body: BODY,
      anonymous: true,
      headers: headersOf(clientId, apiKey),
    }),
    ...UNAUTHORIZED,
  );
}

function text(title: string, rawBody: string, code: string, says: string | Record<string, string>) {
  return mistake(title, () => ({ path: CREATE, rawBody }), 400, code, says);
}

function typed(
  title: string,
  headers: Record<string, string>,
  status: number,
  code: string,
  says: string,
) {
  return mistake(
    title,
    () => ({ path: CREATE, rawBody: JSON.stringify(BODY), headers }),
    status,
    code,
    says,
  );
}

function keyed(title: string, path: string, key: string, says: string | Record<string, string>) {
  return mistake(
    title,
    () => ({
      path,
      body: { ...BODY, ...(path === WITHDRAW ? { paymentMethod: undefined } : {}) },
      headers: { "Idempotency-Key": key },
    }),
    400,
    "IDEMPOTENCY_KEY_INVALID",
    says,
  );
}

export const CREDENTIAL_MISTAKES: Mistake[] = [
  login("no credentials", () => ({})),
  login("no X-Client-Id", (_id, key) => ({ "X-API-Key": key })),
  login("no X-API-Key", (id) => ({ "X-Client-Id": id })),
  login("the two headers swapped", (id, key) => ({ "X-Client-Id": key, "X-API-Key": id })),
  login("the key as a bearer token", (_id, key) => ({ Authorization: `Bearer ${key}` })),
  login("both as basic credentials", (id, key) => ({
    Authorization: `Basic ${btoa(`${id}:${key}`)}`,
  })),
  login("the client id in capitals", (id, key) => ({
    "X-Client-Id": id.toUpperCase(),
    "X-API-Key": key,
  })),
  login("a space inside the key", (id, key) => ({
    "X-Client-Id": id,
    "X-API-Key": key.replace("_", " "),
  })),
  login("the key in quotes", (id, key) => ({ "X-Client-Id": id, "X-API-Key": `"${key}"` })),
  login("X-ApiKey instead of X-API-Key", (id, key) => ({ "X-Client-Id": id, "X-ApiKey": key })),
  mistake(
    "another company's key",
    ({ company, other }) => ({
      path: CREATE,
      body: BODY,
      anonymous: true,
      headers: { "X-Client-Id": company.clientId, "X-API-Key": other.apiKey },
    }),
    ...UNAUTHORIZED,
  ),
];

export const BODY_MISTAKES: Mistake[] = [
  text(
    "a comma after the last field",
    '{\n  "amount": 2500,\n  "paymentMethod": "PIX",\n}',
    "MALFORMED_JSON",
    "The body is not valid JSON at line 4, column 1: expected a field name in double quotes.",
  ),
  text(
    "no comma between two fields",
    '{"amount": 2500 "paymentMethod": "PIX"}',
    "MALFORMED_JSON",
    "The body is not valid JSON at line 1, column 17: expected a comma or }.",
  ),
  text(
    "single quotes",
    "{'amount': 2500}",
    "MALFORMED_JSON",
    "The body is not valid JSON at line 1, column 2: expected a field name in double quotes or }.",
  ),
  text(
    "names without quotes",
    "{amount: 2500}",
    "MALFORMED_JSON",
    "The body is not valid JSON at line 1, column 2: expected a field name in double quotes or }.",
  ),
  text(
    "a decimal comma",
    '{"amount": 25,00, "paymentMethod": "PIX"}',
    "MALFORMED_JSON",
    "The body is not valid JSON at line 1, column 15: expected a field name in double quotes.",
  ),
  text(
    "a body that was cut off",
    '{"amount": 2500, "paymentMethod": "PI',
    "MALFORMED_JSON",
    "The body is not valid JSON at line 1, column 38: expected a closing double quote.",
  ),
  text(
    "NaN as an amount",
    '{"amount": NaN, "paymentMethod": "PIX"}',
    "MALFORMED_JSON",
    "The body is not valid JSON at line 1, column 12: expected an object, array, string, number, true, false or null.",
  ),
  text("an empty body", "", "MALFORMED_JSON", "The body is empty; it must be a JSON object."),
  text(
    "XML called JSON",
    "<amount>2500</amount>",
    "MALFORMED_JSON",
    "The body is not valid JSON at line 1, column 1: expected an object, array, string, number, true, false or null.",
  ),
  text(
    "a form called JSON",
    "amount=2500&paymentMethod=PIX",
    "MALFORMED_JSON",
    "The body is not valid JSON at line 1, column 1: expected an object, array, string, number, true, false or null.",
  ),
  text("an array of transactions", '[{"amount": 2500}]', "VALIDATION_FAILED", {
    body: "must be a JSON object; got an array",
  }),
  text("JSON inside a string", JSON.stringify(JSON.stringify(BODY)), "VALIDATION_FAILED", {
    body: "must be a JSON object; got a string",
  }),
  text("null", "null", "VALIDATION_FAILED", { body: "must be a JSON object; got null" }),
  typed(
    "a form",
    { "Content-Type": "application/x-www-form-urlencoded" },
    415,
    "UNSUPPORTED_MEDIA_TYPE",
    "The body must be sent as Content-Type: application/json; got application/x-www-form-urlencoded.",
  ),
  typed(
    "text/plain",
    { "Content-Type": "text/plain;charset=UTF-8" },
    415,
    "UNSUPPORTED_MEDIA_TYPE",
    "The body must be sent as Content-Type: application/json; got text/plain.",
  ),
  typed(
    "Accept: text/html",
    { Accept: "text/html" },
    406,
    "NOT_ACCEPTABLE",
    "This path answers in application/json only.",
  ),
  mistake(
    "a body of 70 KB",
    () => ({ path: CREATE, body: { ...BODY, metadata: "x".repeat(70_000) } }),
    413,
    "BODY_TOO_LARGE",
    "The body is larger than 65536 bytes.",
  ),
];

export const KEY_MISTAKES: Mistake[] = [
  keyed("a space in an Idempotency-Key", CREATE, "pedido 1", {
    "Idempotency-Key": "must be 1 to 255 of A-Z a-z 0-9 _ . : -, sent once; got 8 characters",
  }),
  keyed("an empty Idempotency-Key", CREATE, '""', {
    "Idempotency-Key": "must be 1 to 255 of A-Z a-z 0-9 _ . : -, sent once; got 2 characters",
  }),
  keyed("an Idempotency-Key of 300 characters", WITHDRAW, "x".repeat(300), {
    "Idempotency-Key": "must be 1 to 255 of A-Z a-z 0-9 _ . : -, sent once; got 300 characters",
  }),
  ...[CREATE, WITHDRAW].map((path) =>
    mistake(
      `the header of Mercado Pago to ${path}`,
      () => ({ path, body: BODY, headers: { "X-Idempotency-Key": "pedido-1" } }),
      400,
      "IDEMPOTENCY_KEY_INVALID",
      { "X-Idempotency-Key": "unknown field; did you mean Idempotency-Key?" },
    ),
  ),
  mistake(
    "another request under a used Idempotency-Key",
    () => ({
      path: CREATE,
      body: { ...BODY, amount: 2_501 },
      headers: { "Idempotency-Key": "tx_used" },
    }),
    409,
    "IDEMPOTENCY_KEY_REUSED",
    "This Idempotency-Key was already used for a different request.",
  ),
];
