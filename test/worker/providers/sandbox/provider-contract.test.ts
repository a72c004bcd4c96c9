import { systemClock, systemRandom } from "../../../../src/domain/shared/clock.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import { env } from "../../../support/builders/companies/env.ts";
import { providerContract } from "../../../support/probes/providers/provider-contract.ts";

const METHODS = ["PIX", "BOLETO", "CREDIT_CARD"] as const;

providerContract("The sandbox", { methods: METHODS, lists: [] }, () => {
  const bank = providerRegistry(env, systemClock, systemRandom).sandbox({
    id: 1,
    clockOffsetMs: 0,
    sandboxFaults: [],
  });
  return {
    provider: bank,
    pay: async (chargeId, amount) => {
      await bank.simulatePayment(chargeId, amount);
      const report = await bank.findCharge(chargeId);
      return report.kind === "known" ? report.payments.at(-1)!.paymentId : "";
    },
    payKey: async (amount) => {
      const transfer = bank.newPayment(amount, "PIX");
      await bank.simulateTransfer(transfer);
      return transfer.paymentId;
    },
  };
});
