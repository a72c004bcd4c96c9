import { describe, expect, it } from "vitest";
import { UNEXPECTED } from "../../../support/builders/charges/unexpected.ts";
import { givenPaid, givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { refund } from "../../../support/builders/operations/refund.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const ask = (company: TestCompany, query: Record<string, string>) =>
  call(`/api/v1/payments/received?${new URLSearchParams(query).toString()}`, { company });

/** What the payer's receipt shows of a paid transaction. */
const receiptOf = async (company: TestCompany, id: string) => {
  const { body } = await call(`/api/v1/transactions/${id}`, { company });
  return { endToEndId: body.data.endToEndId as string, at: body.data.paidAt as string };
};

describe("a payment in question", () => {
  it("is found by its end-to-end id, and by amount and minute", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await givenPaid(company, 2_600);
    const { endToEndId, at } = await receiptOf(company, id);
    const answer = await ask(company, { endToEndId });
    await expectDocumented("GET /api/v1/payments/received", answer);
    expect(answer.body).toMatchObject({
      items: [{ id: endToEndId, transactionId: id, amount: 2_500, status: "credited" }],
      isWhole: true,
    });
    const minute = `${at.slice(0, 17)}00.000Z`;
    expect((await ask(company, { amount: "2500", at: minute })).body).toEqual(answer.body);
  });

  it("shows no more of its payer than the first name and a masked document", async () => {
    const company = await givenCompany();
    const document = { number: "52998224725", type: "CPF" };
    const { id } = await givenTransaction(company, { customer: { name: "Maria Silva", document } });
    await pay(company, id);
    const { endToEndId } = await receiptOf(company, id);
    const [{ payer }] = (await ask(company, { endToEndId })).body.items;
    expect(payer).toEqual({ firstName: "Maria", documentMasked: "***.982.247-**" });
  });

  it("says what became of it: refunded in part, refunded, or kept because nobody expected it", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    const { endToEndId, at } = await receiptOf(company, id);
    const statusNow = async () => (await ask(company, { endToEndId })).body.items[0].status;
    await refund(company, id, 500);
    expect(await statusNow()).toBe("partly_returned");
    await refund(company, id, 2_000);
    expect(await statusNow()).toBe("returned");
    await UNEXPECTED.NO_CHARGE(company);
    const kept = (await ask(company, { amount: "900", at })).body.items;
    expect(kept).toMatchObject([{ status: "kept", transactionId: null }]);
  });

  it("has not arrived: another amount, another minute, another company's", async () => {
    const [company, other] = [await givenCompany(), await givenCompany()];
    const { id } = await givenPaid(company, 2_500);
    await pay(company, id, 2_500);
    const { endToEndId, at } = await receiptOf(company, id);
    const later = new Date(Date.parse(at) + 10 * 60_000).toISOString();
    const questions: [TestCompany, Record<string, string>][] = [
      [company, { amount: "2501", at }],
      [company, { amount: "2500", at: later }],
      [other, { endToEndId }],
      [other, { amount: "2500", at }],
    ];
    for (const [by, query] of questions) {
      expect((await ask(by, query)).body).toEqual({ items: [], isWhole: true });
    }
  });

  it.each([
    [{}, "endToEndId"],
    [{ amount: "2500" }, "endToEndId"],
    [{ endToEndId: "E123" }, "endToEndId"],
    [{ endToEndId: "E00000000202611211201a1b2c3d4e5f", amount: "1" }, "endToEndId"],
    [{ amount: "2500", at: "yesterday" }, "at"],
  ])("is refused as a question: %j", async (query, field) => {
    const answer = await ask(await givenCompany(), query);
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
  });
});
