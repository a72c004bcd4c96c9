import type { CardReport } from "../../domain/charges/payment-details.ts";
import { withRetries, type RetryStanding } from "../../domain/cards/retry-rules.ts";
import type { StoredCharge } from "./charge-store.ts";

/**
 * What an acquirer's report changes of a charge: nothing once the acquirer has named the card. `standing`: how a
 * refused card stands for another attempt.
 */
export function cardDetailsChange(
  charge: StoredCharge,
  report: CardReport | undefined,
  standing: RetryStanding | null = null,
): Partial<StoredCharge> {
  const code = charge.card?.authorizationCode ?? charge.externalNsu;
  if (report === undefined || code !== null) return {};
  const { card, nsu, refusedReason: reason } = report;
  const refusedReason = reason === null ? null : withRetries(reason, standing);
  return { card, externalNsu: nsu, refusedReason };
}
