import { expect, it } from "vitest";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";

/** A PIX request ignores its card, and must not store any of it. */
const card = (change: Record<string, unknown> = {}) => ({
  card: {
    number: "4242424242424242",
    holderName: "MARIA DA SILVA",
    expirationMonth: 12,
    expirationYear: 2030,
    cvv: "123",
    ...change,
  },
});

it.each([{ cvv: "999" }, { number: "4000000000024242" }, { holderName: "JOAO" }])(
  "compares only brand, last digits and expiry of a card: %o is the same request",
  async (change) => {
    const company = await givenCompany();
    const first = await createTransaction(company, card(), { key: "tx_card" });
    const second = await createTransaction(company, card(change), { key: "tx_card" });
    expect(second.status).toBe(200);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    expect(second.body).toEqual(first.body);
  },
);

it.each([{ expirationYear: 2031 }, { number: "4111111111111111" }, { number: "5555550000024242" }])(
  "IDEMPOTENCY_KEY_REUSED: %o is another request",
  async (change) => {
    const company = await givenCompany();
    await createTransaction(company, card(), { key: "tx_card" });
    const other = await createTransaction(company, card(change), { key: "tx_card" });
    expect(other.status).toBe(409);
  },
);
