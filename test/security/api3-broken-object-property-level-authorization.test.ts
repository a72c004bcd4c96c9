import { describe, expect, it } from "vitest";
import { call } from "../support/builders/requests/api.ts";
import { FULL_REQUEST } from "../support/builders/requests/full-request.ts";
import { givenCompany, type TestCompany } from "../support/builders/companies/company.ts";
import { givenMarkedCompany } from "../support/builders/companies/marked-company.ts";
import { createTransaction, givenPaid } from "../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../support/builders/withdraws/withdraw.ts";
import { changedTables, stateOf } from "../support/probes/database/company-state.ts";
import { expectDocumented } from "../support/probes/http/documented.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { ROUTE_PERMISSIONS } from "../support/probes/http/route-permissions.ts";
import { balanceOf } from "../support/probes/ledger/balance.ts";

/** What only the gateway decides. */
const FOREIGN_FIELDS = {
  id: "01a20000-0000-8000-8000-000000000001",
  status: "PAID",
  companyId: 1,
  providerTxId: "01a20000-0000-8000-8000-000000000001",
  secureId: "s".repeat(22),
  paidAt: "2026-01-01T00:00:00.000Z",
  paidAmount: 1,
  refundedAmount: 0,
  fee: 0,
  fees: { PIX: { basisPoints: 0, fixed: 0 } },
  mode: "live",
  leadId: 1,
  seq: 1,
  version: 9,
  scopes: ["withdraws:write"],
  frozen: false,
};

describe("a create request", () => {
  it("cannot set what the gateway decides", async () => {
    const company = await givenCompany();
    const plain = await createTransaction(company, FULL_REQUEST);
    const answer = await createTransaction(company, { ...FULL_REQUEST, ...FOREIGN_FIELDS });
    expect(answer.status).toBe(200);
    const { data } = answer.body;
    expect(data.id).not.toBe(FOREIGN_FIELDS.id);
    expect(data.secureId).not.toBe(FOREIGN_FIELDS.secureId);
    expect(data).toMatchObject({ companyId: company.id, status: "WAITING_PAYMENT" });
    expect(Object.keys(data).toSorted()).toEqual(Object.keys(plain.body.data).toSorted());
    for (const name of ["id", "status", "companyId", "paidAt", "paidAmount", "fees"]) {
      expect(answer.headers.get("Centavo-Ignored")).toContain(name);
    }
    expect(await balanceOf(company)).toMatchObject({ accBalance: 0, accBalanceCredit: 0 });
  });

  it("cannot reach a prototype", async () => {
    const company = await givenCompany();
    for (const name of ["__proto__", "constructor", "prototype"]) {
      const text = JSON.stringify(FULL_REQUEST).replace("{", `{"${name}":{"status":"PAID"},`);
      const answer = await call("/api/v1/transactions/create", {
        company,
        method: "POST",
        rawBody: text,
      });
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 200) expect(answer.body.data.status).toBe("WAITING_PAYMENT");
    }
    expect(({} as Record<string, unknown>)["status"]).toBeUndefined();
  });
});

/** Every other route with a body, which refuses what it does not know. */
const STRICT = Object.entries(ROUTE_PERMISSIONS).filter(
  ([name, { body }]) => body !== undefined && !name.endsWith("/transactions/create"),
);

it.each(STRICT)(
  "%s refuses fields that it does not have, and changes nothing",
  async (name, route) => {
    const company = await givenCompany({ balance: 10_000 });
    const [method = "", path = ""] = name.split(" ");
    const { id } = await givenPaid(company, 1_000);
    const before = await stateOf(company);
    const send = (fields: object) =>
      call(
        path.replace(":companyId", String(company.id)).replaceAll(/:(?:id|transactionId)/g, id),
        {
          method,
          company,
          body: { ...route.body, ...fields },
          headers: { "Idempotency-Key": "k_mass" },
        },
      );
    for (const [field, value] of Object.entries(FOREIGN_FIELDS)) {
      if (isKnown(name, field)) continue;
      const answer = await send({ [field]: value });
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
    }
    expect(changedTables(before, await stateOf(company))).toEqual([]);
  },
);

/** Fields of that name which the route has. */
function isKnown(name: string, field: string): boolean {
  if (name.endsWith("/sandbox/settings")) return field === "fees" || field === "frozen";
  if (name.includes("/api/v1/applications")) return field === "scopes";
  const isFilter = name.endsWith("/deliveries/resend") || name.endsWith("/search");
  return isFilter && field === "status";
}

it("a merchant's settings do not change what the operator sets", async () => {
  const company = await givenCompany();
  const operators = { fees: {}, releaseDays: {}, minimumWithdraw: 1, frozen: false, mode: "live" };
  for (const [field, value] of Object.entries(operators)) {
    const answer = await call("/api/v1/company/settings", {
      company,
      method: "PUT",
      body: { [field]: value },
    });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
  }
});

/** A read of each kind, by its operation. */
function reads(company: TestCompany, id: string): Record<string, string> {
  return {
    "GET /api/Transaction/transactionByTransactionId/{transactionId}": `/api/Transaction/transactionByTransactionId/${id}`,
    "GET /api/v1/transactions/{id}/timeline": `/api/v1/transactions/${id}/timeline`,
    "GET /api/Transaction/company/transactions": "/api/Transaction/company/transactions",
    "GET /api/v1/transactions": "/api/v1/transactions",
    "GET /api/Withdraw/{id}": "/api/Withdraw/1",
    "GET /api/Withdraw/company/withdraws": "/api/Withdraw/company/withdraws",
    "GET /api/Balance/balance/{companyId}": `/api/Balance/balance/${company.id}?currency=BRL`,
    "GET /api/Balance/forecast/{companyId}": `/api/Balance/forecast/${company.id}?currency=BRL`,
    "GET /api/Balance/statement/{companyId}": `/api/Balance/statement/${company.id}?currency=BRL`,
    "GET /api/v1/events": "/api/v1/events",
    "GET /api/v1/webhooks/endpoint": "/api/v1/webhooks/endpoint",
    "GET /api/v1/webhooks/endpoints": "/api/v1/webhooks/endpoints",
    "GET /api/v1/webhooks/deliveries": "/api/v1/webhooks/deliveries",
    "GET /api/v1/company/settings": "/api/v1/company/settings",
    "GET /api/v1/sandbox/settings": "/api/v1/sandbox/settings",
    "GET /api/checkout/status/{id}": `/api/checkout/status/${id}`,
  };
}

describe("an answer", () => {
  /** Names of secrets, of their hashes and of the tables' own columns. */
  const INTERNAL =
    /webhookSecret|webhook_secret|keyHash|key_hash|sealed|secrets_key|cvv|company_id/i;

  it("has no member that the document does not have, and no secret", async () => {
    const { company, transactionId } = await givenMarkedCompany();
    for (const [name, path] of Object.entries(reads(company, transactionId))) {
      const answer = await call(path, { company });
      expect(answer.status, name).toBe(200);
      await expectDocumented(name, answer);
      expect(answer.text, name).not.toMatch(INTERNAL);
      expect(answer.text, name).not.toContain(company.apiKey);
      expect(answer.text, name).not.toContain(company.webhookSecret);
    }
  });

  it("to a withdraw tells no other account than the caller's", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const answer = await requestWithdraw(company);
    expect(answer.status).toBe(201);
    await expectDocumented("POST /api/Withdraw/request", answer);
    expect(answer.text).not.toMatch(INTERNAL);
  });
});
