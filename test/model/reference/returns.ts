import { creditKept } from "./charges.ts";
import { holdRaised } from "./limits.ts";
import {
  begin,
  rejected,
  rememberKey,
  replay,
  resume,
  toResult,
  type Accepted,
  type BankResult,
  type IdempotencyUse,
  type Script,
  type Trouble,
} from "./operations.ts";
import { limitRefusal, waitForApproval, waitsForApproval } from "./refunds.ts";
import type { State } from "./state.ts";

/** Answers that end an operator's return without a status of its own. */
const REFUSALS: ReadonlySet<string> = new Set([
  "INTERNAL_ERROR",
  "REFUND_REFUSED",
  "INVALID_STATE",
]);
/** A return that somebody else sends goes on. */
const RETURNING = "202";

/** `POST /payments/unexpected/{id}/return`: a caller's, with his limits and perhaps an approval. */
export function returnRequested(
  state: State,
  paymentId: string,
  use: IdempotencyUse,
  script: Script<BankResult>,
  trouble: Trouble,
): string {
  const request = () => requestReturn(state, paymentId, use);
  return toResult(state, request, `return ${use.key}`, use, script, trouble);
}

function requestReturn(state: State, paymentId: string, use: IdempotencyUse): Accepted {
  const payment = state.payments.get(paymentId)!;
  const isKnown = state.operationKeys.has(`return ${use.key}`);
  if (payment.chosen && !isKnown) return rejected("INVALID_STATE");
  const known = replay(state, "return", use, RETURNING);
  if (known !== null) return known;
  if (state.frozen) return rejected("COMPANY_FROZEN");
  const earlier = payment.returned;
  if (earlier !== null && earlier.status !== "FAILED") {
    rememberKey(state, "return", use, earlier);
    const resumed = resume(state, earlier, use.token, RETURNING);
    // The answer is of the request that began it.
    if (earlier.status === "DONE") return rejected("200 replayed");
    if (resumed.kind === "answer") state.operationKeys.get(`return ${use.key}`)!.result = "PENDING";
    return resumed;
  }
  holdRaised(state);
  const { amount } = payment;
  const refusal = limitRefusal(state, amount);
  if (refusal !== null) return rejected(refusal);
  const waits = waitsForApproval(state, amount);
  const operation = begin(state, "return", payment.charge, amount, use.token);
  operation.isOfCaller = true;
  payment.returned = operation;
  rememberKey(state, "return", use, operation);
  return waits ? waitForApproval(state, operation, use) : { kind: "send", operation };
}

/** `POST /payments/unexpected/{id}/credit` to the charge that it came for. */
export function creditRequested(
  state: State,
  paymentId: string,
  { key, request }: { key: string; request: string },
): string {
  const payment = state.payments.get(paymentId)!;
  const known = state.creditKeys.get(key);
  if (known !== undefined && known !== request) return "IDEMPOTENCY_KEY_REUSED";
  if (known !== undefined) return "200 replayed";
  if (state.frozen) return "COMPANY_FROZEN";
  if (payment.chosen) return "200";
  if (creditKept(state, paymentId) !== "credited") return "INVALID_STATE";
  state.creditKeys.set(key, request);
  return "200";
}

/** The operator returns an unexpected payment. */
export function returnPaymentInSuspense(
  state: State,
  paymentId: string,
  token: string,
  script: Script<BankResult>,
  trouble: Trouble,
): string {
  const payment = state.payments.get(paymentId);
  if (payment === undefined || !payment.inSuspense) {
    return trouble === "died after request" ? "INTERNAL_ERROR" : "NOT_FOUND";
  }
  const request = (): Accepted => {
    const earlier = payment.returned;
    if (earlier?.approval === "pending") return rejected("INVALID_STATE");
    if (earlier !== null && earlier.status !== "FAILED") return resume(state, earlier, token);
    payment.returned = begin(state, "return", payment.charge, payment.amount, token);
    // It is sent once the company is not frozen any more.
    return state.frozen ? rejected("open") : { kind: "send", operation: payment.returned };
  };
  const use = { key: null, request: "", token };
  const answer = toResult(state, request, "return", use, script, trouble);
  if (REFUSALS.has(answer)) return answer;
  return payment.returned?.status === "DONE" ? "done" : "open";
}
