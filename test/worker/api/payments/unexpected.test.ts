import { describe, expect, it } from "vitest";
import type {
  UnexpectedReason,
  UnexpectedRule,
} from "../../../../src/domain/charges/unexpected-payment.ts";
import { systemDependencies } from "../../../../src/dependencies.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import { call } from "../../../support/builders/requests/api.ts";
import {
  decide,
  listUnexpected,
  newestUnexpected,
  setRules,
  UNEXPECTED,
} from "../../../support/builders/charges/unexpected.ts";
import { givenPaid, givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";
import { BOLETO_REQUEST } from "../../../support/builders/requests/full-request.ts";
import {
  givenUnexpectedPayment,
  reportDispute,
  reportExternalRefund,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { decideByTwo } from "../../../support/builders/operations/decide.ts";
import { refund } from "../../../support/builders/operations/refund.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { runSweep } from "../../../support/fakes/cron.ts";
import { injectFault, withAccounts } from "../../../support/faults/faulty-env.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const PATH = "/api/v1/payments/unexpected";

const paymentEvents = async (company: TestCompany) =>
  (await eventsOf(company))
    .filter(({ type }) => type.startsWith("payment."))
    .map(({ type, body }) => [type, body.data.previousStatus, body.data.status]);

const openContradictions = async (company: TestCompany) =>
  (await callAsOperator("/contradictions?status=open&limit=100")).body.items.filter(
    (each: any) => each.companyId === company.id,
  );

const CREDITED_AT_ONCE = [["payment.unexpected", null, "credited"]];
const KEPT = [["payment.unexpected", null, "kept"]];
const RETURNED = [
  ["payment.unexpected", null, "returning"],
  ["payment.returned", "returning", "returned"],
];
const CREDITED = [
  ["payment.unexpected", null, "crediting"],
  ["payment.credited", "crediting", "credited"],
];

describe("a company's rule", () => {
  it.each<[UnexpectedReason, UnexpectedRule | null, unknown, object]>([
    ["SECOND_PAYMENT", null, KEPT, { available: 2_500, suspense: 900 }],
    ["SECOND_PAYMENT", "credit", CREDITED, { available: 3_400, suspense: 0 }],
    ["SECOND_PAYMENT", "return", RETURNED, { available: 2_500, suspense: 0 }],
    ["LATE", null, CREDITED_AT_ONCE, { available: 900 }],
    ["LATE", "keep", KEPT, { suspense: 900 }],
    ["LATE", "return", RETURNED, { suspense: 0, provider: 0 }],
    ["NO_CHARGE", null, KEPT, { suspense: 900 }],
    ["NO_CHARGE", "credit", CREDITED, { available: 900, suspense: 0 }],
    ["NO_CHARGE", "return", RETURNED, { suspense: 0, provider: 0 }],
    ["WRONG_AMOUNT", null, CREDITED_AT_ONCE, { available: 900 }],
    ["WRONG_AMOUNT", "keep", KEPT, { suspense: 900 }],
    ["WRONG_AMOUNT", "return", RETURNED, { suspense: 0, provider: 0 }],
  ])(
    "for %s, which is %s, is carried out and announced",
    async (reason, rule, events, accounts) => {
      const company = await givenCompany();
      if (rule !== null) expect((await setRules(company, { [reason]: rule })).status).toBe(200);

      expect((await UNEXPECTED[reason](company)).status).toBe(200);

      expect(await paymentEvents(company)).toEqual(events);
      expect(await accountsOf(company)).toMatchObject(accounts);
      const item = await newestUnexpected(company);
      expect(item).toMatchObject({ reason, amount: 900 });
      const isKept = item.status === "kept";
      expect(await openContradictions(company)).toHaveLength(isKept ? 1 : 0);
      const paid = (await transactionsOf(company)).filter(({ status }) => status === "paid");
      const own = reason === "SECOND_PAYMENT" ? 1 : 0;
      expect(paid).toHaveLength(own + (item.status === "credited" ? 1 : 0));
    },
  );

  it("leaves a charge that was paid wrongly open for the right amount", async () => {
    const company = await givenCompany();
    await setRules(company, { WRONG_AMOUNT: "return" });
    const { id } = await givenTransaction(company, { amount: 2_500 });
    expect((await pay(company, id, 2_400)).body.data.status).toBe("WAITING_PAYMENT");
    expect((await pay(company, id)).body.data.status).toBe("PAID");
    expect(await accountsOf(company)).toMatchObject({ available: 2_500, suspense: 0 });
  });

  it("lets a charge that was paid wrongly expire", async () => {
    const clock = new TestClock();
    const providers = (each: typeof env) => providerRegistry(each, clock);
    const deps = { ...systemDependencies, platformClock: clock, providers };
    const company = await givenCompany({ clock });
    await setRules(company, { WRONG_AMOUNT: "return" });
    const { id } = await givenTransaction(company, { amount: 2_500 }, { deps });
    await pay(company, id, 2_400, { deps });
    clock.advance(40 * 86_400_000);
    await runSweep(deps);
    expect((await transactionsOf(company))[0]).toMatchObject({
      status: "cancelled",
      nextSweepAt: null,
    });
  });

  it("finds nothing wrong in a boleto's interest, nor in an expected payment", async () => {
    const clock = new TestClock();
    const deps = {
      platformClock: clock,
      providers: (each: typeof env) => providerRegistry(each, clock),
    };
    const company = await givenCompany({ clock });
    await givenPaid(company, 2_500);
    const { id } = await givenTransaction(
      company,
      {
        ...BOLETO_REQUEST,
        amount: 10_000,
        boleto: {
          expiresInDays: 1,
          interest: { value: 100 },
          fine: { type: "PERCENTAGE", value: 200 },
        },
      },
      { deps },
    );
    clock.advance(9 * 86_400_000);
    const { data } = (await pay(company, id, undefined, { deps })).body;
    expect(data).toMatchObject({ status: "PAID" });
    expect(data.paidAmount).toBeGreaterThan(10_000);
    expect(await paymentEvents(company)).toEqual([]);
  });

  it("is changed in part, and shown with the defaults", async () => {
    const company = await givenCompany();
    await setRules(company, { LATE: "return" });
    const { body } = await setRules(company, { NO_CHARGE: "credit" });
    const rules = {
      SECOND_PAYMENT: "keep",
      LATE: "return",
      NO_CHARGE: "credit",
      WRONG_AMOUNT: "credit",
    };
    expect(body.unexpectedPayments).toEqual(rules);
    const shown = await call("/api/v1/company/settings", { company });
    expect(shown.body.unexpectedPayments).toEqual(rules);
    await expectProblem(await setRules(company, { LATE: "burn" } as never), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["unexpectedPayments.LATE"],
    });
  });

  it("that returns in vain keeps the payment for the merchant and for operators", async () => {
    const company = await givenCompany();
    await setRules(company, { NO_CHARGE: "return" });
    await call("/api/v1/sandbox/payments", { company, body: { amount: 2_599 } });
    expect(await paymentEvents(company)).toEqual([
      ["payment.unexpected", null, "returning"],
      ["payment.return_failed", "returning", "kept"],
    ]);
    expect(await openContradictions(company)).toMatchObject([{ kind: "payment_set_aside" }]);

    const { id } = await newestUnexpected(company);
    await expectProblem(await decide(company, id, "return"), {
      status: 422,
      code: "REFUND_REFUSED",
    });
    expect((await decide(company, id, "credit")).body.data.status).toBe("credited");

    expect(await openContradictions(company)).toEqual([]);
    expect(await accountsOf(company)).toMatchObject({ available: 2_599, suspense: 0 });
  });
});

describe("a merchant", () => {
  it.each(["SECOND_PAYMENT", "NO_CHARGE"] as const)(
    "credits a kept %s to a new transaction, once, and may refund it",
    async (reason) => {
      const company = await givenCompany();
      await UNEXPECTED[reason](company);
      const { id } = await newestUnexpected(company);

      const first = await decide(company, id, "credit", { key: "k1" });
      const again = await decide(company, id, "credit", { key: "k1" });

      expect(first.status).toBe(200);
      await expectDocumented(`POST ${PATH}/{id}/credit`, first);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get("Idempotent-Replayed")).toBe("true");
      const { transactionId } = first.body.data;
      const rows = await transactionsOf(company);
      expect(rows.find((row) => row.id === transactionId)).toMatchObject({ status: "paid" });
      expect(rows).toHaveLength(reason === "NO_CHARGE" ? 1 : 2);
      expect(await openContradictions(company)).toEqual([]);
      expect((await refund(company, transactionId)).status).toBe(200);
      expect(await accountsOf(company)).toMatchObject({ suspense: 0 });
    },
  );

  it("credits a kept payment to its own charge, or to another that waits", async () => {
    const company = await givenCompany();
    await setRules(company, { WRONG_AMOUNT: "keep" });
    const own = await givenTransaction(company, { amount: 2_500 });
    await pay(company, own.id, 900);
    const { id } = await newestUnexpected(company);
    const { body } = await decide(company, id, "credit");
    expect(body.data).toMatchObject({ status: "credited", transactionId: own.id });

    await UNEXPECTED.NO_CHARGE(company);
    const second = await newestUnexpected(company);
    await expectProblem(
      await decide(company, second.id, "credit", { body: { transactionId: own.id } }),
      { status: 409, code: "INVALID_STATE" },
    );
    const other = await givenTransaction(company, { amount: 900 });
    const credited = await decide(company, second.id, "credit", {
      body: { transactionId: other.id },
    });
    expect(credited.body.data).toMatchObject({ status: "credited", transactionId: other.id });
    expect(await accountsOf(company)).toMatchObject({ available: 1_800, suspense: 0 });
  });

  it("returns a kept payment once, and cannot credit it then", async () => {
    const company = await givenCompany();
    await UNEXPECTED.NO_CHARGE(company);
    const { id } = await newestUnexpected(company);

    const first = await decide(company, id, "return", { key: "k1" });
    const again = await decide(company, id, "return", { key: "k1" });

    expect(first.body.data).toMatchObject({ id, status: "returned" });
    await expectDocumented(`POST ${PATH}/{id}/return`, first);
    expect(again.body).toEqual(first.body);
    expect((await decide(company, id, "return")).body.data.status).toBe("returned");
    await expectProblem(await decide(company, id, "credit"), {
      status: 409,
      code: "INVALID_STATE",
    });
    expect(await paymentEvents(company)).toEqual([
      ["payment.unexpected", null, "kept"],
      ["payment.returned", "returning", "returned"],
    ]);
    expect(await openContradictions(company)).toEqual([]);
    expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
    const other = await UNEXPECTED.NO_CHARGE(company);
    await expectProblem(await decide(company, other.body.paymentId, "return", { key: "k1" }), {
      status: 409,
      code: "IDEMPOTENCY_KEY_REUSED",
    });
  });

  it("gets the first answer again for a key, whatever happened since", async () => {
    const company = await givenCompany();
    await call("/api/v1/sandbox/payments", { company, body: { amount: 2_599 } });
    const { id } = await newestUnexpected(company);
    const refused = await decide(company, id, "return", { key: "k1" });
    await decide(company, id, "credit");
    const again = await decide(company, id, "return", { key: "k1" });
    expect(again.status).toBe(422);
    expect(again.body).toEqual(refused.body);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  });

  it("reads the list by status and reason, page by page, masked without pii:read", async () => {
    const company = await givenCompany();
    const body = { amount: 900, payer: { name: "Ana Souza", document: "52998224725" } };
    for (let count = 0; count < 3; count++)
      await call("/api/v1/sandbox/payments", { company, body });
    await UNEXPECTED.LATE(company);

    const page = await call(`${PATH}?limit=3`, { company });
    await expectDocumented(`GET ${PATH}`, page);
    expect(page.body.items.map((item: any) => item.reason)).toEqual([
      "LATE",
      "NO_CHARGE",
      "NO_CHARGE",
    ]);
    expect(page.body).toMatchObject({ after: "2", hasMore: true });
    const rest = await call(`${PATH}?limit=3&after=${page.body.after}`, { company });
    expect(rest.body).toMatchObject({
      items: [{ reason: "NO_CHARGE" }],
      after: null,
      hasMore: false,
    });
    expect(await listUnexpected(company, "?reason=LATE&status=credited")).toHaveLength(1);
    expect(await listUnexpected(company, "?reason=LATE&status=kept")).toEqual([]);
    expect(await listUnexpected(company, "?reason=NO_CHARGE&limit=2")).toHaveLength(2);

    const [item] = rest.body.items;
    expect(item.payer).toMatchObject({ name: "Ana Souza", documentMasked: "***.982.247-**" });
    const reader = await givenApplication(company, { scopes: ["transactions:read"] });
    const shown = await call(`${PATH}/${item.id}`, { company: reader });
    await expectDocumented(`GET ${PATH}/{id}`, shown);
    expect(shown.body.data.payer.name).toBe("A*** S***");
    await expectProblem(await decide(reader, item.id, "return"), {
      status: 403,
      code: "FORBIDDEN",
    });
    const stranger = await givenCompany();
    await expectProblem(await call(`${PATH}/${item.id}`, { company: stranger }), {
      status: 404,
      code: "NOT_FOUND",
    });
    await expectProblem(await decide(stranger, item.id, "return"), {
      status: 404,
      code: "NOT_FOUND",
    });
    await expectProblem(await decide(stranger, item.id, "credit"), {
      status: 404,
      code: "NOT_FOUND",
    });
  });
});

describe("operators, the payer's bank and the PSP", () => {
  it.each([
    [
      "two operators return it",
      (company: TestCompany, id: string) =>
        decideByTwo(`/companies/${company.id}/suspense/${id}/return`, {}),
    ],
    [
      "the payer's bank takes it",
      (company: TestCompany, id: string) =>
        reportDispute(company, id, { amount: 900, status: "LOST" }),
    ],
    [
      "the PSP gives it back",
      (company: TestCompany, id: string) => reportExternalRefund(company, id, { amount: 900 }),
    ],
  ])("a kept payment is shown and announced as returned when %s", async (_how, act) => {
    const company = await givenCompany();
    const { paymentId } = await UNEXPECTED.NO_CHARGE(company).then(({ body }) => body);
    await act(company, paymentId);
    expect(await newestUnexpected(company)).toMatchObject({ id: paymentId, status: "returned" });
    expect((await paymentEvents(company)).at(-1)).toContain("payment.returned");
    expect(await openContradictions(company)).toEqual([]);
    await expectProblem(await decide(company, paymentId, "credit"), {
      status: 409,
      code: "INVALID_STATE",
    });
  });

  it("a credit that a part's return made impossible is left to the merchant", async () => {
    const company = await givenCompany();
    await setRules(company, { NO_CHARGE: "credit" });
    const fault = injectFault({ on: /decidePayment/, when: "before" });
    const cut = withAccounts(env, fault.intercept);
    const { paymentId } = (await UNEXPECTED.NO_CHARGE(company, { env: cut })).body;
    await reportExternalRefund(company, paymentId, { amount: 400 });
    expect(await newestUnexpected(company)).toMatchObject({ status: "kept" });
    expect((await paymentEvents(company)).at(-1)).toEqual([
      "payment.unexpected",
      "crediting",
      "kept",
    ]);
    expect(await openContradictions(company)).toMatchObject([{ kind: "payment_set_aside" }]);
    expect((await decide(company, paymentId, "return")).body.data.status).toBe("returned");
    expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  });

  it("a payment that is disputed waits until the dispute is won", async () => {
    const company = await givenCompany();
    const { paymentId } = await givenUnexpectedPayment(company, 900);
    await reportDispute(company, paymentId, { amount: 900 });
    await expectProblem(await decide(company, paymentId, "credit"), {
      status: 409,
      code: "INVALID_STATE",
    });
    await expectProblem(await decide(company, paymentId, "return"), {
      status: 409,
      code: "INVALID_STATE",
    });
    await reportDispute(company, paymentId, { amount: 900, status: "WON" });
    expect((await decide(company, paymentId, "credit")).status).toBe(200);
  });
});
