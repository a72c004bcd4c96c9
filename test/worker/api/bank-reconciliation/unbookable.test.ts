import { expect, it, vi } from "vitest";
import type { CallEnvelope, CompanyObject } from "../../../../src/company/object.ts";
import { env, type TestCompany } from "../../../support/builders/companies/company.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { givenPsp, reconcileDue, type PspSetup } from "../../../support/builders/providers/psp.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The same world with an object that throws for payments that match. */
function withFailingCommits(world: PspSetup, isBroken: (paymentId: string) => boolean): PspSetup {
  const { COMPANY_ACCOUNT } = world.env;
  const broken = (stub: object) =>
    new Proxy(stub, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as (envelope: CallEnvelope) => unknown;
        if (name !== "call") return method;
        return async (envelope: CallEnvelope) => {
          const { payment } = envelope.parameter as { payment?: { paymentId: string } };
          if (envelope.name === "bookUnexpectedPayment" && isBroken(payment?.paymentId ?? ""))
            throw new Error("a bug");
          return (stub as CompanyObject).call(envelope);
        };
      },
    });
  const breaking = new Proxy(COMPANY_ACCOUNT, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as (...values: unknown[]) => unknown;
      if (name !== "getByName") return value.bind(target);
      return (...values: unknown[]) => broken(value.apply(target, values) as object);
    },
  });
  return { ...world, env: { ...world.env, COMPANY_ACCOUNT: breaking } };
}

async function findingsOf({ id }: TestCompany): Promise<any[]> {
  const { results } = await env.DB.prepare(
    "SELECT kind, said, booked FROM contradictions WHERE company_id = ? ORDER BY number",
  )
    .bind(id)
    .all<any>();
  return results.filter(({ kind }) => kind === "record_unreadable");
}

async function runCronUntil(world: PspSetup, ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    world.clock.advance(stepMs);
    await reconcileDue(world);
  }
}

/** A PSP that lists two payments without callbacks; booking the first one throws. */
async function givenUnbookablePayment() {
  const whole = await givenPsp();
  await reconcileDue(whole);
  const paymentId = whole.psp.payKey("7.00");
  whole.psp.payKey("5.00");
  whole.psp.callbacks.length = 0;
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  let isBroken = true;
  const world = withFailingCommits(whole, (id) => isBroken && id === paymentId);
  return { ...world, mend: () => (isBroken = false) };
}

it("a record that cannot be booked does not block others and is retried at once after the cause is gone", async () => {
  const world = await givenUnbookablePayment();
  await runCronUntil(world, 10 * MINUTE_MS, MINUTE_MS);
  expect(await accountsOf(world.company)).toMatchObject({ suspense: 500 });
  expect(await findingsOf(world.company)).toEqual([]);

  world.mend();
  await runCronUntil(world, 10 * MINUTE_MS, MINUTE_MS);
  expect(await accountsOf(world.company)).toMatchObject({ suspense: 1_200 });
  expect(await findingsOf(world.company)).toEqual([]);
});

it("a record that stays unbookable until its pass is late is shown to operators once and skipped", async () => {
  const world = await givenUnbookablePayment();
  await runCronUntil(world, 60 * MINUTE_MS, 2 * MINUTE_MS);
  expect(await findingsOf(world.company)).toMatchObject([
    { booked: expect.stringContaining("could not be booked") },
  ]);
  world.psp.payKey("3.00");
  world.psp.callbacks.length = 0;
  await runCronUntil(world, 10 * MINUTE_MS, MINUTE_MS);
  expect(await accountsOf(world.company)).toMatchObject({ suspense: 800 });

  world.mend();
  await runCronUntil(world, 2 * DAY_MS + 120 * MINUTE_MS, 60 * MINUTE_MS);
  expect(await accountsOf(world.company)).toMatchObject({ suspense: 1_500 });
  expect(await findingsOf(world.company)).toHaveLength(1);
});
