import { expect, it } from "vitest";
import { bookPayment, refresh } from "../../../../src/api/provider-callbacks/service.ts";
import { findCompany } from "../../../../src/db/companies/companies.ts";
import { providerRefsOf } from "../../../../src/db/provider-refs.ts";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import { depsOfCompany } from "../../../../src/http/context.ts";
import { restore } from "../../../support/faults/restore.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { env, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";
import { givenPsp } from "../../../support/builders/providers/psp.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { FakeEfi } from "../../../support/fakes/efi-cobrancas/efi.ts";
import { efiProvider } from "../../../support/fakes/efi-cobrancas/provider.ts";
import { findingsOf } from "../../../support/probes/contradictions/findings.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

const BOLETO = {
  amount: 2_500,
  paymentMethod: "BOLETO",
  customer: { name: "Maria da Conceição", document: { number: "12345678909" } },
};

/** A live company whose PIX and boletos are at one bank, with a boleto that can be paid by Pix. */
async function givenBoleto() {
  const world = await givenPsp();
  const { company, clock, psp } = world;
  const efi = new FakeEfi(clock);
  const refs = providerRefsOf(world.env, clock, { companyId: company.id, account: "efi" });
  const provider = efiProvider("https://efi.test", efi.fetch, { clock, refs });
  const registry = world.deps.providers(world.env);
  const deps = {
    ...world.deps,
    providers: () => ({
      ...registry,
      routesFor: () => [provider],
      ofAccount: async (...[owner, account]: Parameters<typeof registry.ofAccount>) =>
        account === "efi" ? provider : registry.ofAccount(owner, account),
    }),
  };
  const options = { ...world.options, deps };
  const { id } = await givenTransaction(company, BOLETO, options);
  const stored = (await findCompany(world.env, company.id))!;
  const [pixAccount] = stored.accounts;
  // Two accounts of one company, of which the test makes both providers itself.
  const shown = { ...stored, accounts: [pixAccount!, { ...pixAccount!, account: "efi" }] };
  const companyDeps = depsOfCompany(deps, stored);
  const pix = (await registry.ofAccount(stored, pixAccount!.account))!;
  const chargeId = providerChargeId(id);
  const charge = efi.charge(chargeId);
  return {
    company,
    efi,
    charge,
    chargeId,
    options,
    id,
    /** What the charge's account says is booked. */
    toldByCharge: () =>
      refresh(world.env, companyDeps, shown, id, { report: null, account: "efi" }),
    /** A PIX by the boleto's code comes to the company's PIX account. */
    paidByPix: () => psp.payStaticCode(efi.book.pixTxidOf(charge), "25.00"),
    /** What the list of PIX says is booked. */
    toldByPix: async (paymentId: string) => {
      const found = await pix.findPayment(paymentId);
      if (found.kind !== "known") throw new Error(`the PIX is ${found.kind}`);
      const context = { env: world.env, deps: companyDeps, company: shown };
      return bookPayment(context, pix, found.payment);
    },
    books: async () => {
      const accounts = await accountsOf(company);
      const waits = await callAsOperator(`/companies/${company.id}/suspense`);
      const answer = await call(`/api/Transaction/transactionByTransactionId/${id}`, {
        ...options,
        company,
      });
      return {
        status: answer.body.enStatusTransaction,
        endToEndId: answer.body.endToEndId,
        credited: (accounts["available"] ?? 0) + (accounts["awaiting"] ?? 0),
        unexpected: waits.body.items.map((each: { amount: number }) => each.amount),
      };
    },
  };
}

it.each([[["pix", "charge"]], [["charge", "pix"]]])(
  "a boleto's Pix that is told by %j is credited once",
  async (order) => {
    const { efi, chargeId, paidByPix, toldByPix, toldByCharge, books } = await givenBoleto();
    efi.pay(chargeId, { by: "pix" });
    const paymentId = paidByPix();

    for (const teller of [...order, ...order]) {
      if (teller === "pix") expect(await toldByPix(paymentId)).toBe(true);
      else expect(await toldByCharge()).toBe("booked");
    }

    expect(await books()).toMatchObject({ status: "Paid", credited: 2_500, unexpected: [] });
  },
);

it("a boleto's Pix of which a restore of D1 has made all forgotten is credited once", async () => {
  const { company, efi, chargeId, paidByPix, toldByPix, toldByCharge, books } = await givenBoleto();
  efi.pay(chargeId, { by: "pix" });
  const paymentId = paidByPix();
  await env.DB.prepare("DELETE FROM provider_refs WHERE company_id = ?").bind(company.id).run();
  await restore(company);

  await toldByPix(paymentId);
  await toldByCharge();

  expect(await books()).toMatchObject({ status: "Paid", credited: 2_500, unexpected: [] });
});

it("a boleto's payment keeps its id after a restore of D1, whatever Efí says now of how it was paid", async () => {
  const { company, efi, charge, chargeId, toldByCharge, books } = await givenBoleto();
  efi.pay(chargeId);
  expect(await toldByCharge()).toBe("booked");
  await waitUntilDrained(company);
  await env.DB.prepare("DELETE FROM provider_refs WHERE company_id = ? AND id LIKE 'seen:%'")
    .bind(company.id)
    .run();

  await restore(company);
  charge.receivedAt = null;
  await toldByCharge();

  expect(await books()).toMatchObject({ status: "Paid", credited: 2_500, unexpected: [] });
});

it("a boleto paid at a bank and by its Pix in one second is two payments, one unexpected", async () => {
  const { efi, chargeId, paidByPix, toldByPix, toldByCharge, books } = await givenBoleto();
  efi.pay(chargeId);
  const paymentId = paidByPix();

  await toldByPix(paymentId);
  await toldByCharge();
  await toldByPix(paymentId);

  expect(await books()).toMatchObject({ status: "Paid", credited: 2_500, unexpected: [2_500] });
});

it("a boleto that is paid after it was cancelled has its money, once", async () => {
  const { efi, charge, chargeId, toldByCharge, books } = await givenBoleto();
  efi.book.cancel(charge);
  await toldByCharge();
  expect(await books()).toMatchObject({ status: "Cancelled", credited: 0, unexpected: [] });

  efi.pay(chargeId, { value: 2_500 });
  await toldByCharge();
  await toldByCharge();

  expect(await books()).toMatchObject({ status: "Paid", credited: 2_500, unexpected: [] });
});

it("a boleto settled by hand credits nothing, and is for a person to look at", async () => {
  const { company, efi, charge, toldByCharge, books } = await givenBoleto();
  efi.book.change(charge, "settled");

  await toldByCharge();
  await toldByCharge();

  expect(await books()).toMatchObject({ credited: 0, unexpected: [] });
  expect(await findingsOf(company)).toMatchObject([{ kind: "record_unreadable", amount: 0 }]);
});
