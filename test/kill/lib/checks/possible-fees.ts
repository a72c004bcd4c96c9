import type { PaymentMethod } from "../../../../src/domain/charges/charge-status.ts";
import { feeOn } from "../../../../src/domain/ledger/fees.ts";
import type { Intent, Journal } from "../journal.ts";

type FeeKind = PaymentMethod | "WITHDRAW";

/**
 * The possible fees of a request: those of all terms between its first attempt and its response.
 * Terms may apply from their request until the next terms are acknowledged.
 */
export function possibleFees(journal: Journal, intent: Intent, kind: FeeKind, amount: number) {
  const changes = journal.of(intent.companyId, "settings");
  const until = intent.answeredAt ?? Infinity;
  const fees = new Set<number>();
  for (const [index, change] of changes.entries()) {
    const endsAt = changes[index + 1]?.answeredAt ?? Infinity;
    if (change.firstSentAt > until || endsAt < intent.firstSentAt) continue;
    const { fees: agreed } = change.body as {
      fees: Record<FeeKind, { basisPoints: number; fixed: number }>;
    };
    fees.add(feeOn(amount, agreed[kind]));
  }
  return fees;
}
