import { findTransaction } from "../../../../src/api/transactions/repository.ts";
import { syncCharge, type SyncOutcome } from "../../../../src/api/transactions/sync.ts";
import type { Clock } from "../../../../src/domain/shared/clock.ts";
import type { Answer, Call } from "../requests/api.ts";
import { env, type TestCompany } from "../companies/env.ts";
import type { FakeBank } from "../../fakes/fake-bank.ts";
import { bookingOf } from "../operations/operations.ts";
import { createTransaction } from "./transaction.ts";
import { transactionsOf } from "../../probes/charges/transaction-rows.ts";
import { CARD } from "../../fakes/fake-acquirer.ts";

/** Creates a card charge of 100.00; `capture: false` only authorizes it. */
export function createCardCharge(
  company: TestCompany,
  cardOptions: { capture?: boolean; installments?: number } = {},
  options: Call & { key?: string } = {},
): Promise<Answer> {
  const { capture = true, installments = 1 } = cardOptions;
  const customer = {
    name: "Maria da Silva",
    document: { type: "CPF", number: "52998224725" },
  };
  const card = { ...CARD, capture };
  const request = { amount: 10_000, paymentMethod: "CREDIT_CARD", installments, customer, card };
  return createTransaction(company, request, options);
}

/** Refreshes the company's only charge, as a callback does. */
export async function refreshCharge(
  company: TestCompany,
  bank: FakeBank,
  clock: Clock,
): Promise<SyncOutcome> {
  const [transaction] = await transactionsOf(company);
  if (transaction === undefined) throw new Error("there is no transaction");
  const row = await findTransaction(env, company.id, transaction.id);
  if (row === null) throw new Error("the transaction is not in D1");
  return syncCharge(await bookingOf(company, bank, clock), bank, row);
}
