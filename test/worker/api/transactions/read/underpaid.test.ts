import { describe, expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import { capture, refund } from "../../../../support/builders/operations/refund.ts";
import { givenAuthorized } from "../../../../support/builders/charges/card.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { BOLETO_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";

/** The payment fields in each view of a transaction. */
async function everywhere(company: TestCompany, id: string): Promise<Record<string, unknown>> {
  const read = async (path: string) => (await call(path, { company })).body;
  const { items: events } = await read("/api/v1/events");
  const shown = {
    detail: await read(`/api/Transaction/transactionByTransactionId/${id}`),
    list: (await read("/api/Transaction/company/transactions")).res.items[0],
    search: (await read(`/api/v1/transactions?ids=${id}`)).items[0],
    checkout: await read(`/api/checkout/status/${id}`),
    event: events.findLast(({ type }: any) => type.startsWith("transaction."))?.data,
  };
  return Object.fromEntries(
    Object.entries(shown).map(([view, { paidAmount, underpaid } = {} as any]) => [
      view,
      [paidAmount, underpaid],
    ]),
  );
}

const inEveryView = (paidAmount: number | null, underpaid: boolean) => ({
  detail: [paidAmount, underpaid],
  list: [paidAmount, underpaid],
  search: [paidAmount, underpaid],
  checkout: [paidAmount, underpaid],
});

describe("the paid amount is in every view and event", () => {
  it("a charge of 5,000.00 that was paid with 0.01 is underpaid", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company, { amount: 500_000 });
    const { body } = await pay(company, id, 1);
    const expected = { status: "PAID", amount: 500_000, paidAmount: 1, underpaid: true };
    expect(body.data).toMatchObject(expected);
    expect(await everywhere(company, id)).toEqual({
      ...inEveryView(1, true),
      event: [1, true],
    });
  });

  it.each([2_500, 2_501])(
    "a charge of 25.00 that was paid with %i is not underpaid",
    async (amount) => {
      const company = await givenCompany();
      const { id } = await givenTransaction(company);
      const { body } = await pay(company, id, amount);
      expect(body.data).toMatchObject({ paidAmount: amount, underpaid: false });
      expect(await everywhere(company, id)).toEqual({
        ...inEveryView(amount, false),
        event: [amount, false],
      });
    },
  );

  it("an unpaid charge has a null paid amount and is not underpaid", async () => {
    const company = await givenCompany();
    const data = await givenTransaction(company);
    expect(data).toMatchObject({ paidAmount: null, underpaid: false });
    expect(await everywhere(company, data.id)).toMatchObject(inEveryView(null, false));
  });
});

it("a boleto that was paid with its discount is not underpaid, and is with a centavo less", async () => {
  const company = await givenCompany();
  const boleto = { discount: { type: "FIXED", value: 500 } };
  for (const [amount, underpaid] of [
    [4_500, false],
    [4_499, true],
  ] as const) {
    const { id } = await givenTransaction(company, { ...BOLETO_REQUEST, boleto });
    const { body } = await pay(company, id, amount);
    expect(body.data).toMatchObject({ amount: 5_000, paidAmount: amount, underpaid });
  }
});

it("compares the captured amount of a card with its amount", async () => {
  const company = await givenCompany();
  const { id } = await givenAuthorized(company);
  const { body } = await capture(company, id, 3_000);
  expect(body.data).toMatchObject({ amount: 5_000, paidAmount: 3_000, underpaid: true });
});

it("a refund does not make a charge underpaid", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company);
  await pay(company, id);
  const { body } = await refund(company, id);
  expect(body.data).toMatchObject({ status: "REFUNDED", paidAmount: 2_500, underpaid: false });
});
