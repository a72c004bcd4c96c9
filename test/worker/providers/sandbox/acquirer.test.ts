import { expect, it } from "vitest";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { newTransactionId } from "../../../../src/domain/shared/ids.ts";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import type { ChargeOrder } from "../../../../src/providers/charge.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import { boletoNumbers } from "../../../../src/providers/sandbox/boleto-numbers.ts";
import { NUMBERS } from "../../../support/builders/charges/card.ts";
import { env } from "../../../support/builders/companies/env.ts";
import { CARD_REQUEST } from "../../../support/builders/requests/full-request.ts";

const COMPANY = {
  id: 1,
  mode: "sandbox",
  clockOffsetMs: 0,
  sandboxFaults: [],
  providerCompanyId: "",
  accounts: [] as never[],
} as const;
const REFUSED = { kind: "refused", reason: expect.stringMatching(/\S/) };

const acquirer = providerRegistry(env).forCharge(COMPANY, "CREDIT_CARD")!;
const freshId = () => providerChargeId(newTransactionId(1, Date.now(), systemRandom));

function order(chargeId: string, number: string = NUMBERS.approved, capture = true): ChargeOrder {
  return {
    chargeId,
    amount: 2_500,
    merchantName: "Loja Exemplo",
    payer: {
      externalId: null,
      name: "",
      email: "",
      phone: "",
      documentNumber: "",
      documentType: "",
      address: {},
    },
    paymentMethod: "CREDIT_CARD",
    card: {
      source: { ...CARD_REQUEST.card, number },
      capture,
      installments: 1,
      statementDescriptor: "",
    },
  };
}

async function givenAuthorized(): Promise<string> {
  const chargeId = freshId();
  await acquirer.createCharge(order(chargeId, NUMBERS.approved, false));
  return chargeId;
}

it("a card charge is decided once, also for repeated and concurrent requests", async () => {
  const chargeId = freshId();
  const answers = await Promise.all([
    acquirer.createCharge(order(chargeId)),
    acquirer.createCharge(order(chargeId)),
    acquirer.createCharge(order(chargeId, NUMBERS.declined)),
  ]);

  const report = await acquirer.findCharge(chargeId);

  expect(report.kind === "known" && report.payments.length).toBeLessThanOrEqual(1);
  for (const answer of answers) {
    expect(answer.kind === "decided" && { kind: "known", ...answer.charge }).toEqual(report);
  }
});

it("a declined charge stays declined, also for a card that would be approved", async () => {
  const chargeId = freshId();
  await acquirer.createCharge(order(chargeId, NUMBERS.declined));

  const second = await acquirer.createCharge(order(chargeId));

  expect(second).toMatchObject({ kind: "decided", charge: { status: "refused", payments: [] } });
});

it("a card charge that is unknown or got no response is not found, and an unknown PIX charge is open", async () => {
  const chargeId = freshId();
  const unanswered = order(chargeId, NUMBERS.unanswered);
  for (let time = 0; time < 2; time++) {
    expect(await acquirer.createCharge(unanswered)).toEqual({ kind: "unknown" });
  }

  for (const id of [chargeId, freshId()]) {
    expect(await acquirer.findCharge(id)).toEqual({ kind: "not_found" });
  }
  const bank = providerRegistry(env).forCharge(COMPANY, "PIX")!;
  expect(await bank.findCharge(freshId())).toMatchObject({ kind: "known", status: "open" });
});

it("a capture takes the money once; a repeat with the same amount succeeds and another amount is rejected", async () => {
  const chargeId = await givenAuthorized();
  expect(await acquirer.captureCharge(chargeId, 2_501)).toEqual(REFUSED);
  expect(await acquirer.captureCharge(chargeId, 900)).toEqual({ kind: "captured" });
  expect(await acquirer.captureCharge(chargeId, 900)).toEqual({ kind: "captured" });
  expect(await acquirer.captureCharge(chargeId, 800)).toEqual(REFUSED);
  expect(await acquirer.cancelCharge(chargeId)).toEqual(REFUSED);
  const report = await acquirer.findCharge(chargeId);
  expect(report).toMatchObject({ payments: [{ method: "CREDIT_CARD", amount: 900 }] });
});

it("a void can be repeated, and voided, declined or unknown charges cannot be captured", async () => {
  const voided = await givenAuthorized();
  for (let time = 0; time < 2; time++) {
    expect(await acquirer.cancelCharge(voided)).toEqual({ kind: "cancelled" });
  }
  const others = [NUMBERS.declined, NUMBERS.unanswered].map((number) => order(freshId(), number));
  for (const other of others) await acquirer.createCharge(other);
  for (const id of [voided, ...others.map(({ chargeId }) => chargeId)]) {
    expect(await acquirer.captureCharge(id, 2_500)).toEqual(REFUSED);
  }
  for (const { chargeId } of others) expect(await acquirer.cancelCharge(chargeId)).toEqual(REFUSED);
});

it("either a concurrent capture or a void succeeds", async () => {
  const chargeId = await givenAuthorized();
  const outcomes = await Promise.all([
    acquirer.captureCharge(chargeId, 2_500),
    acquirer.cancelCharge(chargeId),
  ]);
  expect(outcomes.filter(({ kind }) => kind === "refused")).toHaveLength(1);
});

it("a boleto's numbers contain its company and differ for each charge", () => {
  const company = 16_777_215;
  const numbers = Array.from({ length: 200 }, () =>
    boletoNumbers(providerChargeId(newTransactionId(company, Date.now(), systemRandom))),
  );
  expect(new Set(numbers.map(({ ourNumber }) => ourNumber)).size).toBe(200);
  for (const { ourNumber, freeField } of numbers) {
    expect(ourNumber).toMatch(/^\d{17}$/);
    expect(freeField).toBe(`16777215${ourNumber}`);
  }
});
