import { describe, expect, it } from "vitest";
import { call } from "../../support/builders/requests/api.ts";
import { env, givenCompany } from "../../support/builders/companies/company.ts";
import { withBrokenDatabase } from "../../support/faults/broken-database.ts";
import { withDatabase } from "../../support/probes/database/instrumented-database.ts";
import { expectNoSideEffects } from "../../support/probes/ledger/footprint.ts";
import { freshIsolate } from "../../support/builders/companies/isolate.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";
import { createTransaction } from "../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../support/builders/withdraws/withdraw.ts";

const KEY = "k_fault";
const LIST = "/api/Transaction/company/transactions";
const UNAVAILABLE = { status: 503, code: "STORAGE_UNAVAILABLE", retryAfter: true };

describe("STORAGE_UNAVAILABLE", () => {
  it.each([
    "D1_ERROR: Network connection lost.",
    "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
    "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
    "D1_ERROR: internal error",
    "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
  ])("is returned when credentials cannot be read: %s", async (message) => {
    const company = await givenCompany({ balance: 5_000 });
    const options = { env: withBrokenDatabase(message), deps: freshIsolate() };
    const answers = [
      await call(LIST, { company, ...options }),
      await expectNoSideEffects(company, () =>
        createTransaction(company, {}, { ...options, key: KEY }),
      ),
      await expectNoSideEffects(company, () =>
        requestWithdraw(company, {}, { ...options, key: KEY }),
      ),
    ];
    for (const answer of answers) {
      await expectProblem(answer, UNAVAILABLE);
      expect(answer.text).not.toContain("overloaded");
      expect(answer.text).not.toContain("onnection lost");
    }
  });

  it("keeps the key free for a retry", async () => {
    const company = await givenCompany();
    const broken = withBrokenDatabase("D1_ERROR: Network connection lost.", (sql) =>
      sql.includes('insert into "transactions"'),
    );
    const answer = await expectNoSideEffects(company, () =>
      createTransaction(company, { amount: 1 }, { env: broken, key: KEY }),
    );
    await expectProblem(answer, UNAVAILABLE);
    const later = await createTransaction(company, { amount: 2 }, { key: KEY });
    expect(later.status).toBe(200);
    expect(later.headers.has("Idempotent-Replayed")).toBe(false);
  });

  it("is returned while a transaction is read", async () => {
    const company = await givenCompany();
    const { body } = await createTransaction(company);
    const broken = withBrokenDatabase("D1_ERROR: Network connection lost.", (sql) =>
      sql.includes('from "transactions"'),
    );
    for (const path of [
      LIST,
      "/api/v1/transactions",
      `/api/Transaction/transactionByTransactionId/${body.data.id}`,
      `/api/checkout/status/${body.data.id}`,
    ]) {
      await expectProblem(await call(path, { company, env: broken }), UNAVAILABLE);
    }
  });

  it("is returned by an overloaded database without a retry", async () => {
    const company = await givenCompany();
    let asked = 0;
    const overloaded = withDatabase({
      before: (sql) => {
        if (!sql.includes('insert into "transactions"')) return;
        asked++;
        throw new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.");
      },
    });
    await expectProblem(await createTransaction(company, {}, { env: overloaded }), UNAVAILABLE);
    expect(asked).toBe(1);
  });
});

describe("a lost D1 response", () => {
  it.each([
    ["the claim", 'insert into "transactions"'],
    ["the provider's result", 'update "transactions"'],
  ])("to the write of %s is repaired by the identical batch", async (_which, statement) => {
    const company = await givenCompany();
    let lost = false;
    const losing = withDatabase({
      after: (sql) => {
        if (lost || !sql.startsWith(statement)) return;
        lost = true;
        throw new Error("D1_ERROR: Network connection lost.");
      },
    });
    const answer = await createTransaction(company, { amount: 777 }, { env: losing, key: KEY });
    expect(lost).toBe(true);
    expect(answer.status).toBe(200);
    const again = await createTransaction(company, { amount: 777 }, { key: KEY });
    expect(again.text).toBe(answer.text);
    const list = await call(LIST, { company });
    expect(list.body.res.totalItems).toBe(1);
  });
});

describe("INTERNAL_ERROR", () => {
  it("does not leak the cause", async () => {
    const company = await givenCompany();
    const message = "SQLITE_ERROR: no such column secret_column at offset 7";
    const answer = await call(LIST, { company, env: withBrokenDatabase(message) });
    await expectProblem(answer, { status: 500, code: "INTERNAL_ERROR" });
    expect(answer.text).not.toContain("secret_column");
  });

  it("is not stored as the response of a key", async () => {
    const company = await givenCompany();
    const broken = withBrokenDatabase("something else", (sql) => sql.includes("api_keys"));
    await expectProblem(await createTransaction(company, {}, { env: broken, key: KEY }), {
      status: 500,
      code: "INTERNAL_ERROR",
    });
    expect((await createTransaction(company, {}, { key: KEY })).status).toBe(200);
  });
});

/** An environment whose objects fail, `times` in all, as the platform does. */
function failing(flags: object, times: number) {
  let asked = 0;
  const fault = () => {
    asked++;
    return asked <= times;
  };
  const namespace = {
    getByName: (...args: Parameters<typeof env.COMPANY_ACCOUNT.getByName>) =>
      new Proxy(env.COMPANY_ACCOUNT.getByName(...args), {
        get:
          (stub, name) =>
          (...values: unknown[]) =>
            fault()
              ? Promise.reject(Object.assign(new Error("Durable Object reset at 10.0.0.7"), flags))
              : (stub as any)[name](...values),
      }),
  };
  return {
    env: { ...env, COMPANY_ACCOUNT: namespace } as unknown as typeof env,
    asked: () => asked,
  };
}

describe("a failing company object", () => {
  it("STORAGE_UNAVAILABLE: is not retried when it is overloaded", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const objects = failing({ overloaded: true, retryable: true }, 10);
    const answer = await expectNoSideEffects(company, () =>
      requestWithdraw(company, {}, { env: objects.env, key: KEY }),
    );
    await expectProblem(answer, UNAVAILABLE);
    expect(answer.text).not.toContain("10.0.0.7");
    expect(objects.asked()).toBe(1);
  });

  it("is retried once after a network error, and the money leaves once", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const objects = failing({ retryable: true }, 1);
    const answer = await requestWithdraw(company, {}, { env: objects.env, key: KEY });
    expect(answer.status).toBe(201);
    expect(answer.body.id).toBe(1);
  });
});
