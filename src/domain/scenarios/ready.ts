import bankSilent from "./ready/bank-silent.json" with { type: "json" };
import boletoAfterDue from "./ready/boleto-after-due.json" with { type: "json" };
import boletoPaidTwice from "./ready/boleto-paid-twice.json" with { type: "json" };
import cardInstalments from "./ready/card-instalments.json" with { type: "json" };
import chargebackAfterWithdraw from "./ready/chargeback-after-withdraw.json" with { type: "json" };
import debitWithoutBalance from "./ready/debit-without-balance.json" with { type: "json" };
import medLost from "./ready/med-lost.json" with { type: "json" };
import payerCancels from "./ready/payer-cancels-subscription.json" with { type: "json" };
import payoutReturned from "./ready/payout-returned.json" with { type: "json" };
import pixPaidLate from "./ready/pix-paid-late.json" with { type: "json" };
import receiverDown from "./ready/receiver-down.json" with { type: "json" };
import refundRefused from "./ready/refund-refused.json" with { type: "json" };
import repeatedWithdraw from "./ready/repeated-withdraw.json" with { type: "json" };
import { parseScenario, type Scenario } from "./scenario.ts";

const FILES = {
  "chargeback-after-withdraw": chargebackAfterWithdraw,
  "bank-silent": bankSilent,
  "boleto-after-due": boletoAfterDue,
  "boleto-paid-twice": boletoPaidTwice,
  "pix-paid-late": pixPaidLate,
  "receiver-down": receiverDown,
  "refund-refused": refundRefused,
  "payout-returned": payoutReturned,
  "med-lost": medLost,
  "repeated-withdraw": repeatedWithdraw,
  "card-instalments": cardInstalments,
  "debit-without-balance": debitWithoutBalance,
  "payer-cancels-subscription": payerCancels,
};

/** The name of a ready scenario. */
export type ReadyName = keyof typeof FILES;

/** The scenarios that come with the gateway, by name: what merchants fear, as stories, documentation and tests. */
export const READY_NAMES = Object.keys(FILES) as ReadyName[];

const SCENARIOS = new Map<string, Scenario>(
  READY_NAMES.flatMap((name) => {
    const { scenario } = parseScenario(FILES[name]);
    return scenario === null ? [] : [[name, scenario]];
  }),
);

/** A ready scenario; null for a name that is none. */
export function readyScenario(name: string): Scenario | null {
  return SCENARIOS.get(name) ?? null;
}
