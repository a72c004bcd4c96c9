import { processOperation } from "../../../../src/api/transactions/operations.ts";
import type { Dependencies } from "../../../../src/http/context.ts";
import type { RefundOutcome } from "../../../../src/providers/provider.ts";
import { systemClock, type Clock } from "../../../../src/domain/shared/clock.ts";
import { env, type TestCompany } from "../companies/env.ts";
import type { FakeBank } from "../../fakes/fake-bank.ts";

/** The dependencies of an app whose charges use this bank. */
export function depsWithBank(
  bank: FakeBank,
  clock: Clock = systemClock,
): Pick<Dependencies, "clock" | "providers"> {
  return { clock, providers: () => bank.registry() };
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
