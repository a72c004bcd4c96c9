import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { addDays } from "../../../src/domain/shared/calendar-day.ts";
import { efiIdOf } from "../../../src/providers/efi-cobrancas/refs.ts";
import { TokenCache } from "../../../src/providers/calls/token-cache.ts";
import {
  efiBoletoOrder,
  efiCardOrder,
  withDueDate,
} from "../../support/builders/providers/efi-orders.ts";
import { refundOrder } from "../../support/builders/providers/provider-orders.ts";
import { FakeEfi, type EfiFault, type Exchange } from "../../support/fakes/efi-cobrancas/efi.ts";
import { efiProvider, MemoryRefs } from "../../support/fakes/efi-cobrancas/provider.ts";
import { UNINTELLIGIBLE_FAULTS } from "../../support/fakes/fake-psp/faults.ts";
import type { ContractScope } from "../../support/probes/providers/contract-scope.ts";
import { faultContract } from "../../support/probes/providers/fault-contract.ts";
import { listContract } from "../../support/probes/providers/list-contract.ts";
import { providerContract } from "../../support/probes/providers/provider-contract.ts";
import { servePsp, type Served } from "../pix-api/server.ts";
import { faultsOf, unusedMisses } from "./judge.ts";

/** Those of any house, and what Efí lies of its own. */
const EFI_FAULTS: EfiFault[] = ["error_200", "page_502", ...UNINTELLIGIBLE_FAULTS];
const SCOPE: ContractScope = {
  methods: ["BOLETO", "CREDIT_CARD"],
  lists: ["payments"],
  orders: { BOLETO: efiBoletoOrder, CREDIT_CARD: efiCardOrder },
  lacks: ["stray_payments", "payouts", "balance", "captures", "saved_cards", "refund_ids"],
};

const efi = new FakeEfi();
const tokens = new TokenCache();
const refs = new MemoryRefs();
/** All of this file. */
const judged: Exchange[] = [];
let served: Served;

beforeAll(async () => {
  served = await servePsp(efi);
});

afterAll(() => served.close());

afterEach(() => {
  const exchanges = efi.exchanges.splice(0);
  judged.push(...exchanges);
  expect(exchanges.flatMap(faultsOf)).toEqual([]);
});

const subject = () => ({
  provider: efiProvider(served.url, (request) => fetch(request), { tokens, refs }),
  pay: async (chargeId: string) => {
    efi.pay(chargeId);
    return `efi:${efi.charge(chargeId).id}`;
  },
  payKey: () => Promise.reject(new Error("Efí has no payments without a charge")),
});

providerContract("efi-cobrancas over HTTP", SCOPE, subject);

listContract("efi-cobrancas over HTTP", SCOPE, () => ({
  ...subject(),
  makeUnreadable: (paymentId) => efi.makeUnreadable(efiIdOf(paymentId)!),
  makeReadable: (paymentId) => efi.makeReadable(efiIdOf(paymentId)!),
  settlePayout: () => undefined,
  returnPayout: () => undefined,
}));

faultContract("efi-cobrancas over HTTP", SCOPE, () => ({
  ...subject(),
  unintelligible: Object.fromEntries(EFI_FAULTS.map((name) => [name, () => efi.faultAlways(name)])),
  loseResponses: () => efi.faultAlways("reset"),
  clearFaults: () => efi.clearFaults(),
  refundedAmount: () => 0,
  payoutCount: () => 0,
}));

it("each request and answer of a charge's life passes the schemas of Efí's package", async () => {
  const { provider } = subject();
  const [boleto, card] = [
    efiBoletoOrder({
      fine: { type: "PERCENTAGE", value: 200 },
      interest: { value: 99 },
      instructions: "Pague em dia.\nObrigado.",
    }),
    efiCardOrder(),
  ];
  await provider.createCharge(boleto);
  await provider.createCharge(card);
  await provider.createCharge(efiCardOrder("d"));
  efi.pay(card.chargeId);

  const paymentId = `efi:${efi.charge(card.chargeId).id}`;
  const refund = refundOrder({ chargeId: card.chargeId, paymentId }, card.amount);
  expect(await provider.sendRefund(refund)).toEqual({ kind: "processing" });
  efi.giveBack(card.chargeId);
  expect(await provider.findRefund(refund)).toEqual({ kind: "done" });
  expect(await provider.readNotice(efi.charge(card.chargeId).token)).toEqual({
    kind: "known",
    charges: [{ chargeId: card.chargeId, isOpen: false }],
  });
  const later = withDueDate(boleto, addDays(boleto.boleto.dueDate, 30));
  expect((await provider.dueDates.change(later)).kind).toBe("changed");
  expect(await provider.cancelCharge(boleto.chargeId)).toEqual({ kind: "cancelled" });
  const today = { from: Date.now(), to: Date.now() };
  expect((await provider.list("payments", today, 0)).kind).toBe("known");
  const names = efi.calls.map((call) => call.replace(/\/(?:[\da-f-]{36}|\d{5,})(?=\/|$)/, "/:id"));
  expect([...new Set(names)].toSorted()).toEqual([
    "GET /v1/charge/:id",
    "GET /v1/charges",
    "GET /v1/notification/:id",
    "POST /v1/charge",
    "POST /v1/charge/:id/pay",
    "POST /v1/charge/card/:id/refund",
    "PUT /v1/charge/:id/billet",
    "PUT /v1/charge/:id/cancel",
  ]);
});

it("each allowed miss is one of the contract", () => {
  expect(unusedMisses(judged)).toEqual([]);
});
