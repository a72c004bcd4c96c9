import { afterAll, beforeAll, expect, it } from "vitest";
import { chargeOfPayment } from "../../../src/providers/pagarme/charge-report.ts";
import { UNINTELLIGIBLE_FAULTS } from "../../support/fakes/fake-psp/faults.ts";
import { FakePagarMe } from "../../support/fakes/pagarme/house.ts";
import { faultsOfCall, unusedMisses } from "../../support/fakes/pagarme/judge.ts";
import {
  pagarMeBoleto,
  pagarMeCard,
  pagarMeProvider,
} from "../../support/fakes/pagarme/provider.ts";
import type { ContractScope } from "../../support/probes/providers/contract-scope.ts";
import { faultContract } from "../../support/probes/providers/fault-contract.ts";
import { listContract } from "../../support/probes/providers/list-contract.ts";
import { providerContract } from "../../support/probes/providers/provider-contract.ts";
import { servePsp, type Served } from "../pix-api/server.ts";

const house = new FakePagarMe();
const SCOPE: ContractScope = {
  methods: ["BOLETO", "CREDIT_CARD"],
  lists: ["charges"],
  orders: { BOLETO: pagarMeBoleto, CREDIT_CARD: () => pagarMeCard(house) },
  lacks: ["stray_payments", "payouts", "balance", "lasting_refund_ids"],
};
let served: Served;

beforeAll(async () => {
  served = await servePsp(house);
});

afterAll(() => served.close());

const subject = () => ({
  provider: pagarMeProvider((request) => fetch(request), { url: served.url }),
  pay: async (chargeId: string, amount: number) => `pgm:${house.payBoleto(chargeId, amount).id}`,
  payKey: () => Promise.reject(new Error("Pagar.me has no payments without a charge")),
});
const idOf = (paymentId: string) => chargeOfPayment(paymentId) ?? "";

providerContract("Pagar.me over HTTP", SCOPE, subject);

listContract("Pagar.me over HTTP", SCOPE, () => ({
  ...subject(),
  makeUnreadable: (paymentId) => house.makeUnreadable(idOf(paymentId)),
  makeReadable: (paymentId) => house.makeReadable(idOf(paymentId)),
  settlePayout: () => undefined,
  returnPayout: () => undefined,
}));

faultContract("Pagar.me over HTTP", SCOPE, () => ({
  ...subject(),
  unintelligible: Object.fromEntries(
    UNINTELLIGIBLE_FAULTS.map((name) => [name, () => house.faultAlways(name)]),
  ),
  loseResponses: () => house.faultAlways("reset", /^(?:POST|DELETE)/),
  clearFaults: () => house.clearFaults(),
  refundedAmount: (paymentId) => {
    const charge = house.book.charges().find(({ id }) => id === idOf(paymentId));
    return charge.canceled_amount ?? 0;
  },
  payoutCount: () => 0,
}));

it("every request and every answer of the contract passes the house's own models", () => {
  // An unreadable answer has a status that is no text, on purpose.
  const readable = house.seen.filter(
    ({ answer }) => !JSON.stringify(answer).includes('"status":7'),
  );
  expect(readable.length).toBeGreaterThan(50);
  expect([...new Set(readable.flatMap(faultsOfCall))]).toEqual([]);
});

it("each allowed miss is one of a call of the contract, or of the card page", () => {
  expect(unusedMisses(house.seen)).toEqual([
    String.raw`^POST \/tokens$: card.brand`,
    String.raw`^POST \/tokens$: card.label`,
  ]);
});
