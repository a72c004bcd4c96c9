import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { FULL_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { routesOf } from "../../../support/probes/http/routes.ts";
import { givenPaid, givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";
import { expectDocumented, openApi } from "../../../support/probes/http/documented.ts";

/** The one route of a payer's browser. */
const CHECKOUT = "GET /api/checkout/status/{id}";
const CALLBACK = "POST /callbacks/pix-api/{callbackToken}";
const PUBLIC = new Set([
  CHECKOUT,
  "GET /.well-known/webhook-keys.json",
  "GET /api/v1/pix/decode",
  "GET /api/v1/calendar",
  "GET /api/v1/boletos/decode",
  "POST /receipts/verify",
  "GET /health",
  "GET /ready",
  CALLBACK,
  `${CALLBACK}/pix`,
  `${CALLBACK}/rec`,
  `${CALLBACK}/cobr`,
  "POST /callbacks/efi-cobrancas/{callbackToken}",
  "POST /callbacks/pagarme/{callbackToken}",
]);
/** A picture, and text for Prometheus. */
const NOT_JSON = new Set([
  "GET /api/v1/disputes/{id}/evidence/files/{fileId}",
  "GET /api/v1/payment-links/{id}/qr",
  "GET /api/v1/transactions/{id}/qr",
  "GET /api/v1/statement/archive",
  "GET /metrics",
]);
const ALWAYS = ["401", "403", "406", "429", "500", "503"];

interface Operation {
  name: string;
  operation: any;
}

let document: any;
let operations: Operation[];

beforeAll(async () => {
  document = await openApi();
  operations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
});

it("is an OpenAPI 3.1 document", () => {
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
});

it("documents the format of a boleto's dates and the defaults of each method's fields", () => {
  const { CreateTransactionInput, Discount } = document.components.schemas;
  const { boleto, card } = CreateTransactionInput.properties;
  const { expiresInDays, dueDate } = boleto.properties;
  expect(expiresInDays).toMatchObject({ minimum: 0, maximum: 60, default: 3 });
  expect([dueDate.format, Discount.properties.untilDate.format]).toEqual(["date", "date"]);
  expect(card.properties.capture).toMatchObject({ default: true });
});

it("has no component named as an operation is, which generators would write twice", () => {
  const ids = new Set(operations.map(({ operation }) => operation.operationId.toLowerCase()));
  const names = Object.keys(document.components.schemas);
  expect(names.filter((name) => ids.has(name.toLowerCase()))).toEqual([]);
});

it("lists exactly the routes of the app", () => {
  const routes = routesOf().map(
    ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`,
  );
  expect(operations.map(({ name }) => name).toSorted()).toEqual(routes.toSorted());
  expect(routes.length).toBeGreaterThanOrEqual(17);
});

it("requires both credential headers for every operation except the public ones", () => {
  const schemes = document.components.securitySchemes;
  expect(schemes.ClientId).toMatchObject({ type: "apiKey", in: "header", name: "X-Client-Id" });
  expect(schemes.ApiKey).toMatchObject({ type: "apiKey", in: "header", name: "X-API-Key" });
  for (const { name, operation } of operations) {
    const ofPage = name === "POST /api/v1/cards/tokens" ? [{ CheckoutSession: [] }] : [];
    expect(operation.security, name).toEqual(
      PUBLIC.has(name) ? [] : [{ ClientId: [], ApiKey: [] }, ...ofPage],
    );
  }
});

it("documents the statuses that every authenticated operation can return", () => {
  for (const { name, operation } of operations) {
    if (PUBLIC.has(name)) continue;
    expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(ALWAYS));
  }
});

it("gives every status from 400 the problem schema, and every success a schema", () => {
  for (const { name, operation } of operations) {
    for (const [status, response] of Object.entries<any>(operation.responses)) {
      const at = `${name} ${status}`;
      if (status === "304") continue;
      if (NOT_JSON.has(name) && status === "200") continue;
      const type = Number(status) < 400 ? "application/json" : "application/problem+json";
      expect(response.content?.[type]?.schema, at).toBeDefined();
      if (Number(status) >= 400) {
        expect(response.content[type].schema, at).toEqual({ $ref: "#/components/schemas/Problem" });
      }
    }
  }
});

it("documents the success status of each endpoint of the contract", () => {
  const successes = Object.fromEntries(
    operations.map(({ name, operation }) => [
      name,
      Object.keys(operation.responses).filter((status) => status.startsWith("2")),
    ]),
  );
  expect(successes).toMatchObject({
    "POST /api/v1/transactions/create": ["200"],
    // 200 is the dry run.
    "POST /api/Withdraw/request": ["200", "201"],
    "GET /api/Transaction/transactionByTransactionId/{transactionId}": ["200"],
    "GET /api/Transaction/company/transactions": ["200"],
    "GET /api/Balance/balance/{companyId}": ["200"],
    [CHECKOUT]: ["200"],
  });
});

const keyOf = (name: string) =>
  operations
    .find((operation) => operation.name === name)
    ?.operation.parameters.find((parameter: any) => parameter.name === "Idempotency-Key");

it("requires the Idempotency-Key for withdraws only", () => {
  expect(keyOf("POST /api/Withdraw/request")).toMatchObject({ in: "header", required: true });
  expect(keyOf("POST /api/v1/transactions/create")).toMatchObject({
    in: "header",
    required: false,
  });
});

it("needs no credentials", async () => {
  expect((await call("/openapi.json")).headers.get("Content-Type")).toMatch(/^application\/json/);
});

describe("responses match the document", () => {
  it("from every endpoint that reads", async () => {
    const company = await givenCompany({ balance: 5_000, webhookUrl: "https://a.example.com/" });
    const { id } = await givenTransaction(company, FULL_REQUEST);
    await givenPaid(company, 1_000);
    await requestWithdraw(company);
    const reads: Record<string, string> = {
      "GET /api/Transaction/transactionByTransactionId/{transactionId}": `/api/Transaction/transactionByTransactionId/${id}`,
      "GET /api/Transaction/company/transactions": "/api/Transaction/company/transactions",
      "GET /api/v1/transactions": "/api/v1/transactions",
      "GET /api/Withdraw/{id}": "/api/Withdraw/1",
      "GET /api/Withdraw/company/withdraws": "/api/Withdraw/company/withdraws",
      "GET /api/Balance/balance/{companyId}": `/api/Balance/balance/${company.id}?currency=BRL`,
      "GET /api/v1/webhooks/endpoint": "/api/v1/webhooks/endpoint",
      [CHECKOUT]: `/api/checkout/status/${id}`,
    };
    for (const [name, path] of Object.entries(reads)) {
      const answer = await call(path, { company });
      expect(answer.status, name).toBe(200);
      await expectDocumented(name, answer);
    }
  });

  it("from every endpoint that writes", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const create = await call("/api/v1/transactions/create", { company, body: FULL_REQUEST });
    await expectDocumented("POST /api/v1/transactions/create", create);
    await expectDocumented("POST /api/Withdraw/request", await requestWithdraw(company));
    const path = `/api/v1/sandbox/transactions/${create.body.data.id}/pay`;
    const paid = await call(path, { method: "POST", company });
    await expectDocumented("POST /api/v1/sandbox/transactions/{id}/pay", paid);
    const withdrawn = await call("/api/v1/sandbox/withdraws/1/pay", { method: "POST", company });
    await expectDocumented("POST /api/v1/sandbox/withdraws/{id}/pay", withdrawn);
  });
});

it("is built once, and answers 304 to who has it", async () => {
  const first = await call("/openapi.json");
  const etag = first.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
  expect(first.headers.get("Cache-Control")).toBe("public, max-age=300");
  const again = await call("/openapi.json", { headers: { "If-None-Match": `"x", ${etag}` } });
  expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: "" });
  expect(again.headers.get("ETag")).toBe(etag);
  expect((await call("/openapi.json", { headers: { "If-None-Match": '"x"' } })).status).toBe(200);
});
