import type { MandateSubject } from "../../../probes/providers/mandate-contract.ts";
import { duePixOrder, MARIA, pixOrder } from "../../../builders/providers/provider-orders.ts";
import type { PixApiConfig } from "../../../../../src/providers/pix-api/config.ts";
import { TestClock } from "../../clock.ts";
import { PSP_RECEIVER } from "../book.ts";
import { pspConfig, pspProvider } from "../provider.ts";
import type { FakePsp } from "../psp.ts";

/** A company with automatic debits at a fake PSP, which is called by `fetcher` under the config's URLs. */
export function automaticSubject(
  { psp, clock }: { psp: FakePsp; clock: TestClock },
  urls: { url: string; overrides?: Partial<PixApiConfig> },
  fetcher: (request: Request) => Promise<Response>,
): MandateSubject {
  const config = pspConfig(urls.url, { receiver: PSP_RECEIVER, ...urls.overrides });
  const bank = pspProvider(config, fetcher, { clock });
  if (bank.mandates === null) throw new Error("the account has no automatic debits");
  return {
    provider: bank.mandates,
    clock,
    payer: {
      approve: (mandateId) => psp.mandates.approve(mandateId),
      refuse: (mandateId) => psp.mandates.refuse(mandateId),
      cancel: (mandateId) => psp.mandates.cancelByPayer(mandateId),
      decide: (chargeId, ...fates) => psp.debits.decide(chargeId, ...fates),
    },
    runBanks: () => psp.runBanks(),
    firstCharge: async (kind) => {
      const order = kind === "cob" ? pixOrder({ payer: MARIA }) : duePixOrder();
      const outcome = await bank.createCharge(order);
      if (outcome.kind !== "registered") throw new Error(`the charge is ${outcome.kind}`);
      return order.chargeId;
    },
  };
}
