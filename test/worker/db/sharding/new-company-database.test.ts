import { expect, it } from "vitest";
import { configOf, type Env } from "../../../../src/config.ts";
import { saveStorageFigure } from "../../../../src/db/operator/storage-figures.ts";
import {
  databaseForNewCompany,
  requireDatabaseFor,
} from "../../../../src/db/sharding/new-company-database.ts";
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

function measured(name: string, bytes: number): Promise<void> {
  return saveStorageFigure(env, { name, bytes, stopped: false, measuredAt: Date.now() });
}

function production(changes: Partial<Env> = {}): Env {
  return { ...newIsolate(), ...PRODUCTION, ...changes };
}

it("a sandbox company of production lives in the database for sandbox companies", async () => {
  const environment = production({ SANDBOX_DATABASE: "DB_2" });
  expect(await databaseForNewCompany(environment, "sandbox")).toBe("DB_2");
  expect(await databaseForNewCompany(environment, "live")).toBe("DB");
});

it("VALIDATION_FAILED: neither mode may be put into the other's database", async () => {
  const environment = production({ SANDBOX_DATABASE: "DB_2" });
  expect(() => requireDatabaseFor(environment, "sandbox", "DB")).toThrow("database");
  expect(() => requireDatabaseFor(environment, "live", "DB_2")).toThrow("database");
  await expect(databaseForNewCompany(environment, "live", "DB_2")).rejects.toThrow("database");
  await expect(databaseForNewCompany(environment, "live", "DB_3")).rejects.toThrow("database");
  expect(await databaseForNewCompany(environment, "live", "DB")).toBe("DB");
});

it("INVALID_STATE: production without such a database has no sandbox company", async () => {
  const environment = production();
  const made = databaseForNewCompany(environment, "sandbox");
  await expect(made).rejects.toThrow("SANDBOX_DATABASE");
  await measured("DB", 1_000);
  await measured("DB_2", 2_000);
  expect(await databaseForNewCompany(environment, "live")).toBe("DB");
});

it("a new company lives in the emptiest database for its mode", async () => {
  await measured("DB", 5_000);
  await measured("DB_2", 1_000);
  await measured("DB_3", 4_000);
  const three = { ...newIsolate(), DB_3: newIsolate().DB_2 };
  expect(await databaseForNewCompany({ ...three, ...PRODUCTION }, "live")).toBe("DB_2");
  const own = { ...three, ...PRODUCTION, SANDBOX_DATABASE: "DB_2" };
  expect(await databaseForNewCompany(own, "live")).toBe("DB_3");
  expect(await databaseForNewCompany(own, "sandbox")).toBe("DB_2");
  // One that was just added is not measured yet.
  const four = { ...own, DB_4: newIsolate().DB_2 };
  expect(await databaseForNewCompany(four, "live")).toBe("DB_4");
  await measured("DB_4", 9_000);
  expect(await databaseForNewCompany(four, "live")).toBe("DB_3");
});

it("other environments keep sandbox companies beside the others, unless they name a database", async () => {
  expect(await databaseForNewCompany(env, "sandbox")).toBe("DB");
  const named = { ...newIsolate(), SANDBOX_DATABASE: "DB_2" };
  expect(await databaseForNewCompany(named, "sandbox")).toBe("DB_2");
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
