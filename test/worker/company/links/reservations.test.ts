import { expect, it } from "vitest";
import { compose } from "../../../../src/company/compose.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import type { ReservationAnswer } from "../../../../src/company/links/command-types.ts";
import { settle, termsOf } from "../../../support/builders/charges/charge-commands.ts";
import { givenLink } from "../../../support/builders/charges/payment-links.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import {
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { TestClock } from "../../../support/fakes/clock.ts";

type Charge = { id: string; amount: number };

const AMOUNT = 5_000;
const CHECKOUT = "checkout-of-one-payer0";
/** Longer than a reservation waits for a charge that is being made. */
const HOLD_ENDED_MS = 2 * 60_000;
const CHARGES_MAX = 10;

async function givenLimitedLink(clock = new TestClock()) {
  const company = await givenCompany({ clock });
  const { id } = await givenLink(company, { maxPayments: 1, paymentMethods: ["PIX", "BOLETO"] });
  return { company, linkId: id as string };
}

async function givenCharge(company: TestCompany): Promise<Charge> {
  const { id } = await givenTransaction(company, { amount: AMOUNT });
  return { id, amount: AMOUNT };
}

/** A payer's act on the page (`charge` null), or the charge that was made for it. */
function take(
  company: TestCompany,
  linkId: string,
  charge: Charge | null,
  checkoutId = CHECKOUT,
): Promise<ReservationAnswer> {
  const terms = charge === null ? null : termsOf(charge);
  return callsTo(company.id).takeReservation({
    companyId: company.id,
    quotaPercent: 100,
    linkId,
    checkoutId,
    address: null,
    isTimed: false,
    charge: terms === null ? null : { terms, expiresAt: null, bytes: 0 },
  });
}

/** A payer's act, and the charge that it makes. */
async function takeForCharge(company: TestCompany, linkId: string): Promise<Charge> {
  const charge = await givenCharge(company);
  expect(await take(company, linkId, null)).toEqual({ kind: "taken" });
  expect(await take(company, linkId, charge)).toEqual({ kind: "taken" });
  return charge;
}

const openCountOf = (company: TestCompany, linkId: string) =>
  inAccount(
    company.id,
    (_, { storage }) => compose(storage.sql).stores.links.find(linkId)?.openCount,
  );

it("a payer's checkout of one link finds no reservation of another link", async () => {
  const { company, linkId } = await givenLimitedLink();
  const { id: other } = await givenLink(company, { maxPayments: 1 });
  await takeForCharge(company, linkId);

  expect(await take(company, other, null)).toEqual({ kind: "not_found" });

  expect(await openCountOf(company, other)).toBe(0);
});

it("a payer with a charge who begins another way to pay and leaves keeps the reservation", async () => {
  const clock = new TestClock();
  const { company, linkId } = await givenLimitedLink(clock);
  await takeForCharge(company, linkId);

  expect(await take(company, linkId, null)).toEqual({ kind: "taken" });
  clock.advance(HOLD_ENDED_MS);
  await inAccount(company.id, (account) => account.runNow());

  expect(await openCountOf(company, linkId)).toBe(1);
  expect(await take(company, linkId, null, "checkout-of-other-pay0")).toEqual({ kind: "full" });
});

it("a payer who acts again before the charge is made holds one reservation", async () => {
  const { company, linkId } = await givenLimitedLink();
  await take(company, linkId, null);

  expect(await take(company, linkId, null)).toEqual({ kind: "taken" });

  expect(await openCountOf(company, linkId)).toBe(1);
});

it("a payer makes ten charges of one checkout and no more", async () => {
  const { company, linkId } = await givenLimitedLink();
  for (let count = 0; count < CHARGES_MAX; count++) await takeForCharge(company, linkId);

  expect(await take(company, linkId, null)).toEqual({ kind: "too_many" });

  expect(await openCountOf(company, linkId)).toBe(1);
});

it("a charge that is made while another one of its checkout is paid has no reservation", async () => {
  const { company, linkId } = await givenLimitedLink();
  const paid = await takeForCharge(company, linkId);
  const late = await takeForCharge(company, linkId);
  expect(await settle(company, paid)).toEqual({ kind: "credited" });

  expect(await openCountOf(company, linkId)).toBe(0);
  const sold = { kind: "paid", transactionId: paid.id };
  expect(await take(company, linkId, late)).toEqual(sold);
  expect(await take(company, linkId, null)).toEqual(sold);
  expect(await take(company, linkId, paid)).toEqual({ kind: "taken" });
});
