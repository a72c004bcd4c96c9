import { saoPauloMonth } from "../../../../src/domain/ledger/entries/month.ts";
import { TestClock } from "../../fakes/clock.ts";
import { givenTransaction, pay } from "../charges/transaction.ts";
import { givenCompany, type TestCompany } from "../companies/company.ts";
import { refund, resolveDispute, simulate, updateSettings } from "../operations/refund.ts";
import { requestWithdraw, runPayout } from "../withdraws/withdraw.ts";

/** Days of a release, and enough of them to reach the next month from any day. */
const RELEASE_DAYS = 1;
const MONTH_MS = 31 * 86_400_000;

/**
 * A company whose money moved in every usual way, in one month and in the next: payments with fees, at once and
 * later, refunds, withdraws, disputes and a chargeback beyond its balance.
 */
export async function givenTwoMonths(): Promise<{ company: TestCompany; months: string[] }> {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const first = saoPauloMonth(clock.now());
  const orders = [await givenOrder(company, "pedido-1", 5_000)];
  await updateSettings(company, {
    fees: { PIX: { fixed: 35 }, WITHDRAW: { fixed: 100 } },
    releaseDays: { PIX: RELEASE_DAYS },
  });
  orders.push(await givenOrder(company, "pedido-2", 9_000));
  await refund(company, orders[0] ?? "", 700);
  const { body: withdraw } = await requestWithdraw(company, { amount: 2_000 });
  await runPayout(company, withdraw.id);
  clock.advance(MONTH_MS);
  await updateSettings(company, { releaseDays: { PIX: 0 } });
  orders.push(await givenOrder(company, "pedido-3", 2_500));
  orders.push(await givenOrder(company, "pedido-4", 1_500));
  await simulate(company, orders[2] ?? "", "dispute");
  await resolveDispute(company, orders[2] ?? "", "won");
  await simulate(company, orders[3] ?? "", "dispute");
  await resolveDispute(company, orders[3] ?? "", "lost");
  const { body: last } = await requestWithdraw(company, { amount: 10_000 });
  await runPayout(company, last.id);
  await simulate(company, orders[1] ?? "", "chargeback");
  return { company, months: [first, saoPauloMonth(clock.now())] };
}

async function givenOrder(company: TestCompany, externalRef: string, amount: number) {
  const customer = { name: "Maria & Filhos; Ltda", externalRef };
  const { id } = await givenTransaction(company, { amount, customer });
  await pay(company, id);
  return id as string;
}
