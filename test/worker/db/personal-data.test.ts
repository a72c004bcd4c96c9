import { afterEach, expect, it, vi } from "vitest";
import { call } from "../../support/builders/api.ts";
import { env, givenCompany } from "../../support/builders/company.ts";
import { claim, drained, withdraw } from "../../support/builders/commands.ts";
import { CRASH, fault, withD1 } from "../../support/faults/faulty-env.ts";
import { recordsOf } from "../../../src/db/projection/records.ts";
import { replaceInObject } from "../../support/probes/object.ts";
import { createTransaction } from "../../support/builders/transaction.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

function overhearConsole(): () => string {
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

it("a database that fails writes nothing of the payer to the log", async () => {
  const company = await givenCompany();
  const overheard = overhearConsole();
  const down = fault({ on: /insert into "transactions"|answered_at/, when: "before" });

  const answer = await createTransaction(
    company,
    { customer: payer, metadata: "note of the merchant" },
    { env: withD1(env, down.around) },
  );

  expect(down.strikes()).toBe(1);
  expect(answer.status).toBeGreaterThanOrEqual(500);
  const log = overheard();
  expect(log).toContain(CRASH);
  for (const secret of [payer.name, payer.email, payer.phone, payer.document.number, 'merchant"']) {
    expect(log.includes(secret), secret).toBe(false);
    expect(answer.text.includes(secret), secret).toBe(false);
  }
});

it("a search that fails writes nothing of whom it was for to the log", async () => {
  const company = await givenCompany();
  const overheard = overhearConsole();
  const down = fault({ on: /from "transactions"/, when: "before" });

  const path = `/api/v1/transactions?document=${payer.document.number}`;
  const answer = await call(path, { company, env: withD1(env, down.around) });

  expect(down.strikes()).toBe(1);
  expect(answer.status).toBeGreaterThanOrEqual(500);
  const log = overheard();
  expect(log).toContain("Error");
  expect(log.includes(payer.document.number)).toBe(false);
});

it("a drain that fails writes no PIX key and no metadata to the log", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const overheard = overhearConsole();
  const down = fault({ on: /insert into "withdraws"/, when: "before", times: Infinity });
  const restore = await replaceInObject(company, {
    records: () => recordsOf(withD1(env, down.around)),
  });

  const pixKey = { type: "EMAIL", value: "maria@cliente.example.com" } as const;
  await withdraw(company, { pixKey, metadata: "note of the merchant" });
  await claim(company);
  await drained(company);

  expect(down.strikes()).toBeGreaterThan(0);
  const log = overheard();
  expect(log).toContain("outbox_postponed");
  expect(log.includes(pixKey.value)).toBe(false);
  expect(log.includes("note of the merchant")).toBe(false);
  await restore();
});
