import { expect, it } from "vitest";
import { configOf, type Env } from "../../../../src/config.ts";
import { databaseForNewCompany } from "../../../../src/db/sharding/new-company-database.ts";
import { sandboxBankStore } from "../../../../src/db/sandbox-bank-store.ts";
import { RATE_LIMITS } from "../../../../src/http/rate-limits/policies.ts";
import { env } from "../../../support/builders/companies/company.ts";
import { givenSecondDatabase, newIsolate } from "../../../support/builders/companies/sharded.ts";

const LIMITERS = Object.fromEntries(
  Object.values(RATE_LIMITS).map(({ binding }) => [
    binding,
    { limit: async () => ({ success: true }) },
  ]),
);
const PRODUCTION = {
  ...LIMITERS,
  ENVIRONMENT: "production",
  ALLOW_HTTP_LOOPBACK_WEBHOOKS: "false",
  SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
};

function production(changes: Partial<Env> = {}): Env {
  return { ...newIsolate(), ...PRODUCTION, ...changes };
}

it("a sandbox company of production lives in the database for sandbox companies", () => {
  const environment = production({ SANDBOX_DATABASE: "DB_2" });
  expect(databaseForNewCompany(environment, "sandbox")).toBe("DB_2");
  expect(databaseForNewCompany(environment, "live")).toBe("DB");
});

it("VALIDATION_FAILED: neither mode may be put into the other's database", () => {
  const environment = production({ SANDBOX_DATABASE: "DB_2" });
  expect(() => databaseForNewCompany(environment, "sandbox", "DB")).toThrow("database");
  expect(() => databaseForNewCompany(environment, "live", "DB_2")).toThrow("database");
  expect(databaseForNewCompany(environment, "live", "DB_3")).toBe("DB_3");
});

it("INVALID_STATE: production without such a database has no sandbox company", () => {
  const environment = production();
  expect(() => databaseForNewCompany(environment, "sandbox")).toThrow("SANDBOX_DATABASE");
  expect(databaseForNewCompany(environment, "live")).toBe("DB");
});

it("other environments keep sandbox companies in the directory, unless they name a database", () => {
  expect(databaseForNewCompany(env, "sandbox")).toBe("DB");
  expect(databaseForNewCompany({ ...newIsolate(), SANDBOX_DATABASE: "DB_2" }, "sandbox")).toBe(
    "DB_2",
  );
});

it.each(["DB", "DB_1", "DB_3", "ASSETS"])("refuses to start with SANDBOX_DATABASE %s", (name) => {
  expect(() => configOf({ ...newIsolate(), SANDBOX_DATABASE: name })).toThrow("SANDBOX_DATABASE");
});

it("the sandbox's bank keeps its book there too", async () => {
  await givenSecondDatabase();
  const isolate = { ...newIsolate(), SANDBOX_DATABASE: "DB_2" };
  const payoutId = crypto.randomUUID();
  await isolate.DB_2.prepare("INSERT INTO sandbox_payouts (payout_id, status) VALUES (?, 'paid')")
    .bind(payoutId)
    .run();
  expect((await sandboxBankStore(isolate, 1).payout(payoutId))?.status).toBe("paid");
  expect(await sandboxBankStore(env, 1).payout(payoutId)).toBeNull();
});
