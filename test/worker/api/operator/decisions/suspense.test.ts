import { describe, expect, it } from "vitest";
import type { Answer, Call } from "../../../../support/builders/requests/api.ts";
import { endToEndId, settle } from "../../../../support/builders/charges/charge-commands.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { accountsOf, movementsOf } from "../../../../support/probes/ledger/ledger.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { approve, decideByTwo, proposeOn } from "../../../../support/builders/operations/decide.ts";
import {
  depsWithBank,
  settleRefunds,
  resumeOperation,
  REFUSED,
} from "../../../../support/builders/operations/operations.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import { anyEndToEndId, anyTime } from "../../../../support/probes/http/matchers.ts";
import { givenPaid, pay } from "../../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const LIST = "GET /api/v1/operator/companies/{companyId}/suspense";

const list = (company: TestCompany, query = ""): Promise<Answer> =>
  callAsOperator(`/companies/${company.id}/suspense${query}`);

/** Two operators return a payment: the payment as the list shows it then, or the refusal. */
async function returnToPayer(
  company: TestCompany,
  id: string,
  options: Call = {},
): Promise<Answer> {
  const path = `/companies/${company.id}/suspense/${id}/return`;
  const answer = await decideByTwo(path, {}, options);
  if (answer.status !== 200) return answer;
  const { items } = (await list(company)).body;
  const payment = items.find(({ paymentId }: { paymentId: string }) => paymentId === id);
  expect(answer.body.data.outcome).toEqual({ returnStatus: payment.returnStatus });
  return { ...answer, body: payment };
}

/** A charge that was paid twice: the second payment, of 9.00, is in suspense. */
async function givenUnexpected() {
  const company = await givenCompany();
  const { id, endToEndId: credited } = await givenPaid(company, 2_500);
  await pay(company, id, 900);
  const [payment] = (await list(company)).body.items;
  return {
    company,
    transactionId: id as string,
    credited: credited as string,
    unexpected: payment.paymentId as string,
  };
}

describe("the list", () => {
  it("shows an unexpected payment with the charge that it was paid for", async () => {
    const { company, transactionId } = await givenUnexpected();
    const answer = await list(company);
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      items: [
        {
          paymentId: anyEndToEndId,
          transactionId,
          amount: 900,
          paidAt: anyTime,
          returnedAmount: 0,
          returnStatus: null,
        },
      ],
      after: null,
      hasMore: false,
    });
    await expectDocumented(LIST, answer);
  });

  it("is empty without unexpected payments and shows no other company's payments", async () => {
    await givenUnexpected();
    const company = await givenCompany({ balance: 1_000 });
    const { body } = await list(company);
    expect(body).toStrictEqual({ items: [], after: null, hasMore: false });
  });

  it.each([1, 2, 5, 100])(
    "returns every payment once when it is read %i at a time",
    async (limit) => {
      const company = await givenCompany();
      const transaction = await givenPaid(company, 2_500);
      const ids = [2, 3, 4, 5, 6].map(endToEndId);
      for (const id of ids) await settle(company, transaction, { paymentId: id });
      const walked: string[] = [];
      let after = "";
      for (let page = 0; page <= ids.length; page++) {
        const { body } = await list(
          company,
          `?limit=${limit}${after === "" ? "" : `&after=${after}`}`,
        );
        walked.push(...body.items.map((item: any) => item.paymentId));
        expect(body.hasMore).toBe(body.after !== null);
        if (!body.hasMore) break;
        ({ after } = body);
      }
      expect(walked).toEqual(ids);
    },
  );

  it.each(["limit=0", "limit=101", "limit=x", `after=${"E".repeat(65)}`])(
    "VALIDATION_FAILED: %s",
    async (query) => {
      const company = await givenCompany();
      await expectProblem(await list(company, `?${query}`), {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: [query.split("=")[0] ?? ""],
      });
    },
  );
});

describe("a return", () => {
  it("sends the payment back once, although it is requested several times", async () => {
    const { company, unexpected, transactionId } = await givenUnexpected();
    const bank = new FakeBank();
    const options = { deps: depsWithBank(bank) };

    const first = await returnToPayer(company, unexpected, options);

    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ paymentId: unexpected, amount: 900, returnStatus: "DONE" });
    expect(bank.sentRefunds).toMatchObject([
      { chargeId: transactionId.replaceAll("-", ""), paymentId: unexpected, amount: 900 },
    ]);
    const repeated = await expectNoSideEffects(company, () =>
      returnToPayer(company, unexpected, options),
    );
    await expectProblem(repeated, { status: 409, code: "INVALID_STATE" });
    expect(bank.sentRefunds).toHaveLength(1);
    expect(await accountsOf(company)).toMatchObject({ available: 2_500, suspense: 0 });
    expect((await movementsOf(company)).at(-1)).toEqual({
      type: "suspense_returned",
      postings: { suspense: -900, provider: 900 },
    });
    expect((await list(company)).body.items).toMatchObject([{ returnStatus: "DONE" }]);
  });

  it("at the sandbox bank leaves the credited payment refundable", async () => {
    const { company, unexpected, transactionId } = await givenUnexpected();
    expect((await returnToPayer(company, unexpected)).status).toBe(200);
    const { status, body } = await refund(company, transactionId);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: "REFUNDED", refundedAmount: 2_500 });
    expect(await accountsOf(company)).toMatchObject({ available: 0, suspense: 0, provider: 0 });
  });

  it("is announced of the payment and changes no transaction", async () => {
    const { company, unexpected } = await givenUnexpected();
    const before = await eventsOf(company);
    await returnToPayer(company, unexpected);
    const types = (await eventsOf(company)).slice(before.length).map(({ type }) => type);
    expect(types).toEqual(["payment.returned"]);
  });

  it("is sent once for a burst of requests", async () => {
    const { company, unexpected } = await givenUnexpected();
    const bank = new FakeBank();
    const options = { deps: depsWithBank(bank) };
    const path = `/companies/${company.id}/suspense/${unexpected}/return`;
    const proposals = await Promise.all(
      Array.from({ length: 4 }, () => proposeOn(path, {}, options)),
    );
    const ids = new Set(proposals.map(({ body }) => body.data.id));
    expect(ids.size).toBe(1);
    const [id] = [...ids];
    const answers = await Promise.all(Array.from({ length: 4 }, () => approve(id, options)));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(bank.sentRefunds).toHaveLength(1);
    expect(await accountsOf(company)).toMatchObject({ suspense: 0 });
  });
});

describe("a bank that does not respond to a return", () => {
  it("leaves the return open until it is done, and is not sent it again", async () => {
    const { company, unexpected } = await givenUnexpected();
    const bank = new FakeBank();
    bank.onRefund = async () => ({ kind: "unknown" });
    const options = { deps: depsWithBank(bank) };
    const first = await returnToPayer(company, unexpected, options);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ paymentId: unexpected, returnStatus: "PENDING" });
    expect(await accountsOf(company)).toMatchObject({ suspense: 900 });
    expect((await returnToPayer(company, unexpected, options)).status).toBe(409);

    settleRefunds(bank, { kind: "done" });
    await resumeOperation(company, bank);

    expect((await list(company)).body.items).toMatchObject([{ returnStatus: "DONE" }]);
    expect(bank.sentRefunds).toHaveLength(1);
    expect(await accountsOf(company)).toMatchObject({ suspense: 0 });
  });
});

describe("a bank that refuses a return", () => {
  it("keeps the payment in suspense, and the return can be retried", async () => {
    const { company, unexpected } = await givenUnexpected();
    const bank = new FakeBank();
    bank.onRefund = async () => REFUSED;
    const options = { deps: depsWithBank(bank) };
    expect((await returnToPayer(company, unexpected, options)).body.returnStatus).toBe("FAILED");
    expect((await list(company)).body.items).toMatchObject([{ returnStatus: "FAILED" }]);
    expect(await accountsOf(company)).toMatchObject({ suspense: 900 });

    bank.onRefund = async () => ({ kind: "done" });
    const again = await returnToPayer(company, unexpected, options);

    expect(again.status).toBe(200);
    expect(again.body.returnStatus).toBe("DONE");
    expect(new Set(bank.sentRefunds.map((order) => order.refundId)).size).toBe(2);
    expect(await accountsOf(company)).toMatchObject({ suspense: 0 });
  });
});

describe("NOT_FOUND", () => {
  it("rejects a payment that is unknown, credited or another company's", async () => {
    const { company, credited } = await givenUnexpected();
    const { unexpected: theirs } = await givenUnexpected();
    for (const id of ["nothing", endToEndId(999), credited, theirs]) {
      const answer = await expectNoSideEffects(company, () => returnToPayer(company, id));
      await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
    }
  });
});
