import { afterEach, it, vi } from "vitest";
import { env, givenCompany } from "../../support/builders/companies/company.ts";
import { call } from "../../support/builders/requests/api.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";
import { givenTransaction } from "../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../support/builders/withdraws/withdraw.ts";

afterEach(() => vi.restoreAllMocks());

/** An object that has no method `call`, as an active one has for up to five minutes after a deploy (docs/deploy.md). */
const olderObjects = {
  ...env,
  COMPANY_ACCOUNT: {
    getByName: (name: string) => env.SERVICE_STATE.getByName(name),
  } as unknown as typeof env.COMPANY_ACCOUNT,
};

it("a client of this release is asked to retry while the object is of the release before", async () => {
  const company = await givenCompany({ balance: 2_500 });
  const transaction = await givenTransaction(company, { amount: 900 });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const answers = [
    await requestWithdraw(company, {}, { env: olderObjects }),
    await call(`/api/v1/transactions/${transaction.id}/timeline`, { company, env: olderObjects }),
  ];
  for (const answer of answers) {
    await expectProblem(answer, { status: 503, code: "STORAGE_UNAVAILABLE", retryAfter: true });
  }
});
