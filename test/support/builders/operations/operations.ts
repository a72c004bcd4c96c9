import { processOperation } from "../../../../src/api/transactions/operations.ts";
import { depsOfCompany, type Dependencies } from "../../../../src/http/context.ts";
import type { RefundOutcome } from "../../../../src/providers/provider.ts";
import type { BookingContext } from "../../../../src/api/payments/provider-order.ts";
import type { Env } from "../../../../src/config.ts";
import { findCompany } from "../../../../src/db/companies/companies.ts";
import { systemClock, systemRandom, type Clock } from "../../../../src/domain/shared/clock.ts";
import { env, type TestCompany } from "../companies/env.ts";
import type { FakeBank } from "../../fakes/fake-bank.ts";

/** The dependencies of an app whose charges use this bank. */
export function depsWithBank(
  bank: FakeBank,
  clock: Clock = systemClock,
): Pick<Dependencies, "platformClock" | "providers" | "random"> {
  return { platformClock: clock, random: systemRandom, providers: () => bank.registry() };
}

/** What a Worker that books a company's payments from this bank has at hand. */
export async function bookingOf(
  company: Pick<TestCompany, "id">,
  bank: FakeBank,
  clock: Clock = systemClock,
  environment: Env = env,
): Promise<BookingContext> {
  const found = await findCompany(env, company.id);
  if (found === null) throw new Error("the company is not in D1");
  return {
    env: environment,
    deps: depsOfCompany(depsWithBank(bank, clock), found),
    company: found,
  };
}

/** Resumes an operation without a result, as the queue consumer does. */
export function resumeOperation(company: TestCompany, bank: FakeBank, id = 1): Promise<void> {
  return processOperation(env, depsWithBank(bank), company.id, id);
}

/** Settles every refund at the bank with this outcome. */
export function settleRefunds(bank: FakeBank, outcome: RefundOutcome): void {
  for (const refundId of bank.refunds.keys()) bank.refunds.set(refundId, outcome);
}

export const REFUSED: RefundOutcome = { kind: "failed", reason: "The account is closed." };
