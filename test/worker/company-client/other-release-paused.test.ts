import { afterEach, expect, it, vi } from "vitest";
import { env, givenCompany } from "../../support/builders/companies/company.ts";
import { call } from "../../support/builders/requests/api.ts";
import { callAsOperator } from "../../support/builders/companies/operator.ts";
import { givenTransaction } from "../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../support/builders/withdraws/withdraw.ts";

afterEach(() => vi.restoreAllMocks());

const olderObjects = {
  ...env,
  COMPANY_ACCOUNT: {
    getByName: (name: string) => env.SERVICE_STATE.getByName(name),
  } as unknown as typeof env.COMPANY_ACCOUNT,
};

/** The changelog has operators pause the service while objects are of the release before. */
it("nobody gets a 500 while the service is paused and an object is of the release before", async () => {
  const company = await givenCompany({ balance: 2_500 });
  const transaction = await givenTransaction(company, { amount: 900 });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const deps = { pauses: { of: async () => ({}), list: async () => ({ service: {} }) } } as never;
  const at = { company, env: olderObjects, deps };
  const answers = {
    withdraw: await requestWithdraw(company, {}, { env: olderObjects, deps }),
    withdraws: await call("/api/v1/withdraws", at),
    timeline: await call(`/api/v1/transactions/${transaction.id}/timeline`, at),
    received: await call("/api/v1/payments/received?amount=900&at=2026-11-29T03:00:00Z", at),
    freeze: await callAsOperator(`/companies/${company.id}/freeze`, {
      body: { reason: "A thief has the key." },
      env: olderObjects,
      deps,
    }),
    test: await call("/api/v1/webhooks/test", {
      ...at,
      body: { url: "https://hooks.example.com/centavo" },
    }),
  };
  const statuses = Object.fromEntries(
    Object.entries(answers).map(([name, { status }]) => [name, status]),
  );
  expect(Object.values(statuses).filter((status) => status === 500)).toEqual([]);
});
