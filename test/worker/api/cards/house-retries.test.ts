import { afterEach, describe, expect, it, vi } from "vitest";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";
import { givenPagarMe } from "../../../support/builders/providers/pagarme.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const CUSTOMER = {
  name: "Maria da Conceição",
  email: "maria@example.com",
  phone: "+55 11 98765-4321",
  document: { number: "12345678909" },
};

afterEach(() => vi.restoreAllMocks());

/** A live company at Pagar.me that has saved a card. */
async function givenSaved(kind: "psp" | "gateway") {
  const { company, options, house, token } = await givenPagarMe(kind);
  const charge = (card: object, amount = 2_500) =>
    createTransaction(
      company,
      { amount, paymentMethod: "CREDIT_CARD", customer: CUSTOMER, card },
      options,
    );
  const first = await charge({ token: token(), saveCard: true });
  const { savedCardId } = first.body.data.card;
  return { company, house, charge: (amount?: number) => charge({ savedCardId }, amount) };
}

describe.each(["psp", "gateway"] as const)("a saved card of a %s account", (kind) => {
  it("that its brand never allows again is 422, and nothing is sent or kept", async () => {
    const { company, house, charge } = await givenSaved(kind);
    house.book.issuerSays = { code: "14" };
    const declined = await charge();
    expect(declined.body.data).toMatchObject({
      status: "REFUSED",
      refusedReason: { attemptsLeft: 0, retryable: false },
    });
    const sent = house.book.orders.length;

    const refused = await expectNoSideEffects(company, () => charge());

    const extensions = { attemptsLeft: 0 };
    await expectProblem(refused, { status: 422, code: "RETRY_FORBIDDEN", extensions });
    await expectDocumented("POST /api/v1/transactions/create", refused);
    expect(house.book.orders).toHaveLength(sent);
  });

  it("that was declined for now may be tried again", async () => {
    const { house, charge } = await givenSaved(kind);
    house.book.issuerSays = { code: "51" };
    const declined = await charge();
    expect(declined.body.data.refusedReason).toMatchObject({ attemptsLeft: 15, retryable: true });
    house.book.issuerSays = null;

    expect((await charge()).body.data.status).toBe("PAID");
  });
});
