import { afterEach, expect, it, vi } from "vitest";
import { call } from "../../support/builders/requests/api.ts";
import { env, givenCompany, waitUntilDrained } from "../../support/builders/companies/company.ts";
import { claimPayout, withdraw } from "../../support/builders/withdraws/withdraw-commands.ts";
import { CRASH, injectFault, withD1 } from "../../support/faults/faulty-env.ts";
import { projectionWriter } from "../../../src/db/projection/projection-writer.ts";
import { replaceInObject } from "../../support/faults/object.ts";
import { createTransaction } from "../../support/builders/charges/transaction.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

function captureConsole(): () => string {
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  );
  return () => JSON.stringify(spies.map((spy) => spy.mock.calls));
}

const payer = {
  name: "Maria Aparecida",
  email: "maria@cliente.example.com",
  phone: "+5511987654321",
  document: { number: "52998224725", type: "CPF" },
};

it("a failing database logs no payer data", async () => {
  const company = await givenCompany();
  const overheard = captureConsole();
  const down = injectFault({ on: /insert into "transactions"|answered_at/, when: "before" });

  const answer = await createTransaction(
    company,
    { customer: payer, metadata: "note of the merchant" },
    { env: withD1(env, down.intercept) },
  );

  expect(down.injections()).toBe(1);
  expect(answer.status).toBeGreaterThanOrEqual(500);
  const log = overheard();
  expect(log).toContain(CRASH);
  for (const secret of [payer.name, payer.email, payer.phone, payer.document.number, 'merchant"']) {
    expect(log.includes(secret), secret).toBe(false);
    expect(answer.text.includes(secret), secret).toBe(false);
  }
});

it("a failing search logs no search terms", async () => {
  const company = await givenCompany();
  const overheard = captureConsole();
  const down = injectFault({ on: /from "transactions"/, when: "before" });

  const path = `/api/v1/transactions?document=${payer.document.number}`;
  const answer = await call(path, { company, env: withD1(env, down.intercept) });

  expect(down.injections()).toBe(1);
  expect(answer.status).toBeGreaterThanOrEqual(500);
  const log = overheard();
  expect(log).toContain("Error");
  expect(log.includes(payer.document.number)).toBe(false);
});

it("a failing drain logs no PIX key and no metadata", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const overheard = captureConsole();
  const down = injectFault({ on: /insert into "withdraws"/, when: "before", times: Infinity });
  const restore = await replaceInObject(company, {
    projection: () => projectionWriter(withD1(env, down.intercept)),
  });

  const pixKey = { type: "EMAIL", value: "maria@cliente.example.com" } as const;
  await withdraw(company, { pixKey, metadata: "note of the merchant" });
  await claimPayout(company);
  await waitUntilDrained(company);

  expect(down.injections()).toBeGreaterThan(0);
  const log = overheard();
  expect(log).toContain("outbox_postponed");
  expect(log.includes(pixKey.value)).toBe(false);
  expect(log.includes("note of the merchant")).toBe(false);
  await restore();
});
