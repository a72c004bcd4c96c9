import { expect, it } from "vitest";
import {
  createTransactionOfPayment,
  type PaymentWithoutCharge,
} from "../../../../../src/api/transactions/payment-charge.ts";
import { findTransaction } from "../../../../../src/api/transactions/repository.ts";
import { applyCharge } from "../../../../../src/api/transactions/sync.ts";
import { findCompany } from "../../../../../src/db/companies/companies.ts";
import { systemDependencies } from "../../../../../src/dependencies.ts";
import type { Company } from "../../../../../src/domain/shared/company.ts";
import { endToEndId } from "../../../../support/builders/charges/charge-commands.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { leaveOfChargeQuota } from "../../../../support/builders/companies/quotas.ts";
import { CONNECTION_LOST, injectFault, withD1 } from "../../../../support/faults/faulty-env.ts";
import { transactionsOf } from "../../../../support/probes/charges/transaction-rows.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";
import { depsOfCompany } from "../../../../../src/http/context.ts";

const PAYMENT: PaymentWithoutCharge = {
  paymentId: endToEndId(1),
  paymentMethod: "PIX",
  amount: 1_500,
  paidAt: Date.now(),
  account: "sandbox",
  externalRef: "",
  description: "Caixinha",
  payer: { name: "Ana Souza", documentMasked: "***.456.789-**", ispb: "00000000" },
  origin: "unexpected_payment",
};

async function givenLoadedCompany() {
  const company = await givenCompany();
  const loaded = await findCompany(env, company.id);
  if (loaded === null) throw new Error("the company is in D1");
  return { company, loaded };
}

const depsOf = (company: Company) => depsOfCompany(systemDependencies, company);

const create = (company: Company, environment = env) =>
  createTransactionOfPayment(environment, depsOf(company), company, PAYMENT);

it("two reports of a payment at once make one transaction, which its payment pays", async () => {
  const { company, loaded } = await givenLoadedCompany();

  const [one, other] = await Promise.all([create(loaded), create(loaded)]);
  const again = await create(loaded);

  expect(other.id).toBe(one.id);
  expect(again.id).toBe(one.id);
  expect(await transactionsOf(company)).toMatchObject([
    { id: one.id, status: "waiting_payment", nextSweepAt: null },
  ]);
  const { paymentId, amount, paidAt } = PAYMENT;
  const payments = [{ paymentId, method: "PIX" as const, amount, paidAt }];
  const charge = { status: "open" as const, payments, disputes: [], refunds: [] };
  const bank = { account: "first", pspClient: null };
  await applyCharge({ env, deps: depsOf(loaded), company: loaded }, bank, one, charge);
  expect(await findTransaction(env, company.id, one.id)).toMatchObject({
    status: "paid",
    amount,
    paidAmount: amount,
    endToEndId: paymentId,
    items: [{ title: "Caixinha", unitPrice: amount, quantity: 1 }],
    expiresAt: null,
    pix: null,
  });
  expect(await accountsOf(company)).toMatchObject({ available: amount });
  expect((await eventsOf(company)).map(({ type }) => type)).toEqual(["transaction.paid"]);
});

it("no used-up quota stops the transaction of money that came", async () => {
  const { company, loaded } = await givenLoadedCompany();
  await givenTransaction(company);
  await leaveOfChargeQuota(company, "chargesPerDay", 0);

  await create({ ...loaded, chargesStopped: "storage" });

  expect(await transactionsOf(company)).toMatchObject([{}, { status: "waiting_payment" }]);
});

it("a lost answer of D1 leaves one transaction", async () => {
  const { company, loaded } = await givenLoadedCompany();
  const fault = injectFault({
    on: /insert into "transactions"/,
    when: "after",
    error: CONNECTION_LOST,
  });

  const row = await create(loaded, withD1(env, fault.intercept));

  expect(fault.injections()).toBe(1);
  expect(await transactionsOf(company)).toMatchObject([{ id: row.id }]);
});
