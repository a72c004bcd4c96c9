import { describe, expect, it } from "vitest";
import { call, type Answer, type Call } from "../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../support/builders/companies/company.ts";
import { env } from "../../support/builders/companies/env.ts";
import { withAccounts, withD1, type Interceptor } from "../../support/faults/faulty-env.ts";
import { freshIsolate } from "../../support/builders/companies/isolate.ts";
import { READ_ROUTES } from "../../support/probes/http/read-routes.ts";
import { countRoundTrips } from "../../support/probes/database/round-trips.ts";
import { createTransaction, givenTransaction } from "../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../support/builders/withdraws/withdraw.ts";

type ApiCall = (company: TestCompany, options: Call) => Promise<Answer>;

/** Storage trips in sequence, authentication included: of a warm isolate, and of one just started. */
const WRITES: Record<string, { ask: ApiCall; warm: number; cold: number; status: number }> = {
  "a withdraw": {
    ask: (company, options) => requestWithdraw(company, {}, options),
    warm: 1,
    cold: 2,
    status: 201,
  },
  "a dry run of a withdraw": {
    ask: (company, options) =>
      requestWithdraw(company, {}, { ...options, headers: { "X-Dry-Run": "true" } }),
    warm: 1,
    cold: 2,
    status: 200,
  },
  "a create, with one trip before its provider and one after": {
    ask: (company, options) => createTransaction(company, {}, options),
    warm: 2,
    cold: 3,
    status: 200,
  },
};

/** Counts the round trips of a new isolate and of the same isolate when warm. */
async function counted(company: TestCompany, ask: ApiCall) {
  const trips = countRoundTrips();
  const options = { env: trips.env, deps: freshIsolate() };
  const first = await ask(company, options);
  const cold = trips.lap();
  const second = await ask(company, options);
  return { answers: [first, second], cold, warm: trips.lap() };
}

describe("sequential storage round trips, including authentication", () => {
  it.each(Object.entries(READ_ROUTES))(
    "%s: 1 in a warm isolate and 2 in a new one, unless stated otherwise",
    async (_, read) => {
      const company = await givenCompany({ balance: 5_000 });
      const { id } = await givenTransaction(company);
      const path = read.path(company, id);
      const { answers, cold, warm } = await counted(company, (_company, options) =>
        call(path, { ...options, company, ...read.options }),
      );
      for (const answer of answers) expect(answer.status).toBe(200);
      const expected = read.roundTrips ?? { cold: 2, warm: 1 };
      expect({ cold: cold.inSequence, warm: warm.inSequence }).toEqual(expected);
    },
  );

  it.each(Object.entries(WRITES))("%s", async (_, { ask, status, ...expected }) => {
    const company = await givenCompany({ balance: 5_000 });
    const { answers, cold, warm } = await counted(company, ask);
    for (const answer of answers) expect(answer.status).toBe(status);
    expect({ cold: cold.inSequence, warm: warm.inSequence }).toEqual(expected);
    expect(warm.trips).toHaveLength(expected.warm);
  });

  it("the public status: 1 in every isolate", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    const trips = countRoundTrips();
    expect((await call(`/api/checkout/status/${id}`, { env: trips.env })).status).toBe(200);
    expect(trips.lap()).toMatchObject({ inSequence: 1, trips: [expect.any(String)] });
  });
});

it.each(["transactions", "an object"])(
  "the version check and the read of %s run concurrently",
  async (owner) => {
    const company = await givenCompany({ balance: 5_000 });
    const path =
      owner === "an object"
        ? `/api/Balance/balance/${company.id}?currency=BRL`
        : "/api/Transaction/company/transactions";
    const deps = freshIsolate();
    await call(path, { company, deps });
    let underWay = 0;
    const met = Promise.withResolvers<void>();
    const around: Interceptor = async (_label, run) => {
      underWay += 1;
      if (underWay === 2) met.resolve();
      await met.promise;
      return run();
    };
    const gated = withAccounts(withD1(env, around), around);
    expect((await call(path, { company, deps, env: gated })).status).toBe(200);
    expect(underWay).toBe(2);
  },
);
