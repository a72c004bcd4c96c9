import { describe, expect, it } from "vitest";
import {
  createTransaction,
  givenTransaction,
} from "../../../support/builders/charges/transaction.ts";
import { OPERATOR_CREDENTIALS } from "../../../support/builders/companies/operator.ts";
import { sharedCompany } from "../../../support/builders/companies/shared-company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import {
  ROUTE_PERMISSIONS,
  PUBLIC_ROUTES,
} from "../../../support/probes/http/route-permissions.ts";
import { routesOf } from "../../../support/probes/http/routes.ts";

const IGNORED = "Centavo-Ignored";

describe("VALIDATION_FAILED: a path of our own with an unknown query parameter", () => {
  it.each([
    ["/api/v1/transactions?externalref=a", "externalref", "did you mean externalRef?"],
    ["/api/v1/transactions?external_ref=a", "external_ref", "did you mean externalRef?"],
    ["/api/v1/transactions?statuss=PAID", "statuss", "did you mean status?"],
    ["/api/v1/events?limt=5", "limt", "did you mean limit?"],
    ["/api/v1/events?zzz=5", "zzz", "this path knows after, limit, order, type"],
    ["/api/Withdraw/company/withdraws?pagesize=5", "pagesize", "did you mean pageSize?"],
    ["/api/Withdraw/1?full=1", "full", "this path takes none"],
    ["/api/v1/company/settings?__proto__=1", "__proto__", "this path takes none"],
    ["/api/v1/pix/decode?code=1&cod=1", "cod", "did you mean code?"],
  ])("%s", async (path, name, hint) => {
    const answer = await call(path, { company: await sharedCompany() });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [name] });
    expect(answer.body.errors[name]).toEqual([`unknown parameter; ${hint}`]);
  });

  it("is told with the other invalid parameters, at most 20 at once", async () => {
    const company = await sharedCompany();
    const both = await call("/api/v1/transactions?limit=0&statos=PAID", { company });
    await expectProblem(both, {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["limit", "statos"],
    });
    const many = Array.from({ length: 40 }, (_, index) => `zz${index}=1`).join("&");
    const answer = await call(`/api/v1/transactions?${many}`, { company });
    expect(Object.keys(answer.body.errors)).toHaveLength(20);
  });

  it("moves nothing: an amount in the query of a refund is no amount", async () => {
    const company = await sharedCompany();
    const { id } = await givenTransaction(company);
    const path = `/api/v1/transactions/${id}/refund?amount=500`;
    const answer = await expectNoSideEffects(company, () =>
      call(path, { company, method: "POST", headers: { "Idempotency-Key": "refund_1" } }),
    );
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["amount"] });
  });

  it("is told only to a caller with credentials", async () => {
    const answer = await call("/api/v1/transactions?zzz=1");
    await expectProblem(answer, { status: 401, code: "INVALID_CREDENTIALS" });
  });
});

/** The contract's endpoints, as the app writes their paths. */
const CONTRACT = new Set([
  "POST /api/v1/transactions/create",
  "POST /api/Withdraw/request",
  "GET /api/Transaction/transactionByTransactionId/:transactionId",
  "GET /api/Transaction/company/transactions",
  "GET /api/Balance/balance/:companyId",
  "GET /api/checkout/status/:id",
]);

it("every GET route beyond the contract's refuses one", async () => {
  const company = await sharedCompany();
  const reads = routesOf().filter(
    ({ method, path }) =>
      method === "GET" && path.startsWith("/api/") && !CONTRACT.has(`GET ${path}`),
  );
  expect(reads.length).toBeGreaterThanOrEqual(20);
  for (const { path } of reads) {
    const name = `GET ${path}`;
    const caller =
      name in ROUTE_PERMISSIONS || PUBLIC_ROUTES.has(name)
        ? company
        : { credentials: OPERATOR_CREDENTIALS };
    const answer = await call(`${path.replaceAll(/:\w+/g, "1")}?zzUnknown=1`, { company: caller });
    expect([answer.status, answer.body.errors?.zzUnknown?.[0]], name).toEqual([
      400,
      expect.stringMatching(/^unknown parameter; /),
    ]);
  }
});

describe("the contract's endpoints ignore an unknown query parameter and name it", () => {
  it("in the header of every answer", async () => {
    const company = await sharedCompany();
    const { id } = await givenTransaction(company);
    for (const path of [
      "/api/Transaction/company/transactions?page=1&statuss=PAID&zz=1",
      `/api/Transaction/transactionByTransactionId/${id}?statuss=PAID&zz=1`,
      `/api/Balance/balance/${company.id}?currency=BRL&statuss=PAID&zz=1`,
      `/api/checkout/status/${id}?statuss=PAID&zz=1`,
    ]) {
      const answer = await call(path, { company });
      expect([answer.status, answer.headers.get(IGNORED)], path).toEqual([200, "statuss, zz"]);
    }
    const plain = await call("/api/Transaction/company/transactions?page=1", { company });
    expect(plain.headers.has(IGNORED)).toBe(false);
  });

  it("together with the ignored fields of a create's body", async () => {
    const company = await sharedCompany();
    const answer = await call("/api/v1/transactions/create?source=erp", {
      company,
      body: { amount: 100, paymentMethod: "PIX", sentAt: 1 },
    });
    expect([answer.status, answer.headers.get(IGNORED)]).toEqual([200, "sentAt, source"]);
    expect((await createTransaction(company)).headers.has(IGNORED)).toBe(false);
  });
});
