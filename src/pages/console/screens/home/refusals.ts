import { searchTransactions } from "../../../../api/transactions/read/routes.ts";
import type { PaymentMethod } from "../../../../domain/charges/charge-status.ts";
import type { FailureCode } from "../../../../domain/charges/failure-reason.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import { dayRange } from "../../format.ts";

/** The newest failed charges that are looked at, however many there are. */
const FAILED_MAX = 100;
/** Reasons that are named of each method. */
const REASONS_SHOWN = 2;

/** The commonest reasons of a method's newest failed charges, with how often each stands among them. */
export type Refusals = Partial<Record<PaymentMethod, { code: FailureCode; count: number }[]>>;

/** Why charges of these days failed, by method. Throws if the API refuses, which is a fault of ours. */
export async function refusalsOf(
  c: ConsoleContext,
  days: { from: string; to: string },
): Promise<Refusals> {
  const query = { status: "FAILED" as const, ...dayRange(days), limit: String(FAILED_MAX) };
  const answer = await callRoute(c, searchTransactions, { query });
  if (!answer.ok) throw new Error(`the API answers ${answer.status}: ${answer.body.detail}`);
  const counts = new Map<PaymentMethod, Map<FailureCode, number>>();
  for (const { paymentMethod, failureReason } of answer.body.items) {
    if (failureReason == null) continue;
    const ofMethod = counts.get(paymentMethod) ?? new Map<FailureCode, number>();
    ofMethod.set(failureReason.code, (ofMethod.get(failureReason.code) ?? 0) + 1);
    counts.set(paymentMethod, ofMethod);
  }
  return Object.fromEntries([...counts].map(([method, ofMethod]) => [method, commonest(ofMethod)]));
}

function commonest(counts: Map<FailureCode, number>) {
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, REASONS_SHOWN);
}
