import { PAYMENT_METHODS } from "../../../../domain/charges/charge-status.ts";
import { methodOf } from "../../../../methods/registry.ts";

const MOST = Math.max(...PAYMENT_METHODS.map((method) => methodOf(method).maxInstallments));

/** The options for the most installments that a payer may choose. */
export function installmentOptions(): [value: string, label: string][] {
  return Array.from({ length: MOST }, (_, index) => [String(index + 1), `${index + 1}x`]);
}
