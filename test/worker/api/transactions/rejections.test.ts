import { describe, expect, it } from "vitest";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { footprintOf, expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { BOLETO_REQUEST, CARD_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { ScriptedProvider, refuseCharge, registerCharge } from "../../../support/fakes/provider.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";
import { call } from "../../../support/builders/requests/api.ts";

const KEY = "tx_refused";

describe("INSTALLMENTS_NOT_ALLOWED", () => {
  it.each([
    ["PIX", { paymentMethod: "PIX", installments: 2 }],
    ["BOLETO", { ...BOLETO_REQUEST, installments: 2 }],
    ["CREDIT_CARD", { ...CARD_REQUEST, installments: 13 }],
  ])("rejects too many installments for %s", async (_method, request) => {
    const company = await givenCompany();
    const answer = await expectNoSideEffects(company, () =>
      createTransaction(company, request, { key: KEY }),
    );
    await expectProblem(answer, {
      status: 422,
      code: "INSTALLMENTS_NOT_ALLOWED",
      fields: ["installments"],
    });
    expect((await createTransaction(company, {}, { key: KEY })).status).toBe(200);
  });

  it("does not apply to twelve installments by card", async () => {
    const company = await givenCompany();
    const answer = await createTransaction(company, { ...CARD_REQUEST, installments: 12 });
    expect(answer.body.data).toMatchObject({ status: "PAID", installments: 12 });
  });

  it.each([0, -1, 1.5])(
    "is a plain VALIDATION_FAILED for %d installments",
    async (installments) => {
      const company = await givenCompany();
      const answer = await createTransaction(company, { ...CARD_REQUEST, installments });
      await expectProblem(answer, {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: ["installments"],
      });
    },
  );
});

describe("PROVIDER_NOT_CONFIGURED", () => {
  it("applies to every method of a live company without a provider", async () => {
    const company = await givenCompany({ mode: "live" });
    const card = { token: "tok_1" };
    for (const request of [{}, BOLETO_REQUEST, { ...CARD_REQUEST, card }]) {
      const answer = await expectNoSideEffects(company, () =>
        createTransaction(company, request, { key: KEY }),
      );
      await expectProblem(answer, { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
    }
  });

  it("leaves the key free until the provider is configured", async () => {
    const company = await givenCompany({ mode: "live" });
    await createTransaction(company, {}, { key: KEY });
    const { deps } = new ScriptedProvider(registerCharge);
    const later = await createTransaction(company, { amount: 1 }, { key: KEY, deps });
    expect(later.status).toBe(200);
    expect(later.headers.has("Idempotent-Replayed")).toBe(false);
  });

  it("does not change the key's earlier response", async () => {
    const company = await givenCompany({ mode: "live" });
    const { deps } = new ScriptedProvider(registerCharge);
    const first = await createTransaction(company, {}, { key: KEY, deps });
    const replay = await createTransaction(company, {}, { key: KEY });
    expect([replay.status, replay.body]).toEqual([200, first.body]);
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
    const other = await createTransaction(company, { amount: 1 }, { key: KEY });
    await expectProblem(other, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
  });
});

it("RAW_CARD_NOT_ALLOWED: rejects a card number of a live company", async () => {
  const company = await givenCompany({ mode: "live" });
  const answer = await expectNoSideEffects(company, () =>
    createTransaction(company, CARD_REQUEST, { key: KEY }),
  );
  await expectProblem(answer, { status: 422, code: "RAW_CARD_NOT_ALLOWED" });
  expect(answer.text).not.toContain(CARD_REQUEST.card.number);
});

describe("CHARGE_REFUSED", () => {
  it("stores a failed transaction and its event, and moves no money", async () => {
    const company = await givenCompany();
    const { deps } = new ScriptedProvider(refuseCharge);
    const answer = await createTransaction(company, {}, { deps });
    await expectProblem(answer, { status: 422, code: "CHARGE_REFUSED" });
    expect(answer.body.detail).toBe("The bank does not register this charge.");
    const list = await call("/api/Transaction/company/transactions", { company });
    expect(list.body.res.items).toEqual([expect.objectContaining({ id: 1, status: "FAILED" })]);
    const events = await eventsOf(company);
    expect(events).toEqual([expect.objectContaining({ type: "transaction.failed", sequence: 1 })]);
    expect(events[0]!.body.data).toMatchObject({
      id: list.body.res.items[0].providerTxId,
      status: "FAILED",
    });
    expect(await footprintOf(company)).toMatchObject({ accounts: "{}", "object movements": 0 });
  });

  it("is stored under the key: a replay returns the same body without calling the provider again", async () => {
    const company = await givenCompany();
    const provider = new ScriptedProvider(refuseCharge);
    const first = await createTransaction(company, {}, { key: KEY, deps: provider.deps });
    provider.onCreate = registerCharge;
    const again = await expectNoSideEffects(company, () =>
      createTransaction(company, {}, { key: KEY, deps: provider.deps }),
    );
    expect(again.text).toBe(first.text);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(first.headers.has("Idempotent-Replayed")).toBe(false);
    await expectProblem(again, { status: 422, code: "CHARGE_REFUSED", replayed: true });
    expect(provider.orders).toHaveLength(1);
  });

  it("does not prevent the same charge under another key", async () => {
    const company = await givenCompany();
    const provider = new ScriptedProvider(refuseCharge);
    await createTransaction(company, {}, { key: KEY, deps: provider.deps });
    provider.onCreate = registerCharge;
    const other = await createTransaction(company, {}, { key: "tx_other", deps: provider.deps });
    expect(other.status).toBe(200);
    expect(provider.orders[1]?.chargeId).not.toBe(provider.orders[0]?.chargeId);
  });
});
