import { afterAll, beforeAll, expect, it } from "vitest";
import { LIST_NAMES } from "../../../src/domain/reconciliation/reconciliation.ts";
import { parseCallback, type PixNotification } from "../../../src/providers/pix-api/callback.ts";
import { idEnvioOf } from "../../../src/providers/pix-api/refunds-and-payouts.ts";
import { TokenCache } from "../../../src/providers/calls/token-cache.ts";
import { UNINTELLIGIBLE_FAULTS } from "../../support/fakes/fake-psp/faults.ts";
import { pspConfig, pspProvider } from "../../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import type { ContractScope } from "../../support/probes/providers/contract-scope.ts";
import { faultContract } from "../../support/probes/providers/fault-contract.ts";
import { listContract } from "../../support/probes/providers/list-contract.ts";
import { providerContract } from "../../support/probes/providers/provider-contract.ts";
import { payoutOrder, pixOrder } from "../../support/builders/providers/provider-orders.ts";
import { servePsp, type Served } from "./server.ts";

const SHORT_TIMEOUT_MS = 200;

const psp = new FakePsp();
const tokens = new TokenCache();
let served: Served;

beforeAll(async () => {
  served = await servePsp(psp);
});

afterAll(() => served.close());

const subject = () => ({
  provider: pspProvider(pspConfig(served.url), (request) => fetch(request), { tokens }),
  pay: async (chargeId: string) => psp.pay(chargeId),
  payKey: async (amount: number) => psp.payKey((amount / 100).toFixed(2)),
});

const SCOPE: ContractScope = { methods: ["PIX"], lists: LIST_NAMES };

providerContract("pix-api over HTTP", SCOPE, subject);

listContract("pix-api over HTTP", SCOPE, () => ({
  ...subject(),
  makeUnreadable: (paymentId) => psp.book.views.makeUnreadable(paymentId),
  makeReadable: (paymentId) => psp.book.views.makeReadable(paymentId),
  settlePayout: (payoutId) => psp.settlePayout(idEnvioOf(payoutId), "REALIZADO"),
  returnPayout: (payoutId, amount) =>
    psp.returnPayout(idEnvioOf(payoutId), (amount / 100).toFixed(2)),
}));

faultContract("pix-api over HTTP", SCOPE, () => ({
  ...subject(),
  unintelligible: Object.fromEntries(
    UNINTELLIGIBLE_FAULTS.map((name) => [name, () => psp.faultAlways(name)]),
  ),
  loseResponses: () => psp.faultAlways("reset"),
  clearFaults: () => psp.clearFaults(),
  refundedAmount: (paymentId) => psp.refundedAmount(paymentId),
  payoutCount: (payoutId) => psp.book.payoutCounts.get(idEnvioOf(payoutId)) ?? 0,
}));

it.each(["silent", "slow"] as const)(
  "the provider stops waiting at the timeout for a PSP that is %s",
  async (fault) => {
    const bank = pspProvider(pspConfig(served.url), (request) => fetch(request), {
      tokens,
      timeoutMs: SHORT_TIMEOUT_MS,
    });
    const [order, payout] = [pixOrder(), payoutOrder()];
    psp.faultAlways(fault);

    const answers = await Promise.all([
      bank.createCharge(order),
      bank.findCharge(order.chargeId),
      bank.cancelCharge(order.chargeId),
      bank.sendPayout(payout),
      bank.balance(),
      ...LIST_NAMES.map((name) => bank.list(name, { from: 0, to: Date.now() }, 0)),
    ]);

    expect(answers.map(({ kind }) => kind)).toEqual(answers.map(() => "unknown"));
    psp.clearFaults();
  },
);

it("repeated and reordered callbacks lead to the correct balances", async () => {
  const { provider } = subject();
  const order = pixOrder();
  const payout = payoutOrder();
  await provider.createCharge(order);
  await provider.registerWebhook("http://127.0.0.1:9/callbacks/7");
  psp.callbacks.length = 0;
  const paymentId = psp.pay(order.chargeId);
  await provider.sendPayout(payout);
  psp.settlePayout(idEnvioOf(payout.payoutId), "REALIZADO");
  psp.settlePayout(idEnvioOf(payout.payoutId), "NAO_REALIZADO", "Conta inexistente");
  const notifications: PixNotification[] = [];
  const post = async (url: string, body: string) => {
    expect(url).toBe("http://127.0.0.1:9/callbacks/7/pix");
    notifications.push(...parseCallback(JSON.parse(body)));
  };

  await psp.deliverCallbacks(post, (bodies) => [...bodies, ...bodies].toReversed());

  const about = { kind: "payment" as const, paymentId, returns: [] };
  const charge: PixNotification = { kind: "charge", chargeId: order.chargeId, report: about };
  const out = (status: "PAID" | "FAILED"): PixNotification => ({
    kind: "payout",
    payoutId: payout.payoutId,
    report: { kind: "payout", status, returned: 0 },
  });
  const each = [out("FAILED"), out("PAID"), charge];
  expect(notifications).toEqual([...each, ...each]);
  for (const notification of notifications) {
    if (notification.kind === "charge") {
      const report = await provider.findCharge(notification.chargeId);
      expect(report).toMatchObject({ kind: "known", payments: [{ paymentId }] });
    }
    if (notification.kind === "payout") {
      expect(await provider.findPayout(notification.payoutId)).toMatchObject({ kind: "failed" });
    }
  }
});
