import type { PaymentMethod } from "../../../../src/domain/charges/charge-status.ts";
import { feeOn } from "../../../../src/domain/ledger/fees.ts";
import type { Intent, Journal } from "../journal.ts";

type FeeKind = PaymentMethod | "WITHDRAW";

/**
 * The fees that a request may have been given: of every terms that could have held between its
 * first sending and its answer. Terms hold from when they were first asked for until the next ones
 * are acknowledged.
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
