import { beforeAll, expect, it } from "vitest";
import { call, type Answer } from "../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../support/builders/companies/company.ts";
import { pay } from "../../support/builders/charges/transaction.ts";
import {
  BALANCE,
  CREATE_REQUEST,
  CREATED,
  DETAIL,
  LIST,
  PROBLEM,
  WITHDRAW,
  WITHDRAW_REQUESTS,
  type Shape,
} from "./contract-shapes.ts";

const CREATE = "/api/v1/transactions/create";
const LIST_PATH = "/api/Transaction/company/transactions";
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const WITH_OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;

const TYPES: Record<string, (value: unknown) => boolean> = {
  integer: Number.isSafeInteger,
  number: (value) => typeof value === "number",
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  null: (value) => value === null,
  uuid: (value) => UUID.test(String(value)),
  utc: (value) => UTC.test(String(value)),
  offset: (value) => WITH_OFFSET.test(String(value)),
};

let company: TestCompany;
let created: Answer;

beforeAll(async () => {
  company = await givenCompany({ balance: 10_000 });
  created = await send(CREATE, CREATE_REQUEST, { "Idempotency-Key": "tx_contract" });
});

it("a create takes the contract's request and answers its envelope", () => {
  expect(created.status).toBe(200);
  expect(faults(created.body, CREATED)).toEqual([]);
  expect(created.headers.has("Centavo-Ignored")).toBe(false);
  const { pix: _pix, shipping: _s, items: _i, customer, ...sent } = CREATE_REQUEST;
  expect(created.body).toMatchObject({
    status: 200,
    data: { ...sent, externalRef: customer.externalRef, status: "WAITING_PAYMENT" },
  });
  expect(created.body.data).not.toHaveProperty("paidAt");
});

it("each field but amount and paymentMethod may be left out of a create", async () => {
  for (const field of Object.keys(CREATE_REQUEST)) {
    if (field === "amount" || field === "paymentMethod") continue;
    const answer = await send(CREATE, { ...CREATE_REQUEST, [field]: undefined });
    expect([field, answer.status, faults(answer.body, CREATED)]).toEqual([field, 200, []]);
  }
});

it("a transaction is found by its id, before and after its payment", async () => {
  const { id } = created.body.data;
  const path = `/api/Transaction/transactionByTransactionId/${id}`;
  const open = await call(path, { company });
  expect(faults(open.body, DETAIL)).toEqual([]);
  expect(open.body).toMatchObject({
    transactionId: id,
    value: 2_500,
    enStatusTransaction: "Awaiting",
    enPaymentSystem: "Pix",
    gatewayPostbackUrl: "",
    lead: { document: "52998224725", address: CREATE_REQUEST.shipping.address },
  });
  const paid = await pay(company, id);
  expect(faults(paid.body, CREATED)).toEqual([]);
  const after = await call(path, { company });
  expect([faults(after.body, DETAIL), after.body.enStatusTransaction]).toEqual([[], "Paid"]);
});

it.each([
  ["", { currentPage: 1, pageSize: 50 }],
  ["?page=1&pageSize=2&sort=createdAt_asc", { currentPage: 1, pageSize: 2 }],
  ["?page=2&pageSize=1&sort=createdAt_desc", { currentPage: 2, pageSize: 1 }],
])("the list answers its envelope: %j", async (query, envelope) => {
  const { status, body } = await call(`${LIST_PATH}${query}`, { company });
  expect([status, faults(body, LIST)]).toEqual([200, []]);
  expect(body).toMatchObject({ ok: true, res: envelope });
  expect(body.res.items.length).toBeGreaterThan(0);
});

it("each withdraw request of the contract answers 201 with its record", async () => {
  for (const [index, request] of WITHDRAW_REQUESTS.entries()) {
    const key = `wd_contract_${index}`;
    const answer = await send("/api/Withdraw/request", request, { "Idempotency-Key": key });
    expect([index, answer.status, faults(answer.body, WITHDRAW)]).toEqual([index, 201, []]);
    expect(answer.body).toMatchObject({
      companyId: company.id,
      idempotencyKey: key,
      value: 10,
      currency: "BRL",
      enTransaction: "Awaiting",
      ...("pixKeyType" in request ? { pixKeyType: request.pixKeyType } : {}),
    });
  }
});

it("without any PIX key the body of a withdraw's 400 is the message alone", async () => {
  const keyless = await givenCompany({ mainPixKey: null });
  const headers = { "Idempotency-Key": "wd_contract" };
  const body = { amount: 1_000 };
  const answer = await call("/api/Withdraw/request", { company: keyless, body, headers });
  expect([answer.status, answer.body]).toEqual([400, { message: expect.any(String) }]);
});

it("the balance is a record in reais", async () => {
  const { companyId } = created.body.data;
  const path = `/api/Balance/balance/${companyId}?currency=BRL`;
  const { status, body } = await call(path, { company });
  expect([status, faults(body, BALANCE)]).toEqual([200, []]);
  expect(body).toMatchObject({ companyId, currency: "BRL", enBalanceStatus: "Released" });
});

it("a checkout's status can be polled by the transaction's id", async () => {
  const { status, body } = await call(`/api/checkout/status/${created.body.data.id}`);
  expect([status, body.id]).toEqual([200, created.body.data.id]);
});

it.each([
  [400, CREATE, {}],
  [401, LIST_PATH, { headers: { "X-Client-Id": "wrong", "X-API-Key": "wrong" } }],
  [403, "/api/Balance/balance/999999?currency=BRL", { company: true }],
  [404, "/api/Transaction/transactionByTransactionId/1", { company: true }],
] as const)("a %i is RFC 7807's problem details", async (status, path, options) => {
  const answer =
    path === CREATE
      ? await send(CREATE, { paymentMethod: "PIX" })
      : await call(path, "company" in options ? { company } : options);
  expect([answer.status, faults(answer.body, PROBLEM)]).toEqual([status, []]);
  expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
  if (status === 400) expect(answer.body.errors).toEqual({ amount: ["is required"] });
});

function send(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  return call(path, { company, body, headers });
}

/** Documented fields that are missing or of another type, by path. */
function faults(value: any, shape: Shape, path = ""): string[] {
  return Object.entries(shape).flatMap(([field, expected]) => {
    const at = `${path}${field}`;
    const found = value?.[field];
    if (Array.isArray(expected)) {
      if (!Array.isArray(found)) return [at];
      return found.flatMap((item, index) => faults(item, expected[0], `${at}.${index}.`));
    }
    if (typeof expected === "object") return faults(found, expected, `${at}.`);
    if (found === undefined && expected.endsWith("?")) return [];
    const types = expected.replace("?", "").split("|");
    return types.some((type) => TYPES[type]?.(found) === true) ? [] : [`${at}: ${expected}`];
  });
}
