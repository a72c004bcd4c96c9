import { expect, it } from "vitest";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import type { PayoutOrder } from "../../../../src/domain/withdraws/withdraw.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { env } from "../../../support/builders/companies/env.ts";

const company = { id: 1, mode: "sandbox", clockOffsetMs: 0, sandboxFaults: [] } as const;

function sandbox(clock = new TestClock()) {
  return providerRegistry(env, clock, systemRandom).sandbox(company);
}

function order(amount: number): PayoutOrder {
  return {
    payoutId: newUuid(systemRandom),
    amount,
    pixKey: "11222333000181",
    pixKeyType: "CNPJ",
    creditorDocument: "11222333000181",
    description: "",
  };
}

it("a payout that is sent twice is paid once under one end-to-end id", async () => {
  const bank = sandbox();
  const payout = order(1_000);

  const first = await bank.sendPayout(payout);
  const [second, third] = await Promise.all([bank.sendPayout(payout), bank.sendPayout(payout)]);

  expect(first).toEqual({
    kind: "paid",
    endToEndId: expect.stringMatching(/^E\d{20}[0-9a-z]{11}$/),
  });
  expect(second).toEqual(first);
  expect(third).toEqual(first);
  expect(await bank.findPayout(payout.payoutId)).toEqual(first);
});

it.each([
  [1_000, "paid"],
  [1_099, "failed"],
  [1_098, "processing"],
  [9_998, "processing"],
  [9_900, "paid"],
])("a payout of %i centavos is %s", async (amount, kind) => {
  expect((await sandbox().sendPayout(order(amount))).kind).toBe(kind);
});

it("a payout that was never sent is not found", async () => {
  expect(await sandbox().findPayout(newUuid(systemRandom))).toEqual({ kind: "not_found" });
});

it("a held payout is decided once, and the first decision stays", async () => {
  const bank = sandbox();
  const payout = order(1_098);
  await bank.sendPayout(payout);

  expect(await bank.decidePayout(payout.payoutId, "failed")).toBe("failed");
  expect(await bank.decidePayout(payout.payoutId, "paid")).toBe("failed");
  expect((await bank.findPayout(payout.payoutId)).kind).toBe("failed");
});

it("only a paid payout can be returned", async () => {
  const bank = sandbox();
  const [paid, failed] = [order(1_000), order(1_099)];
  await bank.sendPayout(paid);
  await bank.sendPayout(failed);

  expect(await bank.returnPayout(paid.payoutId, null)).toBe("returned");
  expect(await bank.returnPayout(failed.payoutId, null)).toBe("failed");
  expect(await bank.returnPayout(newUuid(systemRandom), null)).toBeNull();
});

it("a charge that is registered twice is one charge", async () => {
  const bank = sandbox();
  const charge = {
    chargeId: newUuid(systemRandom).replaceAll("-", ""),
    amount: 2_500,
    paymentMethod: "PIX" as const,
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
    expiresAt: Date.now() + 86_400_000,
  };

  expect(await bank.createCharge(charge)).toEqual(await bank.createCharge(charge));
});

it("a charge lists its payments in the order of their arrival", async () => {
  const clock = new TestClock();
  const bank = sandbox(clock);
  const chargeId = newUuid(systemRandom);
  expect(await bank.findCharge(chargeId)).toEqual({
    kind: "known",
    status: "open",
    payments: [],
    disputes: [],
    refunds: [],
  });
  await bank.simulatePayment(chargeId, 2_500);
  clock.advance(1_000);
  await bank.simulatePayment(chargeId, 700);

  const report = await bank.findCharge(chargeId);

  expect(report.kind === "known" && report.payments.map((payment) => payment.amount)).toEqual([
    2_500, 700,
  ]);
});

it("a charge that was paid after its cancel is not reported as cancelled again", async () => {
  const bank = sandbox();
  const chargeId = newUuid(systemRandom).replaceAll("-", "");
  expect(await bank.cancelCharge(chargeId)).toEqual({ kind: "cancelled" });
  expect(await bank.cancelCharge(chargeId)).toEqual({ kind: "cancelled" });

  await bank.simulatePayment(chargeId, 2_500);

  expect(await bank.cancelCharge(chargeId)).toMatchObject({ kind: "refused" });
});
